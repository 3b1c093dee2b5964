/**
 * Markdown on a page: its module comes once, when a view is made; until then, and where it cannot
 * come, the text stands as it was written.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { Door } from "../bridge";

type Draw = (text: string) => DocumentFragment;

const draw = signal<Draw | null>(null);

/** What draws Markdown; `null` until it has come. */
export function markdownDrawer(): Draw | null {
  return draw.value;
}

/** Have the module come, unless it has. */
export async function fetchMarkdown(door: Pick<Door, "load">): Promise<void> {
  if (draw.peek()) return;
  const library = await door.load("markdown").catch(() => null);
  draw.value = library?.markdown ?? draw.peek();
}

/** Show nodes in `el`, leaving alone those that already stand there, and so what is selected. */
export function replaceChanged(el: Element, nodes: DocumentFragment): void {
  const next = [...nodes.childNodes];
  const known = [...el.childNodes];
  const same = next.findIndex((node, at) => !known[at]?.isEqualNode(node));
  const kept = same < 0 ? next.length : same;
  for (const node of known.slice(kept)) node.remove();
  el.append(...next.slice(kept));
}
