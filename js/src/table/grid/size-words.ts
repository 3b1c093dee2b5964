/** How large a table is, and how much of it can be had, in words. */
import { grouped, plural } from "../../words";
import type { TablePages } from "../rows";

/** `these 50 of 100,000 rows alone`, where an order is that of a part; else nothing. */
export function partWords(pages: TablePages): string {
  const { rows, total } = pages.table.value;
  return pages.isWhole ? "" : `these ${partOf(rows.length, total, "row")} alone`;
}

/** `50 of 100,000 rows × 4 columns`. */
export function sizeWords(pages: TablePages): string {
  const { rows, total, columns, totalColumns } = pages.table.value;
  const there = pages.isWhole ? total : rows.length;
  const shown = pages.canAsk ? totalColumns : columns.length - pages.levels;
  return `${partOf(there, total, "row")} × ${partOf(shown, totalColumns, "column")}`;
}

/** Why not all of it can be had, and what helps; nothing where it can. */
export function lackWords(pages: TablePages): string {
  const { rows, columns, totalColumns } = pages.table.value;
  const isWide = columns.length - pages.levels < totalColumns;
  if ((pages.isWhole && !isWide) || pages.canAsk) return "";
  if (pages.reach.value === "asking") return "Asking the kernel for the others…";
  const these = `These ${grouped(rows.length)} rows are what was saved`;
  return `${these}: sorting, filter and copies are of them alone. Run the cell again for all.`;
}

/** `12 of 100,000 rows`, of which the filter is met. */
export function matchWords(pages: TablePages): string {
  const { query, matched, searched } = pages;
  if (!query.value) return "";
  const part = searched.value;
  const where = part === null ? "" : `, found by the first ${grouped(part)} columns`;
  return `${partOf(matched.value, pages.all, "row")}${where}`;
}

function partOf(some: number, all: number, one: string): string {
  const whole = plural(all, one);
  return some === all ? whole : `${grouped(some)} of ${whole}`;
}
