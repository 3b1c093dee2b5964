/**
 * How long rows took, and how much of it people were waited for.
 *
 * @module
 */
import type { CallNode } from "../tree";
import { runsIn, type Used, waited, waitsOf } from "./family";
import { callKey } from "./opened";
import type { RunState } from "./state";
import { took } from "./words";

/** The time of calls of one run that were there from then on for so long; nothing while they go on. */
export function rowTime(
  state: RunState,
  run_id: string,
  calls: CallNode[],
  from_s: number | null,
  length_s: number | null,
): string {
  if (length_s === null) return "";
  const start_s = from_s ?? 0;
  return took(length_s, waited(waitsIn(state, run_id, calls), start_s + length_s, start_s));
}

/** When these calls, and the runs inside them, asked a person. */
function waitsIn(state: RunState, run_id: string, calls: CallNode[]): Used["waits"] {
  const { byCall } = state.asked.value;
  const own = calls.flatMap(({ id }) => byCall.get(callKey(run_id, id)) ?? []);
  const waits = own.map(({ node, run }): Used["waits"][number] => [
    node.asked_at,
    node.resolved_at ?? run.ended_at,
  ]);
  // Most rows have no runs inside: they are not drawn anew with each change of the tree.
  if (!calls.some(({ child_run_ids }) => child_run_ids.length)) return waits;
  return [...waits, ...runsIn(state.tree.value, calls).flatMap(waitsOf)];
}
