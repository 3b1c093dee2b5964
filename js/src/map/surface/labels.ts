/** What is written on a map: the names of the world, which come by and by, and the pins' labels. */

import { isRecord } from "../../bridge";
import {
  inView,
  type MiddleBox,
  type Name,
  namesFrom,
  type Placed,
  type Placement,
  pinName,
  placement,
} from "../names";
import { LatePart, type Load, type Pin, type View } from "../world";

const table = new LatePart("map-names", (module) =>
  isRecord(module) ? namesFrom(module.table) : null,
);

const NOTHING: readonly Name[] = [];

export class Labels {
  #pins: readonly Pin[] = [];
  /** What the pins say, in their order. */
  pinNames: readonly Name[] = NOTHING;
  #placement: Placement | null = null;
  #key: readonly unknown[] = [];

  constructor(load: Load | undefined, redraw: () => void, signal: AbortSignal) {
    if (load !== undefined && table.value === null) table.fetch(load, redraw, signal);
  }

  /** What a view shows of them; without names where tiles bring their own. */
  at(
    view: View,
    pins: readonly Pin[],
    furniture: readonly MiddleBox[],
    hasNames: boolean,
  ): readonly Placed[] {
    if (pins !== this.#pins) {
      this.#pins = pins;
      this.pinNames = pins.map(pinName);
    }
    const names = hasNames ? (table.value ?? NOTHING) : NOTHING;
    const key = [view.zoom, this.pinNames, names];
    if (this.#placement === null || key.some((one, at) => one !== this.#key[at])) {
      this.#placement = placement(names, this.pinNames, view.zoom);
      this.#key = key;
    }
    return inView(this.#placement, view, furniture);
  }
}
