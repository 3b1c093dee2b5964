/**
 * Where the focus is; a view may stand in a shadow root.
 *
 * @module
 */

/** The element with the focus, as the element's own tree knows it. */
export function focusNear(el: Element): Element | null {
  const root = el.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/** Whether an element, or something in it, has the focus. */
export function hasFocus(el: Element | null): boolean {
  return el?.contains(focusNear(el)) ?? false;
}
