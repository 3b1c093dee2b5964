/**
 * Calls that came to nothing, as what stands above them says it: what happened inside is not hidden
 * behind a row that went well.
 */
import type { CallNode, CallStatus, Tree } from "../tree";
import { callsOf } from "../tree";
import { runsIn } from "./family";
import { CALL_WORDS } from "./words";

const BAD: CallStatus[] = ["failed", "timed_out", "denied"];

/** What calls came to nothing in the runs that these calls have started, however deep: `1 failed, 2 denied`. */
export function troublesInside(tree: Tree, calls: CallNode[]): string {
  return troubles(runsIn(tree, calls).flatMap(callsOf));
}

/** The same of these calls; what a guardrail refused counts where the call itself went well. */
function troubles(calls: CallNode[]): string {
  const counts = BAD.map((bad): [string, number] => [
    CALL_WORDS[bad].toLowerCase(),
    calls.filter(({ status }) => status === bad).length,
  ]);
  const words = [...counts, ["refused", refusedOf(calls)] as const];
  return words.flatMap(([word, many]) => (many ? [`${many} ${word}`] : [])).join(", ");
}

/** The sign of a call: what went well, but for what is inside it or a guardrail, has no tick. */
export function callSign(
  call: CallNode,
  status: CallStatus,
  inside: string,
): CallStatus | "partly" {
  const isMixed = refusedOf([call]) > 0 || inside !== "";
  return status === "done" && isMixed ? "partly" : status;
}

/** How many of the calls went well, but for a guardrail that refused what they gave. */
export function refusedOf(calls: CallNode[]): number {
  const isRefused = ({ status, guardrails }: CallNode) =>
    !BAD.includes(status) && guardrails.some(({ outcome }) => outcome === "refuse");
  return calls.filter(isRefused).length;
}
