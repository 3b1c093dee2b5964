/**
 * Where the focus is; a view may stand in a shadow root. And what takes it over from a run's view that
 * goes, and gives it to the next one: before anything of the view leaves the page, as after that the
 * browser has given it to the body, and nobody knows where it was.
 */

/** A selector of rows that one can go to: those behind the mark of what leaves a list are none. */
export const ROW = ".nba-row:not(.nba-leaving ~ * *)";

/** The element with the focus, as the element's own tree knows it. */
export function focusNear(el: Element): Element | null {
  const root = el.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/** Whether an element, or something in it, has the focus. */
export function hasFocus(el: Element | null): boolean {
  return el?.contains(focusNear(el)) ?? false;
}

/** Whether something in an element may take the focus: it is there already, or around it, or nowhere. */
export function isFree(el: Element): boolean {
  const at = focusNear(el);
  return at === null || at.contains(el) || el.contains(at);
}

/** Have the keeper hold the focus that is in a view, and remember the row; nothing where it is elsewhere. */
export function keepFocus(view: Element, keeper: HTMLElement | null): void {
  const { activeElement } = document;
  if (!keeper || !activeElement || activeElement === keeper || !view.contains(activeElement))
    return;
  keeper.dataset.nbaRow = String(rowOf(view, activeElement));
  keeper.focus({ preventScroll: true });
}

/** Have the keeper catch the focus of what leaves it unannounced: before that goes, browsers say that it has lost it. */
export function catchFocus(keeper: HTMLElement): void {
  keeper.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (relatedTarget || !(target instanceof Element) || target === keeper) return;
    const row = String(rowOf(keeper, target));
    queueMicrotask(() => {
      if (target.isConnected || document.activeElement !== document.body) return;
      keeper.dataset.nbaRow = row;
      keeper.focus({ preventScroll: true });
    });
  });
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
