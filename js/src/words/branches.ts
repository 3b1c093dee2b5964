/**
 * Where a branch leaves another run, in words; `nbagents/runs/wording/branches.py` says the same.
 */
import type { ForkedFrom } from "../tree";
import { clipped } from "./words";

const SAID_WIDTH = 60;

/** What is said of a call, or a run inside, that a branch has not made itself. */
const KEPT = "kept";

/** Where it leaves another run, and what is changed: `forked at call 3 (look): other result`. */
export function branchInWords(from: ForkedFrom): string {
  if (from.is_whole) return KEPT;
  const changed = changesInWords(from);
  return `forked ${branchPlace(from)}${changed && `: ${changed}`}`;
}

/** Where a run is left: `at call 3 (look)`, or `at step 2`. */
function branchPlace(from: ForkedFrom): string {
  if (from.call_number === null) return `at step ${from.step}`;
  const inside = from.inside_id ? ", inside of it" : "";
  return `at call ${from.call_number} (${from.tool_name}${inside})`;
}

/** What is changed: `other arguments, other model`; nothing where the model is asked anew. */
function changesInWords({ edited, message }: ForkedFrom): string {
  const names = edited.filter((one) => one !== "message").map((one) => `other ${one}`);
  return [...names, ...(message ? [`“${clipped(message, SAID_WIDTH)}”`] : [])].join(", ");
}
