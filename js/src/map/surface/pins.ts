/** Draws the pins and their labels, as text and never as markup: a model wrote them. */

import type { Name, Placed } from "../names";
import { type Pin, type View, worldPx } from "../world";

const SVG = "http://www.w3.org/2000/svg";
const HEAD = "M0 0C-2.5-5-7-8.6-7-14A7 7 0 0 1 7-14C7-8.6 2.5-5 0 0Z";
const HEIGHT_PX = 22;
const REACH_PX = 9;
/** Farther than this from where it was laid out, a layer of single precision would blur. */
const FAR_PX = 20_000;

export type Place = (pin: Pin) => { x: number; y: number };
type Side = Placed["side"];

/** Where a label's text is tied, from the pin's foot. */
const TIES: Readonly<Record<Side, readonly [x: string, y: string, anchor: string]>> = {
  right: ["11", "-10", "start"],
  left: ["-11", "-10", "end"],
  above: ["0", "-27", "middle"],
  below: ["0", "13", "middle"],
  middle: ["0", "-10", "middle"],
};

interface Drawn {
  readonly name: Name;
  readonly group: SVGElement;
  readonly text: SVGElement | null;
  /** Which copy of the world it stands in. */
  shift: number;
  side: Side | "nowhere" | null;
}

/** The pins of a map. A map that is dragged moves them all at once. */
export class PinLayer {
  readonly el = element("svg", { class: "nba-map-pins", "aria-hidden": "true" });
  readonly #all = element("g", {});
  #names: readonly Name[] = [];
  #drawn: readonly Drawn[] = [];
  #origin = { left: 0, top: 0, zoom: -1 };

  constructor() {
    this.el.append(this.#all);
  }

  /** Draw each pin at its copy that is nearest to the middle, its label where that was placed. */
  draw(names: readonly Name[], placed: readonly Placed[], view: View): void {
    if (names !== this.#names) this.#begin(names);
    const { left, top, zoom } = this.#origin;
    const isFar = Math.abs(left - view.left) > FAR_PX || Math.abs(top - view.top) > FAR_PX;
    const isNew = zoom !== view.zoom || isFar;
    if (isNew) this.#origin = { left: view.left, top: view.top, zoom: view.zoom };
    const [x, y] = [this.#origin.left - view.left, this.#origin.top - view.top];
    this.#all.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    this.#place(view, isNew);
    this.#label(placed, view);
  }

  #begin(names: readonly Name[]): void {
    this.#names = names;
    this.#origin.zoom = -1;
    this.#drawn = names.map(drawn);
    this.#all.replaceChildren(...this.#drawn.map(({ group }) => group));
  }

  #place(view: View, isNew: boolean): void {
    const world = worldPx(view.zoom);
    const middle = (view.left + view.width / 2) / world;
    for (const one of this.#drawn) {
      const shift = Math.round(middle - one.name.x);
      if (shift === one.shift && !isNew) continue;
      one.shift = shift;
      const x = (one.name.x + shift) * world - this.#origin.left;
      const y = one.name.y * world - this.#origin.top;
      one.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    }
  }

  #label(placed: readonly Placed[], view: View): void {
    const sides = new Map<Name, Side>();
    const world = worldPx(view.zoom);
    const middle = view.width / 2;
    for (const { name, side, x } of placed) {
      if (name.kind === "pin" && Math.abs(x - middle) <= world / 2) sides.set(name, side);
    }
    for (const one of this.#drawn) tie(one, sides.get(one.name) ?? "nowhere");
  }
}

/** The topmost pin whose head is at a point of the view. */
export function pinAt(pins: readonly Pin[], place: Place, x: number, y: number): Pin | null {
  const at = (pin: Pin) => {
    const foot = place(pin);
    return Math.abs(foot.x - x) <= REACH_PX && y <= foot.y + 2 && y >= foot.y - HEIGHT_PX;
  };
  return pins.findLast(at) ?? null;
}

function drawn(name: Name): Drawn {
  const group = element("g", {});
  group.append(
    element("path", { class: "nba-map-pin", d: HEAD }),
    element("circle", { class: "nba-map-pin-eye", cy: "-14", r: "2.6" }),
  );
  const [label] = name.lines;
  const text = label === undefined ? null : element("text", { class: "nba-map-label" });
  if (text !== null) {
    text.textContent = label ?? "";
    group.append(text);
  }
  return { name, group, text, shift: Number.NaN, side: null };
}

function tie(one: Drawn, side: Side | "nowhere"): void {
  if (one.text === null || one.side === side) return;
  one.side = side;
  one.text.toggleAttribute("hidden", side === "nowhere");
  if (side === "nowhere") return;
  const [x, y, anchor] = TIES[side];
  one.text.setAttribute("x", x);
  one.text.setAttribute("y", y);
  one.text.setAttribute("text-anchor", anchor);
}

export function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
