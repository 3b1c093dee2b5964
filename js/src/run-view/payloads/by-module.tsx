/** A payload that a module of its own draws, which comes with the first of its kind on a page. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type Door, type Rendering, type RenderOptions, reasonOf } from "../../bridge";
import { themeOf } from "../../page";
import { callsOf, type JsonValue, type PayloadNode, type Tree } from "../../tree";
import type { RunState } from "../state";

export interface Place {
  state: RunState;
  node: PayloadNode;
}

interface Props extends Place {
  kind: "chart" | "table";
  /** The value as the module takes it. */
  read: (value: JsonValue) => JsonValue;
  /** What this kind may do besides. */
  more: (door: Door, node: PayloadNode) => Partial<RenderOptions>;
}

export function ByModule({ state, node, kind, read, more }: Props): JSX.Element {
  const { door } = state;
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef<Rendering | undefined>(undefined);
  const newest = useRef(node.payload.value);
  const problem = useSignal("");
  newest.current = node.payload.value;
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const end = new AbortController();
    const draw = async () => {
      const library = await door.load(kind);
      if (end.signal.aborted || !library.render) return;
      const value = newest.current;
      shown.current = await library.render({
        el,
        value: read(value),
        id: placeOf(state.tree.peek(), node),
        theme: themeOf(el),
        emit: () => {},
        ask: (question) => door.ask(kind, question),
        isUntrusted: door.isUntrusted === true,
        signal: end.signal,
        ...more(door, node),
      });
      if (newest.current !== value) shown.current?.update(read(newest.current));
    };
    draw().catch((reason) => {
      problem.value = reasonOf(reason);
    });
    return () => {
      shown.current = undefined;
      end.abort();
    };
  }, [door, node.id]);
  useEffect(() => shown.current?.update(read(node.payload.value)), [node.payload.value]);
  return (
    <div class={`nba-${kind}-place`}>
      <div ref={box} />
      {problem.value && (
        <p class="nba-small">
          The {kind} could not be shown: {problem.value}
        </p>
      )}
    </div>
  );
}

/** Which payload of which call of which run it is: alone its id is that of others, too. */
function placeOf({ runs }: Tree, node: PayloadNode): string {
  for (const run of Object.values(runs))
    for (const { id, payloads } of callsOf(run))
      if (payloads.includes(node)) return `${run.id}/${id}/${node.id}`;
  return "";
}
