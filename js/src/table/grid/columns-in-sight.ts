/**
 * How wide columns are, and which of them, and of their rows, are in sight: a page does not draw ten thousand.
 */
import type { JsonValue } from "../../tree";
import { type Column, cellText } from "../rows";

/** So many columns are all drawn. */
const ALL = 24;
/** Columns that are drawn beyond those in sight, and by how many the part that is drawn moves. */
const AROUND = 4;
const STEP = 4;

const LEAST_PX = 56;
const MOST_PX = 300;
const UNKNOWN_PX = 96;
const CHARACTER_PX = 7;
const AROUND_TEXT_PX = 26;
/** Of the mark of an order in a head. */
const MARK_PX = 14;
export const NARROWEST_PX = 36;
export const WIDEST_PX = 1200;

/** How wide a column is by what is in it. */
export function widthOf(column: Column | undefined, values: (JsonValue | undefined)[]): number {
  if (!column) return UNKNOWN_PX;
  const unit = column.format.unit ?? "";
  const head = (column.name.length + (unit ? unit.length + 1 : 0)) * CHARACTER_PX + MARK_PX;
  let longest = 0;
  for (const value of values)
    longest = Math.max(longest, cellText(value ?? null, column)?.length ?? 1);
  const px = Math.max(head, longest * CHARACTER_PX) + AROUND_TEXT_PX;
  return Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, px)));
}

/** Which columns (or rows) are drawn: from the first to before the last, without those that stay in sight. */
export interface Sight {
  start: number;
  stop: number;
}

/** Where the columns begin; one more than there are, for the end of the last. */
export function edgesOf(width: number, px: (column: number) => number): Float64Array {
  const edges = new Float64Array(width + 1);
  for (let at = 0; at < width; at += 1) edges[at + 1] = (edges[at] ?? 0) + px(at);
  return edges;
}

/** The columns to draw between two edges; `fixed`: so many are always in sight. */
export function sightOf(edges: Float64Array, fixed: number, from: number, to: number): Sight {
  const width = edges.length - 1;
  if (width <= ALL) return { start: fixed, stop: width };
  const first = columnAt(edges, from + (edges[fixed] ?? 0)) - AROUND;
  const last = columnAt(edges, to) + 1 + AROUND;
  return {
    start: Math.max(fixed, Math.floor(first / STEP) * STEP),
    stop: Math.min(width, Math.ceil(last / STEP) * STEP),
  };
}

/** Rows that are drawn above and below those in sight, and by how many the part that is drawn moves. */
const AROUND_ROWS = 6;

/** Of a table with so many columns that not all are drawn also rows out of sight are left empty. */
export function rowsInSight(
  columns: number,
  row_px: number,
  from: number,
  to: number,
): Sight | null {
  if (columns <= ALL || row_px <= 0 || to <= from) return null;
  const step = (row: number) => Math.floor(row / AROUND_ROWS) * AROUND_ROWS;
  return {
    start: step(from / row_px) - AROUND_ROWS,
    stop: step(to / row_px) + 2 * AROUND_ROWS,
  };
}

/** The column at this distance from the left. */
function columnAt(edges: Float64Array, px: number): number {
  let [low, high] = [0, edges.length - 1];
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= px) low = middle;
    else high = middle;
  }
  return low;
}
