/**
 * A picture, or what a file holds, that a saved run has left out: the kernel has it as long as it lives.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { isRecord } from "../../bridge";
import type { CallNode, JsonValue, PayloadNode } from "../../tree";
import type { RunState } from "../state";

interface Props {
  state: RunState;
  call: CallNode;
  node: PayloadNode;
  draw: (node: PayloadNode) => JSX.Element | null;
  /** What stands there until then. */
  children: ComponentChildren;
}

/** Whether a saved run left it out. What was too large for a run at all, no kernel has. */
export function isLeftOut({ payload: { kind, value } }: PayloadNode): boolean {
  if (!isRecord(value)) return false;
  if (kind === "file") return value.data === null;
  return kind === "cut" && value.of === "image" && value.head === "";
}

export function Fetched({ state, call, node, draw, children }: Props): JSX.Element {
  const whole = useSignal<PayloadNode | null>(null);
  const said = useSignal("");
  const view = whole.value && draw(whole.value);
  if (view) return view;
  const { door } = state;
  const fetch = async () => {
    said.value = "Asking the kernel…";
    try {
      const question = { run_id: runOf(state, call), call_id: call.id };
      whole.value = payloadIn(await door.ask("run:call", question), node.id);
      said.value = whole.value ? "" : "The kernel does not have it any more.";
    } catch (reason) {
      said.value = reason instanceof Error ? reason.message : String(reason);
    }
  };
  return (
    <div class="nba-fetched">
      {children}
      {door.canAsk?.() && (
        <button type="button" class="nba-link" onClick={fetch}>
          {node.payload.kind === "file" ? "Get it from the kernel" : "Show it"}
        </button>
      )}
      <span class="nba-small" role="status">
        {said.value}
      </span>
    </div>
  );
}

function runOf({ tree }: RunState, call: CallNode): string | null {
  const runs = Object.values(tree.value.runs);
  return runs.find(({ calls }) => Object.values(calls).includes(call))?.id ?? null;
}

/** A payload of a whole call, as the kernel sent it. */
function payloadIn(call: JsonValue, id: string): PayloadNode | null {
  const all = isRecord(call) && Array.isArray(call.payloads) ? call.payloads : [];
  const found = all.find((one) => isRecord(one) && one.id === id);
  return isRecord(found) && isRecord(found.payload) ? (found as unknown as PayloadNode) : null;
}
