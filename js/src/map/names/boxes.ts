/** Boxes on a world that goes round, kept by cells, so that a thousand of them are asked quickly. */

import { once } from "../../tree";

/** A box by its middle and half of its size. */
export interface MiddleBox {
  readonly x: number;
  readonly y: number;
  readonly across: number;
  readonly down: number;
}

const CELL_PX = 64;

export class Boxes {
  readonly #world: number;
  readonly #columns: number;
  readonly #cell: number;
  readonly #cells = new Map<number, MiddleBox[]>();

  constructor(world: number) {
    this.#world = world;
    this.#columns = Math.max(1, Math.round(world / CELL_PX));
    this.#cell = world / this.#columns;
  }

  add(box: MiddleBox): void {
    for (const key of this.#keys(box)) once(this.#cells, key, () => []).push(box);
  }

  /** Whether it covers none of the others, in any copy of the world. */
  isFree(box: MiddleBox): boolean {
    for (const key of this.#keys(box)) {
      for (const other of this.#cells.get(key) ?? []) {
        if (overlap(box, other, this.#world)) return false;
      }
    }
    return 2 * box.across <= this.#world;
  }

  *#keys({ x, y, across, down }: MiddleBox): Generator<number> {
    const last = Math.floor((x + across) / this.#cell);
    const floor = Math.floor((y + down) / CELL_PX);
    for (let row = Math.floor((y - down) / CELL_PX); row <= floor; row += 1) {
      for (let column = Math.floor((x - across) / this.#cell); column <= last; column += 1) {
        const round = ((column % this.#columns) + this.#columns) % this.#columns;
        yield row * this.#columns + round;
      }
    }
  }
}

/** Whether two boxes of one view overlap. */
export function touch(one: MiddleBox, other: MiddleBox): boolean {
  return (
    Math.abs(one.x - other.x) < one.across + other.across &&
    Math.abs(one.y - other.y) < one.down + other.down
  );
}

/** A box by its left top corner and its size. */
export function boxOf(left: number, top: number, width: number, height: number): MiddleBox {
  const [across, down] = [width / 2, height / 2];
  return { x: left + across, y: top + down, across, down };
}

/** Whether two boxes overlap on a world of this width. */
export function overlap(one: MiddleBox, other: MiddleBox, world: number): boolean {
  const off = one.x - other.x;
  const apart = Math.abs(off - world * Math.round(off / world));
  return apart < one.across + other.across && Math.abs(one.y - other.y) < one.down + other.down;
}
