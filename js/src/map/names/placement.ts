/**
 * Where names stand so that none covers another, nor a pin. It is the same wherever the map is
 * dragged: it depends on the zoom level only, and on what is named in which order.
 */

import { type View, worldPx } from "../world";
import { Boxes, type MiddleBox, touch } from "./boxes";
import { isShown, type Kind, type Name } from "./names";
import { widthPx } from "./width";

export const FONT_PX: Readonly<Record<Kind, number>> = {
  country: 11,
  sea: 11,
  town: 11,
  capital: 11,
  pin: 12,
};
const BOLD: readonly Kind[] = ["country", "pin"];
export const LINE_PX = 13;
const PAD_PX = 2;

/** How a name stands to its place. */
type Side = "middle" | "right" | "left" | "above" | "below";

/** Where the text begins or ends beside a place, and where its middle stands above or below it. */
interface Reach {
  readonly beside: number;
  readonly level: number;
  readonly above: number;
  readonly below: number;
}

const TOWN: Reach = { beside: 5, level: 0, above: -10, below: 10 };
/** Beside the pin's head; its foot is the place. */
const PIN: Reach = { beside: 11, level: -14, above: -31, below: 9 };
const SIDES: readonly Side[] = ["right", "left", "above", "below"];

const DOT: MiddleBox = { x: 0, y: 0, across: 3, down: 3 };
const HEAD: MiddleBox = { x: 0, y: -10.5, across: 8, down: 11.5 };

/** A name that has its place, in pixels of the world at its zoom level. */
export interface Placed {
  readonly name: Name;
  readonly side: Side;
  /** The place that is named. */
  readonly x: number;
  readonly y: number;
  /** The middle of the text and half of its size; `across` 0: a pin that has no room for its label. */
  readonly box: MiddleBox;
}

export interface Placement {
  readonly world: number;
  readonly placed: readonly Placed[];
  readonly boxes: Boxes;
  /** Of the pins and their labels only. */
  readonly pinBoxes: Boxes;
}

/** Give places: to the pins' heads, to their labels, and then to the names, in their order. */
export function placement(names: readonly Name[], pins: readonly Name[], zoom: number): Placement {
  const world = worldPx(zoom);
  const boxes = new Boxes(world);
  const pinBoxes = new Boxes(world);
  for (const pin of pins) {
    const head = moved(HEAD, pin.x * world, pin.y * world);
    boxes.add(head);
    pinBoxes.add(head);
  }
  const labels = pins.flatMap((name) => placeOf(name, world, boxes));
  for (const { box } of labels) pinBoxes.add(box);
  const shown = names.filter((name) => isShown(name, zoom));
  const placed = [...labels, ...shown.flatMap((name) => placeOf(name, world, boxes))];
  return { world, placed, boxes, pinBoxes };
}

function placeOf(name: Name, world: number, boxes: Boxes): Placed[] {
  const [x, y] = [name.x * world, name.y * world];
  const isTown = name.kind === "town" || name.kind === "capital";
  const dot = moved(DOT, x, y);
  if (name.lines.length === 0 || (isTown && !boxes.isFree(dot))) return [];
  const sides: readonly Side[] = isTown || name.kind === "pin" ? SIDES : ["middle"];
  for (const side of sides) {
    const box = textBox(name, side, x, y);
    if (!boxes.isFree(box)) continue;
    boxes.add(box);
    if (isTown) boxes.add(dot);
    return [{ name, side, x, y, box }];
  }
  return [];
}

function textBox({ kind, lines }: Name, side: Side, x: number, y: number): MiddleBox {
  const widths = lines.map((line) => widthPx(line, FONT_PX[kind], BOLD.includes(kind)));
  const across = Math.max(...widths) / 2;
  const down = (lines.length * LINE_PX) / 2;
  const { beside, level, above, below } = kind === "pin" ? PIN : TOWN;
  const at = {
    middle: [0, 0],
    right: [beside + across, level],
    left: [-beside - across, level],
    above: [0, above],
    below: [0, below],
  }[side];
  return {
    x: x + (at[0] ?? 0),
    y: y + (at[1] ?? 0),
    across: across + PAD_PX,
    down,
  };
}

/**
 * What of it a view shows, in pixels of the view, once for each copy of the world. Names are left out
 * where the edge or the furniture of the map would cut them; pins keep their labels.
 */
export function inView(
  { world, placed, boxes, pinBoxes }: Placement,
  view: View,
  furniture: readonly MiddleBox[] = [],
): Placed[] {
  const turned = new Boxes(world);
  const isClear = (box: MiddleBox) =>
    isInside(box, view) && !furniture.some((one) => touch(one, box));
  return placed.flatMap((one) => {
    const isPin = one.name.kind === "pin";
    return shifts(one, view, world).flatMap((shift) => {
      const [right, down] = [shift * world - view.left, -view.top];
      const isWhole = (box: MiddleBox) => isClear(moved(box, right, down));
      const best = insideOut(one, isWhole, isPin ? pinBoxes : boxes, turned);
      const isCovered = best === one && !turned.isFree(one.box); // by a label that was turned
      if (!isPin && (isCovered || !isWhole(best.box))) return [];
      return [{ ...best, x: one.x + right, y: one.y + down, box: moved(best.box, right, down) }];
    });
  });
}

/** In which copies of the world a name may be seen, on either side of its place. */
function shifts({ name, x, box }: Placed, view: View, world: number): number[] {
  const y = box.y - view.top;
  if (y + box.down < 0 || y - box.down > view.height) return [];
  const reach = name.kind === "pin" ? PIN.beside + 2 * box.across : box.across;
  const middle = name.kind === "pin" ? x : box.x;
  const first = Math.ceil((view.left - middle - reach) / world);
  const last = Math.floor((view.left + view.width - middle + reach) / world);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** What would be cut stands on its other side, where there is room. */
function insideOut(
  one: Placed,
  isWhole: (box: MiddleBox) => boolean,
  boxes: Boxes,
  turned: Boxes,
): Placed {
  const other = one.side === "right" ? "left" : one.side === "left" ? "right" : null;
  if (other === null || isWhole(one.box)) return one;
  const box = textBox(one.name, other, one.x, one.y);
  if (!isWhole(box) || !boxes.isFree(box) || !turned.isFree(box)) return one;
  turned.add(box);
  return { ...one, side: other, box };
}

function isInside({ x, y, across, down }: MiddleBox, { width, height }: View): boolean {
  return x >= across && x + across <= width && y >= down && y + down <= height;
}

function moved({ x, y, across, down }: MiddleBox, right: number, lower: number): MiddleBox {
  return { x: x + right, y: y + lower, across, down };
}
