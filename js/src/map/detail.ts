/** Which atlas a zoom level is drawn from: the fine one is fetched when it is first needed. */

import { isRecord, type Library } from "../bridge";
import { type Atlas, atlas, atlasOf } from "./atlas";

/** Up to this zoom level 1:110 million is as fine as pixels are. */
const COARSE_UP_TO = 4;
const FINE = "atlas-50m";

export type Load = (name: string) => Promise<Library>;

let fine: Atlas | null = null;
const waiting = new Set<() => void>();

/** The atlas of one map: coarse until the fine one is here, and for good where it cannot be had. */
export class Detail {
  readonly #load: Load | undefined;
  readonly #redraw: () => void;
  #asked = false;

  constructor(load: Load | undefined, redraw: () => void, signal: AbortSignal) {
    this.#load = load;
    this.#redraw = redraw;
    signal.addEventListener("abort", () => waiting.delete(redraw));
  }

  at(zoom: number): Atlas {
    if (zoom <= COARSE_UP_TO) return atlas();
    if (fine === null) this.#ask();
    return fine ?? atlas();
  }

  #ask(): void {
    if (this.#asked || this.#load === undefined) return;
    this.#asked = true;
    waiting.add(this.#redraw);
    this.#load(FINE).then(take, () => waiting.delete(this.#redraw));
  }
}

/** The module is here: every map that waits for it is drawn again. */
function take(module: unknown): void {
  if (!isRecord(module)) return;
  fine ??= atlasOf(module.topology);
  const all = [...waiting];
  waiting.clear();
  for (const redraw of all) redraw();
}
