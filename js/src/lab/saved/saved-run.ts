/**
 * A saved run, read from a notebook's JSON: every field is looked at, since a notebook may come from
 * anybody, and from another version. What does not fit is refused as a whole; the notebook's HTML
 * then stands in for it.
 */
import { type Opening, openingOf } from "../../bridge";
import { type SavedRun as Bundle, entry, type JsonValue, type Tree } from "../../tree";
import { isOpenCall } from "../../words";
import { restoreOrder } from "./argument-order";
import { Misfit, read } from "./reader";

/** What a notebook holds of a run; written by `nbagents/notebook/saved/bundle.py`. */
type SavedRun = Bundle & { open: Opening };

/**
 * The run in a notebook's JSON.
 *
 * @throws Misfit: it is none, or one of a version that is not known here.
 */
export function readRun(value: JsonValue | undefined): SavedRun {
  const saved = read("#SavedRun", value) as unknown as Bundle;
  const { tree } = saved;
  if (!tree.root_ids.length) throw new Misfit("A notebook's run without a run");
  for (const root of tree.root_ids) {
    if (!entry(tree.runs, root)) throw new Misfit("A run that is not there");
    refuseCircles(tree, root, new Set(), new Set());
  }
  settle(tree);
  restoreOrder(tree);
  return { ...saved, open: openingOf(saved.open) };
}

/** What was going on when the notebook was saved has an outcome that the notebook does not know. */
function settle(tree: Tree): void {
  for (const run of Object.values(tree.runs)) {
    if (run.status !== "running") continue;
    run.status = "unknown";
    for (const call of Object.values(run.calls)) {
      if (isOpenCall(call)) call.status = "unknown";
    }
  }
}

/** A run inside itself would be drawn without end. */
function refuseCircles(tree: Tree, id: string, above: Set<string>, seen: Set<string>): void {
  if (above.has(id)) throw new Misfit("A run inside itself");
  if (seen.has(id)) return;
  seen.add(id);
  above.add(id);
  for (const { child_run_ids } of Object.values(entry(tree.runs, id)?.calls ?? {})) {
    for (const child of child_run_ids) refuseCircles(tree, child, above, seen);
  }
  above.delete(id);
}
