/**
 * A payload of kind `chart` in a run: its module comes with the first chart on a page.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isRecord, type Rendering } from "../bridge";
import { plainNumbers } from "../numbers";
import type { PayloadNode } from "../tree";
import type { RunState } from "./state";
import { themeOf } from "./theme";

interface Props {
  state: RunState;
  node: PayloadNode;
}

export function ChartView({ state: { door }, node }: Props): JSX.Element {
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
      const library = await door.load("chart");
      if (end.signal.aborted || !library.render) return;
      const value = newest.current;
      shown.current = await library.render({
        el,
        value: plainNumbers(value),
        theme: themeOf(el),
        // its picture, for the saved notebook
        emit: (said) => {
          if (door.isLive && isRecord(said)) door.emit("chart", { payload_id: node.id, ...said });
        },
        ask: (question) => door.ask("chart", question),
        isUntrusted: door.isUntrusted === true,
        signal: end.signal,
      });
      if (newest.current !== value) shown.current?.update(plainNumbers(newest.current));
    };
    draw().catch((reason) => {
      problem.value = reason instanceof Error ? reason.message : String(reason);
    });
    return () => {
      shown.current = undefined;
      end.abort();
    };
  }, [door, node.id]);
  useEffect(() => shown.current?.update(plainNumbers(node.payload.value)), [node.payload.value]);
  return (
    <div class="nba-chart-place">
      <div ref={box} />
      {problem.value && <p class="nba-small">The chart could not be shown: {problem.value}</p>}
    </div>
  );
}
