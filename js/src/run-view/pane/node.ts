/** What can be selected: a run, a step of one, or a call. */
import { type CallNode, callsOf, entry, type RunNode, runsOf, type Tree } from "../../tree";
import { visibleName } from "../../visible-text";
import { familyOf, isError } from "../../words";
import { callKey } from "../state";

export type PaneNode = RunPlace | StepPlace | CallPlace;

interface RunPlace {
  type: "run";
  key: string;
  run: RunNode;
}

/** One request to the model, and what it answered. */
export interface StepPlace {
  type: "step";
  key: string;
  run: RunNode;
  step: number;
}

export interface CallPlace {
  type: "call";
  key: string;
  run: RunNode;
  call: CallNode;
  /** The run that it started, if that is but one. */
  child: RunNode | null;
}

/** The key of a step; a call's has but one slash at this place. */
function stepKey(run_id: string, step: number): string {
  return `${run_id}//${step}`;
}

export function callPlace(tree: Tree, run: RunNode, call: CallNode): CallPlace {
  const runs = runsOf(tree, call);
  const [child = null] = runs.length === 1 ? runs : [];
  return { type: "call", key: callKey(run.id, call.id), run, call, child };
}

export function stepPlace(run: RunNode, step: number): StepPlace {
  return { type: "step", key: stepKey(run.id, step), run, step };
}

export function runPlace(run: RunNode): RunPlace {
  return { type: "run", key: run.id, run };
}

/** What has this key; `null`: nothing of this tree. */
export function placeAt(tree: Tree, key: string): PaneNode | null {
  const slash = key.indexOf("/");
  const run = entry(tree.runs, slash < 0 ? key : key.slice(0, slash));
  if (!run) return null;
  if (slash < 0) return runPlace(run);
  const rest = key.slice(slash + 1);
  if (rest.startsWith("/")) {
    const step = Number(rest.slice(1));
    return run.requests.some((one) => one.step === step) ? stepPlace(run, step) : null;
  }
  const call = entry(run.calls, rest);
  return call ? callPlace(tree, run, call) : null;
}

/** What stands above a place, from the root down, and the place itself. */
export function pathTo(tree: Tree, place: PaneNode): PaneNode[] {
  const path: PaneNode[] = [place];
  const seen = new Set<string>();
  let run: RunNode | null = place.run;
  while (run && !seen.has(run.id)) {
    seen.add(run.id);
    if (path[0]?.key !== run.id) path.unshift(runPlace(run));
    const call = callAbove(tree, run);
    if (call) path.unshift(call);
    run = call?.run ?? null;
  }
  return path;
}

/** The call that started a run. */
function callAbove(tree: Tree, run: RunNode): CallPlace | null {
  const above = entry(tree.runs, run.parent_run_id ?? "");
  const call = above && entry(above.calls, run.parent_tool_call_id ?? "");
  return above && call ? callPlace(tree, above, call) : null;
}

/** What a place is called, in a word or two. */
export function nameOf(place: PaneNode): string {
  switch (place.type) {
    case "run":
      return visibleName(place.run.agent_name);
    case "step":
      return `Step ${place.step}`;
    case "call":
      return place.call.hint ?? visibleName(place.call.name);
  }
}

/** What is looked at first: what waits for a person or went wrong, where something did; else the run. */
export function firstOf(tree: Tree, run: RunNode): string {
  const all = familyOf(tree, run).flatMap((one) =>
    callsOf(one).map((call) => ({ call, key: callKey(one.id, call.id) })),
  );
  const waiting = all.find(({ call }) => call.status === "waiting");
  return (waiting ?? all.find(({ call }) => isAmiss(call)))?.key ?? run.id;
}

/** Whether a call came to nothing, or nobody knows to what. */
function isAmiss(call: CallNode): boolean {
  return isError(call) || call.status === "denied" || call.status === "unknown";
}
