/**
 * Says changes of state, and what was done, never the words as they stream, to those who listen.
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { entry, type RunNode } from "../../tree";
import { runSentence, usedBy, waited } from "../../words";
import { cameOf, type RunState, useView } from "../state";

/** How often those who listen are told something, at most. */
const SAY_EVERY_MS = 1000;

export function Spoken({ state }: { state: RunState }): JSX.Element {
  const view = useView();
  const said = useSignal("");
  const told = useRef({ sentence: "", notice: "" });
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useSignalEffect(() => {
    const { root_ids, runs } = state.tree.value;
    const run = entry(runs, root_ids.at(-1) ?? "");
    const now = {
      sentence: run ? sentenceOf(state, run) : "",
      notice: view.notice.value,
    };
    const { sentence, notice } = told.current;
    if (now.sentence === sentence && now.notice === notice) return;
    const text = now.notice === notice ? now.sentence : now.notice;
    const say = () => {
      saidAt.current = performance.now();
      told.current = now;
      said.value = text;
    };
    const wait_ms = saidAt.current + SAY_EVERY_MS - performance.now();
    if (wait_ms <= 0) return say();
    const later = setTimeout(say, wait_ms);
    return () => clearTimeout(later);
  });
  return (
    <div class="nba-spoken" role="status" aria-live="polite">
      {said.value}
    </div>
  );
}

function sentenceOf(state: RunState, run: RunNode): string {
  const asked = state.asked.value.open.map(({ name }) => name);
  const waited_s = waited(usedBy(state.tree.value, run).waits, run.ended_at ?? 0);
  const { words, calls } = cameOf({ state, run });
  return runSentence(run, asked, waited_s, [words, calls].filter(Boolean).join(", "));
}
