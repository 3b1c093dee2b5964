/**
 * What of a run a recording gave, in words; `nbagents/runs/wording/replays.py` says the same, and both
 * pass `tests/fixtures/replayed.json`.
 */
import type { RunNode, Tree } from "../tree";
import { familyOf } from "./family";

/** What its card says of it; nothing, where models were asked. */
export function replayedInWords(tree: Tree, run: RunNode): string {
  const runs = familyOf(tree, run);
  const said = runs.flatMap(({ replayed }) => replayed ?? []);
  if (!said.length) return "";
  const answers = said.reduce((sum, one) => sum + one.answers, 0);
  const all = runs.reduce((sum, { usage }) => sum + usage.requests, 0);
  const what = answers === all ? "replayed" : `${answers} of ${all} answers replayed`;
  const days = said.flatMap(({ since, until }) => [since, until]).sort();
  const [since = "", until = ""] = [days[0], days.at(-1)];
  return `${what}, recorded ${since === until ? "" : `${since} to `}${until}`;
}
