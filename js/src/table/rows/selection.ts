/** What is selected of a table: blocks of cells, by their places as they are shown. */

/** Rows and columns from the first to the last, both of them in it. */
export interface Block {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export interface Place {
  row: number;
  column: number;
}

/** The cells between two corners. */
export function blockOf(one: Place, other: Place): Block {
  return {
    top: Math.min(one.row, other.row),
    bottom: Math.max(one.row, other.row),
    left: Math.min(one.column, other.column),
    right: Math.max(one.column, other.column),
  };
}

/** Whole rows. */
export function rowsOf(one: number, other: number, width: number): Block {
  return blockOf({ row: one, column: 0 }, { row: other, column: width - 1 });
}

export function isEmpty({ top, bottom, left, right }: Block): boolean {
  return bottom < top || right < left;
}

/** From which to which column a row is selected; several of them side by side. */
export function partsIn(blocks: readonly Block[], row: number): [number, number][] {
  return blocks
    .filter(({ top, bottom }) => row >= top && row <= bottom)
    .map(({ left, right }) => [left, right]);
}

/** How many rows have something that is selected. */
export function rowsIn(blocks: readonly Block[]): number {
  const sorted = [...blocks].sort((a, b) => a.top - b.top);
  let [many, next] = [0, 0];
  for (const { top, bottom } of sorted) {
    many += Math.max(0, bottom + 1 - Math.max(top, next));
    next = Math.max(next, bottom + 1);
  }
  return many;
}

/** A block with what a row adds to it, or without it where it is a block of its own already. */
export function toggled(blocks: readonly Block[], block: Block): Block[] {
  const others = blocks.filter((one) => !isSame(one, block));
  return others.length < blocks.length ? others : [...blocks, block];
}

function isSame(a: Block, b: Block): boolean {
  return a.top === b.top && a.bottom === b.bottom && a.left === b.left && a.right === b.right;
}
