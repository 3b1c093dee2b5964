/** How long rows took, and how much of it people were waited for; and time that goes on. */
import type { JSX } from "preact";
import type { CallNode } from "../../tree";
import { runsIn, ticking, took, type Used, waited, waitsOf } from "../../words";
import { callKey, type RunState } from "../state";

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

interface TickingProps {
  state: RunState;
  from_s: number | null;
}

/** It is no text: a name that changes all the time is of no use to who listens. */
export function Ticking({ state, from_s }: TickingProps): JSX.Element {
  const text = from_s === null ? "" : ticking(state.clock.now_s.value - from_s);
  return <span class="nba-time" data-ticking={text} />;
}
