/** The cells in which one goes back in a run, or compares two: written here, run by the person. */
import { jsonText } from "../../numbers";
import type { CallNode, RunNode } from "../../tree";

/** What is longer is not written into a line. */
const LONGEST = 400;

/** A cell that forks a run at a call; with its arguments to be changed, where a line takes them. */
export function forkCell({ id, calls, resumed_from }: RunNode, call: CallNode): string {
  // numbers go on from the run that was gone on with, whose calls are not here
  const at = resumed_from === null ? Object.keys(calls).indexOf(call.id) + 1 : call.id;
  const line = `%agent --fork ${id} --at ${at}`;
  const written = call.left_out_bytes ? "" : jsonText(call.arguments);
  const fits = written.startsWith("{") && written.length <= LONGEST && !/['\n]/.test(written);
  return fits ? `${line} --arguments '${written}'` : line;
}

/** A cell that shows what differs between two runs. */
export function compareCell(a: string, b: string): string {
  return `import nbagents\n\nnbagents.compare("${a}", "${b}")`;
}
