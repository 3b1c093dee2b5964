/** Which atlas a zoom level is drawn from: the fine one is fetched when it is first needed. */

import { isRecord } from "../../bridge";
import { type Atlas, atlas, atlasOf } from "./atlas";
import { LatePart, type Load } from "./fetched-part";

/** Up to this zoom level 1:110 million is as fine as pixels are. */
const COARSE_UP_TO = 4;

const fine = new LatePart("atlas-50m", (module) =>
  isRecord(module) ? atlasOf(module.topology) : null,
);

/** The atlas of one map: coarse until the fine one is here, and for good where it cannot be had. */
export class Detail {
  readonly #load: Load | undefined;
  readonly #redraw: () => void;
  readonly #signal: AbortSignal;
  #asked = false;

  constructor(load: Load | undefined, redraw: () => void, signal: AbortSignal) {
    this.#load = load;
    this.#redraw = redraw;
    this.#signal = signal;
  }

  at(zoom: number): Atlas {
    if (zoom <= COARSE_UP_TO) return atlas();
    if (fine.value === null) this.#ask();
    return fine.value ?? atlas();
  }

  #ask(): void {
    if (this.#asked || this.#load === undefined) return;
    this.#asked = true;
    fine.fetch(this.#load, this.#redraw, this.#signal);
  }
}
