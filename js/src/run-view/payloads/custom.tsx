/**
 * A payload of a kind that somebody's own renderer draws: by its module, else by its static form,
 * and with what went wrong in words.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import type { JsonValue, Payload, PayloadNode } from "../../tree";
import { askStatic, kindsOf, moduleOf, type RunState } from "../state";
import { ByModule } from "./by-module";
import { staticPayload } from "./own-kind";

/** Draws a payload of a kind that nbagents draws itself. */
type Draw = (payload: Payload) => JSX.Element | null;

interface Props {
  state: RunState;
  node: PayloadNode;
  draw: Draw;
}

export function Custom({ state, node, draw }: Props): JSX.Element {
  const known = kindsOf(state).value.get(node.payload.kind);
  if (!known || node.static) return <Still form={node.static} draw={draw} />;
  if (known.hash === null) return <AskedStill state={state} node={node} draw={draw} />;
  const { door } = state;
  const { kind, value } = node.payload;
  return (
    <ByModule
      key={kind}
      class="nba-custom"
      value={value}
      load={() => moduleOf(state, kind)}
      options={() => ({
        emit: (said) => door.emit(kind, said),
        ask: (question) => door.ask(kind, question),
      })}
      failed={(reason) => (
        <>
          <p class="nba-problem">{`The renderer of ${kind} failed: ${String(reason)}`}</p>
          <AskedStill state={state} node={node} draw={draw} />
        </>
      )}
    />
  );
}

/** The static form, which the kernel makes; until it has come, and where none comes, JSON. */
function AskedStill({ state, node, draw }: Props): JSX.Element | null {
  const { kind, value } = node.payload;
  const form = useSignal<unknown>(null);
  useEffect(() => {
    let isWanted = true;
    askStatic(state, kind, value)
      .then((answer) => {
        if (isWanted) form.value = answer;
      })
      .catch(() => {}); // the JSON stays
    return () => {
      isWanted = false;
    };
  }, [state, kind, value, form]);
  if (form.value === null) return draw(asJson(value));
  return <Still form={form.value} draw={draw} />;
}

function Still({ form, draw }: { form: unknown; draw: Draw }): JSX.Element | null {
  const payload = useMemo(() => staticPayload(form), [form]);
  return payload && draw(payload);
}

function asJson(value: JsonValue): Payload {
  return { kind: "json", version: 1, audience: "timeline", value: { value } };
}
