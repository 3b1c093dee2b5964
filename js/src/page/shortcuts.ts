/**
 * Keep the notebook's single-key commands away from a widget: with the focus on one of its buttons,
 * D D would delete the cell. Ctrl+S and its like still reach the notebook.
 *
 * An attribute on the widget's root is not enough: the notebook's bindings match the focused element
 * itself, and Lumino looks for the attribute from there upwards. So the focused element carries it
 * too, for as long as a plain key is on its way. The window hears a key before the document, where
 * Lumino listens, in whichever phase.
 *
 * Source: lumino, `packages/commands/src/index.ts`, `targetDistance`.
 */

const SUPPRESS = "data-lm-suppress-shortcuts";

export function keepShortcutsAway(root: HTMLElement, signal: AbortSignal): void {
  const hear = (event: KeyboardEvent) => {
    const target = event.composedPath()[0];
    if (!(target instanceof Element) || !root.contains(target)) return;
    const isOwn = event.key === "Enter" && target.matches("input, textarea"); // it sends a form
    const isPlain = isOwn || (!event.ctrlKey && !event.metaKey && !event.altKey);
    for (const el of [root, target]) {
      if (isPlain) el.setAttribute(SUPPRESS, "true");
      else el.removeAttribute(SUPPRESS);
    }
  };
  root.setAttribute(SUPPRESS, "true");
  window.addEventListener("keydown", hear, { capture: true, signal });
}
