/** Keys of a run: arrows between rows, and one for each thing that is done often. */
import { placeAfter, ROW } from "../../page";
import type { ViewState } from "../state";

/** What has keys of its own: text, and what renderers draw. */
const OWN_KEYS = "input, textarea, select, [contenteditable], .nba-stage, .nba-views";

export function hearKey(event: KeyboardEvent, view: ViewState): void {
  const { target, currentTarget } = event;
  if (!(target instanceof HTMLElement) || !(currentTarget instanceof HTMLElement)) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const isHeard = target.matches(".nba-query")
    ? inQuery(event.key, currentTarget, view)
    : (!target.closest(OWN_KEYS) && command(event.key, view)) ||
      (target.matches(".nba-row") && moveFocus(event.key, target, currentTarget));
  if (isHeard) event.preventDefault();
}

/** One key, one thing to do. */
function command(key: string, view: ViewState): boolean {
  switch (key) {
    case "e":
      view.state.opened.setAll(!view.state.opened.isAll);
      return true;
    case "/":
      view.isFinding.value = !view.isPaned;
      view.root?.querySelector<HTMLElement>(".nba-query")?.focus();
      return true;
    case "?":
      view.togglePanel("keys");
      return true;
    case "Escape":
      if (!view.isFull.value) return false;
      view.toggleFull();
      return true;
    default:
      return false;
  }
}

/** Esc empties the box, then puts it away; down goes to the rows. */
function inQuery(key: string, card: HTMLElement, view: ViewState): boolean {
  const row = card.querySelector<HTMLElement>(ROW);
  if (key === "ArrowDown") row?.focus();
  else if (key !== "Escape") return false;
  else if (view.query.value) view.query.value = "";
  else {
    view.isFinding.value = false;
    (row ?? card.querySelector<HTMLElement>("button"))?.focus();
  }
  return true;
}

/** Up and down move, right opens, left closes, or goes to the row that holds a closed one. */
function moveFocus(key: string, row: HTMLElement, card: HTMLElement): boolean {
  if (key === "ArrowRight" || key === "ArrowLeft") {
    const isOpen = row.getAttribute("aria-expanded") === "true";
    if (isOpen === (key === "ArrowLeft")) row.click();
    else if (key === "ArrowLeft") holderOf(row)?.focus();
    return true;
  }
  const rows = [...card.querySelectorAll<HTMLElement>(ROW)];
  const next = rows[placeAfter(key, rows.indexOf(row), rows.length)];
  next?.focus();
  return next !== undefined;
}

/** The row that the flat list shows this one under. */
function holderOf(row: HTMLElement): HTMLElement | null | undefined {
  const item = row.closest<HTMLElement>("li");
  const items = [...(item?.parentElement?.children ?? [])];
  const isHolder = (one: Element) =>
    one instanceof HTMLElement && one.dataset.id === item?.dataset.above;
  return items.find(isHolder)?.querySelector<HTMLElement>(".nba-row");
}
