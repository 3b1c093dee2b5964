/**
 * What a call showed and a saved run has left out or cut: the kernel has it as long as it lives.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { isRecord, reasonOf } from "../../bridge";
import { LinkButton } from "../../page";
import type { CallNode, JsonValue, PayloadNode } from "../../tree";
import type { RunState } from "../state";
import { askWhole } from "../whole";
import { isLeftOut } from "./left-out";

interface Props {
  state: RunState;
  call: CallNode;
  node: PayloadNode;
  draw: (node: PayloadNode) => JSX.Element | null;
  /** What stands there until then. */
  children: ComponentChildren;
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
      const found = payloadIn(await askWhole(door, state.tree.peek(), call), node.id);
      if (found && !isLeftOut(found)) whole.value = found;
      else said.value = `The kernel has ${found ? "no more of it" : "it no more"}.`;
    } catch (reason) {
      said.value = reasonOf(reason);
    }
  };
  return (
    <div class="nba-fetched">
      {children}
      {!door.isLive && door.canAsk?.() && (
        <LinkButton onClick={fetch}>
          {node.payload.kind === "file" ? "Get it from the kernel" : "Show all of it"}
        </LinkButton>
      )}
      <span class="nba-small" role="status">
        {said.value}
      </span>
    </div>
  );
}

/** A payload of a whole call, as the kernel sent it. */
function payloadIn(call: JsonValue, id: string): PayloadNode | null {
  const all: unknown[] = isRecord(call) && Array.isArray(call.payloads) ? call.payloads : [];
  return all.filter(isNode).find((one) => one.id === id) ?? null;
}

function isNode(value: unknown): value is PayloadNode {
  return isRecord(value) && isRecord(value.payload);
}
