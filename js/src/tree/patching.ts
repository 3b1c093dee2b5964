/**
 * Patches of a tree, applied as `nbagents/runs/tree/patches.py` applies them: both pass
 * `tests/fixtures/events/*.patches.json`.
 *
 * A tree that was handed out is never changed: a batch copies the nodes it touches, once, so a node
 * that is the same object shows the same thing.
 */
import { entry, put } from "./entries";
import type { Growth, NodePatch, Splice, Tree } from "./nodes";

/** A node whose fields are named by the kernel. */
type Fields = Record<string, unknown>;

export const EMPTY: Tree = { version: 1, root_ids: [], runs: {} };

/**
 * The tree after these patches. What they do not fit, as of a newer kernel, they leave alone.
 *
 * @param ours The nodes that nobody has seen yet, which need no copies.
 */
export function patched(
  tree: Tree,
  patches: Iterable<NodePatch>,
  ours = new WeakSet<object>(),
): Tree {
  const made: Tree = { ...tree, root_ids: [...tree.root_ids], runs: { ...tree.runs } };
  const own = (record: Record<string, unknown>, id: string): Fields => {
    const known = entry(record, id) as Fields | undefined;
    if (known && ours.has(known)) return known;
    const copy: Fields = { ...known };
    ours.add(copy);
    put(record, id, copy);
    return copy;
  };
  for (const patch of patches) {
    const isNew = !entry(made.runs, patch.run);
    if (isNew && !patch.set) continue; // of a run that never began
    if (isNew && patch.set?.parent_run_id === null) made.root_ids.push(patch.run);
    const run = own(made.runs, patch.run);
    if (patch.call === undefined) change(run, patch);
    else {
      let calls = run.calls as Fields;
      if (!ours.has(calls)) {
        calls = { ...calls };
        ours.add(calls);
        run.calls = calls;
      }
      change(own(calls, patch.call), patch);
    }
  }
  return made;
}

function change(node: Fields, { set = {}, unset = [], splices = [], texts = [] }: NodePatch): void {
  for (const [name, value] of Object.entries(set)) put<unknown>(node, name, value);
  for (const name of unset) delete node[name];
  for (const one of splices) node[one.field] = spliced(node[one.field], one);
  for (const one of texts) {
    const known = node[one.field];
    if (one.index === null) node[one.field] = longer(known, one);
    else if (Array.isArray(known)) {
      const element: Fields = known[one.index] ?? {};
      node[one.field] = known.with(one.index, { ...element, text: longer(element.text, one) });
    }
  }
}

function spliced(list: unknown, { at, drop, add }: Splice): unknown[] {
  const known: unknown[] = Array.isArray(list) ? list : [];
  return known.slice(0, at).concat(add, known.slice(at + drop));
}

function longer(text: unknown, { drop, add }: Growth): string {
  const known = String(text ?? "");
  return (drop ? known.slice(0, -drop) : known) + add;
}
