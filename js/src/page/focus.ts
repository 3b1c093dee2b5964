/** Where the focus is; a view may stand in a shadow root. */

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
