/**
 * Which payloads are of a kind that somebody's own renderer draws, and the static form that it left.
 */
import { isRecord } from "../../bridge";
import type { JsonValue, Payload, PayloadNode } from "../../tree";
import { kindsOf, type RunState } from "../state";
import { isBuiltIn } from "./payload";

/** In a static form: a payload of a kind that nbagents draws itself. */
export const PAYLOAD_MIME = "application/vnd.nbagents.payload.v1+json";

/** Whether a payload of this kind is drawn here. */
export function isCustom(state: RunState, node: PayloadNode): boolean {
  if (staticPayload(node.static)) return true;
  if (isBuiltIn(node.payload.kind)) return false; // and the kernel need not be asked
  const known = kindsOf(state).value.get(node.payload.kind);
  return known !== undefined && !known.stateful;
}

/** The payload of a static form; `null`: it holds none that is drawn here. */
export function staticPayload(form: unknown): Payload | null {
  const own = isForm(form) ? form[PAYLOAD_MIME] : null;
  if (!isForm(own) || typeof own.kind !== "string") return null;
  return { kind: own.kind, version: 1, audience: "timeline", value: own.value ?? null };
}

/** JSON of our kernel's, or of a saved run's. */
function isForm(value: unknown): value is { [key: string]: JsonValue } {
  return isRecord(value);
}
