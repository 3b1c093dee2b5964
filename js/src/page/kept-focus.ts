/**
 * What takes the focus over from a run's view that goes, and gives it to the next one.
 *
 * The focus must be taken before anything of the view leaves the page: after that the browser has
 * given it to the body, and nobody knows where it was.
 */
import { ROW } from "./focus";

/** Have the keeper hold the focus that is in a view, and remember the row; nothing where it is elsewhere. */
export function keepFocus(view: Element, keeper: HTMLElement | null): void {
  const { activeElement } = document;
  if (!keeper || !activeElement || activeElement === keeper || !view.contains(activeElement))
    return;
  keeper.dataset.nbaRow = String(rowOf(view, activeElement));
  keeper.focus({ preventScroll: true });
}

/** What is selected where a run stands in two panes, which has no rows. */
const LEAF = '.nba-tree [aria-selected="true"]';

/** Give the focus that a keeper holds to the same row of what it shows now. */
export function giveFocus(keeper: HTMLElement): void {
  const { nbaRow } = keeper.dataset;
  delete keeper.dataset.nbaRow;
  if (nbaRow === undefined || document.activeElement !== keeper) return;
  const rows = keeper.querySelectorAll<HTMLElement>(ROW);
  const find = (selector: string) => keeper.querySelector<HTMLElement>(selector);
  const next = rows[Number(nbaRow)] ?? find(LEAF) ?? rows[0] ?? find("button");
  next?.focus({ preventScroll: true });
}

/** Which of a view's rows an element belongs to; -1: none. */
function rowOf(view: Element, el: Element): number {
  const item = el.closest("li");
  return [...view.querySelectorAll(ROW)].findIndex((row) => row.closest("li") === item);
}
