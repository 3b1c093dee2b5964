/**
 * Nodes that stand made to look like others, with as little change as can be: what is selected, scrolled
 * or has the focus stays so, and nothing flickers.
 */

/** A formula, which a typesetter may have drawn: its TeX says whether it is the same. */
export const TEX_ATTRIBUTE = "data-tex";
/** What a person changes, not a text. */
const OF_PERSONS = new Set(["open"]);

/** Put `next` in the place of `known`, neighbours in `parent`; before `end` where there is more. */
export function patch(
  parent: Node,
  known: readonly Node[],
  next: readonly Node[],
  end: Node | null,
): Node[] {
  const standing = next.map((node, at) => {
    const old = known[at];
    if (old && grow(old, node)) return old;
    if (old) parent.replaceChild(node, old);
    else parent.insertBefore(node, end);
    return node;
  });
  for (const gone of known.slice(next.length)) parent.removeChild(gone);
  return standing;
}

/** Make a node like another one, if it is of its sort. */
function grow(old: Node, next: Node): boolean {
  if (old instanceof Text && next instanceof Text) {
    if (old.data === next.data) return true;
    if (next.data.startsWith(old.data)) old.appendData(next.data.slice(old.data.length));
    else old.data = next.data;
    return true;
  }
  if (!(old instanceof Element && next instanceof Element) || old.tagName !== next.tagName)
    return false;
  const tex = next.getAttribute(TEX_ATTRIBUTE);
  if (tex !== old.getAttribute(TEX_ATTRIBUTE)) return false;
  if (tex !== null) return true;
  for (const { name, value } of next.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  for (const name of old.getAttributeNames())
    if (!next.hasAttribute(name) && !OF_PERSONS.has(name)) old.removeAttribute(name);
  patch(old, [...old.childNodes], [...next.childNodes], null);
  return true;
}
