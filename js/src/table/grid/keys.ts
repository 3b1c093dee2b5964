/** Keys and the pointer in a table's cells. */

import type { Place } from "../rows";
import { PAGE_ROWS } from "../rows";
import { type GridView, HEAD } from "./grid-view";

const WIDER_PX = 16;
const STEPS: Record<string, [rows: number, columns: number]> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [PAGE_ROWS, 0],
  PageUp: [-PAGE_ROWS, 0],
};

/** Hear a key in a cell or a head; whether it meant something. */
export function hearKey(event: KeyboardEvent, view: GridView): boolean {
  const { key, shiftKey, altKey } = event;
  const isMore = event.ctrlKey || event.metaKey;
  const at = view.at;
  if (altKey) return at.row === HEAD && resizeBy(key, at.column, view);
  if (isMore && key.toLowerCase() === "c") return hasText() ? false : done(view.copySelected());
  if (isMore && key.toLowerCase() === "a") return done(view.chooseAll());
  if (key === "Home" || key === "End") return toEnd(key === "End", isMore, shiftKey, at, view);
  const step = STEPS[key];
  if (step && !isMore) {
    // From the first row of the first page up to the heads, and from there down to the page in sight.
    const row = at.row === HEAD && step[0] > 0 ? view.pages.offset.value : at.row + step[0];
    const least = at.row === HEAD || (at.row === 0 && key === "ArrowUp") ? HEAD : 0;
    return done(view.move(Math.max(least, row), at.column + step[1], shiftKey));
  }
  if (at.row === HEAD) return false; // the head's own button has the others
  if (key === " ") return done(view.chooseRow(at.row, { isMore: true, isFar: shiftKey }));
  if (key === "Enter") {
    view.opened.value = at;
    return true;
  }
  if (key !== "Escape" || !(view.blocks.value.length || view.opened.value)) return false;
  view.opened.value = null;
  return done(view.chooseNothing());
}

/** The cell that an element is in. */
export function placeOf(target: EventTarget | null): (Place & { isName: boolean }) | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-column]") : null;
  const row = cell?.closest<HTMLElement>("[data-row]");
  if (!cell || !row) return null;
  return {
    row: Number(row.dataset.row),
    column: Number(cell.dataset.column),
    isName: cell.tagName === "TH",
  };
}

/** The pointer goes down on a cell: on a row's name it selects the row. */
export function pressCell(event: PointerEvent, view: GridView): boolean {
  const place = placeOf(event.target);
  if (!place || event.button !== 0) return false;
  if (event.target instanceof Element && event.target.closest("button")) return false;
  const { row, column, isName } = place;
  const isMore = event.ctrlKey || event.metaKey;
  if (isName) view.chooseRow(row, { isFar: event.shiftKey, isMore });
  else view.move(row, column, event.shiftKey);
  return true;
}

/** The pointer goes over a cell while it is down. */
export function dragOver(event: PointerEvent, view: GridView): void {
  const place = placeOf(event.target);
  const { row, column } = view.active.value;
  if (!place || (place.row === row && place.column === column)) return;
  if (place.isName) view.chooseRow(place.row, { isFar: true });
  else view.extend({ row: place.row, column: place.column });
}

function toEnd(
  isEnd: boolean,
  isMore: boolean,
  isFar: boolean,
  { row, column }: Place,
  view: GridView,
): boolean {
  const { count, width } = view.pages;
  if (!isMore) return done(view.move(row, isEnd ? width - 1 : 0, isFar));
  return done(view.move(isEnd ? count - 1 : 0, column, isFar));
}

function resizeBy(key: string, column: number, view: GridView): boolean {
  const by = { ArrowRight: WIDER_PX, ArrowLeft: -WIDER_PX }[key];
  if (by === undefined && key !== "Enter") return false;
  view.resize(column, by === undefined ? null : view.px(column) + by);
  return true;
}

/** Whether some text is selected: then the browser copies that. */
function hasText(): boolean {
  return !!globalThis.getSelection?.()?.toString();
}

function done(_: unknown): true {
  return true;
}
