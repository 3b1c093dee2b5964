/** Whether a payload is not what the call gave, but a name or a beginning of it. */
import { isRecord } from "../../bridge";
import type { PayloadNode } from "../../tree";

/** Whether a saved run has not all of it. What was too large for a run at all, no kernel has. */
export function isLeftOut({ payload: { kind, value } }: PayloadNode): boolean {
  if (!isRecord(value)) return false;
  return kind === "file" ? value.data === null : kind === "cut";
}
