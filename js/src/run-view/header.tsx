/**
 * The first line of a run: who, how it goes, how long, how much, and Stop.
 *
 * @module
 */
import type { JSX } from "preact";
import { callsOf, type RunNode } from "../tree";
import { StatusIcon } from "./icons";
import type { RunState } from "./state";
import { clipped, count, duration, plural, RUN_WORDS, ticking, tokensOf } from "./words";

const SHARED_CHARACTERS = 300;

export function Header({ state, run }: { state: RunState; run: RunNode }): JSX.Element {
  const calls = callsOf(run).length;
  return (
    <header class="nba-header nba-line">
      <StatusIcon status={run.status} />
      <strong class="nba-agent">{run.agent_name}</strong>
      <span class="nba-model">{run.model}</span>
      <span class="nba-facts">
        <span class="nba-state">{RUN_WORDS[run.status]}</span>
        <RunTime state={state} run={run} />
        {calls > 0 && <span>{plural(calls, "call")}</span>}
        <Tokens state={state} run={run} />
      </span>
      {run.status === "running" && <Stop state={state} />}
    </header>
  );
}

/** What was handed over with the prompt. */
export function Shared({ run }: { run: RunNode }): JSX.Element | null {
  if (!run.shared.length) return null;
  return (
    <div class="nba-shared">
      <span aria-hidden="true">Shared:</span>
      <ul aria-label="Shared with the model">
        {run.shared.map((one, at) => (
          <li key={at}>{clipped(one, SHARED_CHARACTERS)}</li>
        ))}
      </ul>
    </div>
  );
}

function RunTime({ state, run }: { state: RunState; run: RunNode }): JSX.Element | null {
  const text =
    run.ended_at === null
      ? ticking(state.clock.now_s.value - run.started_at)
      : duration(run.ended_at - run.started_at);
  return text ? <span class="nba-time">{text}</span> : null;
}

function Tokens({ state, run }: { state: RunState; run: RunNode }): JSX.Element | null {
  const { input, output, cached } = tokensOf(state.tree.value, run);
  if (!input && !output) return null;
  const whole = `${input} tokens in, of which ${cached} cached; ${output} tokens out`;
  return <span title={whole}>{count(input + output)} tokens</span>;
}

function Stop({ state }: { state: RunState }): JSX.Element {
  return (
    <button type="button" class="nba-stop" onClick={() => state.stop()}>
      <span class="nba-stop-square" aria-hidden="true" />
      {state.stopping.value ? "Stopping…" : "Stop"}
    </button>
  );
}
