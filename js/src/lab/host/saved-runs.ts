/** The runs that notebooks keep. */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import type { Bundle } from "./jupyter";

/** Under which type a notebook keeps a run; `nbagents/notebook/saved/bundle.py` writes it. */
export const RUN_MIME = "application/vnd.nbagents.run.v1+json";

/** The runs in an output, by their ids: that which it shows, and those inside. */
export function runsIn(data: Bundle = {}): { [id: string]: JsonValue } {
  const run = data[RUN_MIME];
  return isRecord(run) && isRecord(run.tree) && isRecord(run.tree.runs) ? run.tree.runs : {};
}
