/**
 * One view of a run: header, calls, the map, and last, at full size, the answer.
 *
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { callsOf, entry, type RunNode } from "../tree";
import { Header, Shared } from "./header";
import { moveFocus } from "./keys";
import { answerOf, Refusal, RunFailure, RunList } from "./run-body";
import { Sources } from "./sources";
import type { RunState } from "./state";
import { Markdown } from "./texts";
import { plural, RUN_WORDS, runSentence } from "./words";

/** How often those who listen are told something, at most. */
const SAY_EVERY_MS = 1000;

export function RunView({ state }: { state: RunState }): JSX.Element {
  const { root_ids, runs } = state.tree.value;
  return (
    <div class="nba-run">
      <Spoken state={state} />
      {root_ids.length === 0 && <Empty state={state} />}
      {root_ids.map((id) => {
        const run = entry(runs, id);
        return run && <RunCard key={id} state={state} run={run} />;
      })}
    </div>
  );
}

function Empty({ state }: { state: RunState }): JSX.Element {
  const late = "Waiting for the kernel. If it has stopped, run the cell again.";
  return <p class="nba-empty">{state.silent.value ? late : "Starting…"}</p>;
}

function RunCard({ state, run }: { state: RunState; run: RunNode }): JSX.Element {
  const answer = answerOf(run);
  const isRunning = run.status === "running";
  const label = `${run.agent_name}, ${RUN_WORDS[run.status].toLowerCase()}, ${plural(callsOf(run).length, "call")}`;
  return (
    <section class="nba-card" data-status={run.status} aria-label={label} onKeyDown={moveFocus}>
      <Header state={state} run={run} />
      <Shared run={run} />
      <RunList state={state} run={run} />
      {state.stage.isSet.value && <Stage state={state} />}
      {answer && (
        <Markdown text={answer.text} class={`nba-answer${isRunning ? " nba-streaming" : ""}`} />
      )}
      <Refusal run={run} />
      {answer && <Sources citations={run.citations} />}
      <RunFailure run={run} />
    </section>
  );
}

/** Where the run's map stands. Its module is fetched when there is something to draw. */
function Stage({ state }: { state: RunState }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const problem = useSignal("");
  useEffect(() => {
    const end = new AbortController();
    if (box.current) {
      state.drawMap(box.current, end.signal).catch((reason: unknown) => {
        problem.value = `The map could not be shown: ${String(reason)}`;
      });
    }
    return () => end.abort();
  }, [state, problem]);
  return (
    <div class="nba-stage">
      <div ref={box} />
      {problem.value && <p class="nba-small">{problem.value}</p>}
    </div>
  );
}

/** Says changes of state, never the words as they stream, to those who listen. */
function Spoken({ state }: { state: RunState }): JSX.Element {
  const said = useSignal("");
  const saidAt = useRef(Number.NEGATIVE_INFINITY);
  useSignalEffect(() => {
    const { root_ids, runs } = state.tree.value;
    const run = entry(runs, root_ids.at(-1) ?? "");
    const sentence = run ? runSentence(run) : "";
    if (sentence === said.peek()) return;
    const say = () => {
      saidAt.current = performance.now();
      said.value = sentence;
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
