/** A run with all runs inside it: what they have used together, and how far they are. */
import { type CallNode, callsOf, entry, type RunNode, type Tree } from "../tree";

/** What a run and all runs inside it have used. */
export interface Used {
  calls: number;
  /** Of the calls those that a limit counts. */
  made: number;
  input: number;
  output: number;
  /** Of the input. */
  cached: number;
  /** Money; `null` where no price is known. */
  cost: number | null;
  /** When something was asked, and until when; `null`: still. Seconds since 1970. */
  waits: [from_s: number, to_s: number | null][];
}

export function usedBy(tree: Tree, run: RunNode): Used {
  const used: Used = { calls: 0, made: 0, input: 0, output: 0, cached: 0, cost: null, waits: [] };
  for (const one of familyOf(tree, run)) {
    used.calls += callsOf(one).length;
    used.made += madeBy(one);
    used.input += one.usage.input_tokens;
    used.output += one.usage.output_tokens;
    used.cached += one.usage.cached_tokens;
    if (one.usage.cost !== null) used.cost = (used.cost ?? 0) + one.usage.cost;
    used.waits.push(...waitsOf(one));
  }
  return used;
}

/** The calls that count: not those that were left out, nor that which no model asked for at a limit. */
function madeBy(run: RunNode): number {
  const asked = new Set(run.requests.map(({ step }) => step));
  const isMade = ({ status, step }: CallNode) =>
    status !== "skipped" && (asked.size === 0 || asked.has(step));
  return callsOf(run).filter(isMade).length;
}

/** When a run asked a person, and until when. */
export function waitsOf({ awaits, ended_at }: RunNode): Used["waits"] {
  return awaits.map(({ asked_at, resolved_at }) => [asked_at, resolved_at ?? ended_at]);
}

/** A run and all runs inside it. */
export function familyOf(tree: Tree, run: RunNode): RunNode[] {
  return runsBelow(tree, [run.id]);
}

/** The runs that calls have started, and all runs inside them. */
export function runsIn(tree: Tree, calls: CallNode[]): RunNode[] {
  return runsBelow(
    tree,
    calls.flatMap(({ child_run_ids }) => child_run_ids),
  );
}

function runsBelow(tree: Tree, from: string[]): RunNode[] {
  const ids = new Set(from);
  const family: RunNode[] = [];
  for (const id of ids) {
    const one = entry(tree.runs, id);
    if (!one) continue;
    family.push(one);
    for (const call of Object.values(one.calls)) {
      for (const child of call.child_run_ids) ids.add(child);
    }
  }
  return family;
}

/** How long people were waited for between then and then, in seconds: at several questions at once, once. */
export function waited(
  waits: Used["waits"],
  until_s: number,
  since_s = Number.NEGATIVE_INFINITY,
): number {
  let total_s = 0;
  let reached_s = since_s;
  for (const [from_s, to_s] of [...waits].sort(([one], [other]) => one - other)) {
    const end_s = Math.min(to_s ?? until_s, until_s);
    total_s += Math.max(0, end_s - Math.max(from_s, reached_s));
    reached_s = Math.max(reached_s, end_s);
  }
  return total_s;
}

/** How long a run has been at work until then, without the time in which it waited for people. */
export function activeTime(run: RunNode, { waits }: Used, now_s: number): number {
  const until_s = run.ended_at ?? now_s;
  return Math.max(0, until_s - run.started_at - waited(waits, until_s));
}

interface Children {
  ended: number;
  all: number;
}

/** How many of the runs that these calls start have ended. */
export function childrenOf(tree: Tree, calls: CallNode[]): Children {
  const children = { ended: 0, all: 0 };
  for (const { child_run_ids, expected_children } of calls) {
    children.all += Math.max(child_run_ids.length, expected_children ?? 0);
    children.ended += child_run_ids.filter((id) => {
      const child = entry(tree.runs, id);
      return child !== undefined && child.status !== "running";
    }).length;
  }
  return children;
}

/** `3 of 5 children`. */
export function childrenWords({ ended, all }: Children): string {
  return all ? `${ended} of ${all} ${all === 1 ? "child" : "children"}` : "";
}
