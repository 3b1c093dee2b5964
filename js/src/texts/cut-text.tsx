/**
 * Very long arguments, of which a page has only the beginning: how much it lacks, and who has all.
 */
import type { JSX } from "preact";
import { type CallNode, callsOf, type Tree } from "../tree";
import { callInPython, size } from "../words";

/** How much of the arguments beside it was left out, as the kernel says it. */
export function leftOut(of: object): number | undefined {
  const bytes = "left_out_bytes" in of ? of.left_out_bytes : undefined;
  return typeof bytes === "number" && bytes > 0 ? bytes : undefined;
}

interface Props {
  tree: Tree;
  call: Pick<CallNode, "id">;
  /** How much is missing; nothing is said where it is nothing. */
  bytes: number | undefined;
}

export function Lacking({ tree, call, bytes }: Props): JSX.Element | null {
  if (!bytes) return null;
  const all = inPython(tree, call);
  return (
    <p class="nba-small">
      … {size(bytes)} more; {all ? <code>{all}</code> : "the log"} has all
    </p>
  );
}

/** A call in Python, from the arguments as they were where the page has only their beginning. */
export function wholeCallInPython(tree: Tree, call: CallNode): string {
  if (!call.left_out_bytes) return callInPython(call);
  const all = inPython(tree, call) ?? "arguments";
  if (call.taken) return `# The page has not all of its arguments: ${all} has.`;
  return callInPython(call, `**${all}`);
}

/** Where Python has the arguments of a call; of a run inside another one it takes the log. */
function inPython({ root_ids, runs }: Tree, { id }: Pick<CallNode, "id">): string | null {
  for (const [run_id, run] of Object.entries(runs)) {
    const at = root_ids.includes(run_id) ? callsOf(run).findIndex((one) => one.id === id) : -1;
    if (at >= 0) return `run.calls[${at}].arguments`;
  }
  return null;
}
