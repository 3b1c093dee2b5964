/**
 * One view of a run: header, calls, what they drew on, and last, at full size, the answer.
 *
 * @module
 */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { entry, type RunNode } from "../tree";
import { visibleName } from "../visible";
import { Action } from "./actions";
import { resumeLine } from "./asked";
import { Guardrails } from "./await-said";
import { Cuts, cameOf, Header, Prompt, Shared } from "./header";
import { hearKey } from "./keys";
import { late } from "./late";
import { answerOf, Refusal, RunFailure, RunList } from "./run-body";
import { Sources } from "./sources";
import { Spoken } from "./spoken";
import { StageBox } from "./stage-box";
import type { RunState } from "./state";
import { Markdown } from "./texts";
import { Finder, Keys } from "./tools";
import { useView, ViewProvider, ViewState } from "./view-state";

const SeenSteps = late(({ SeenSteps }) => SeenSteps);

export function RunView({ state }: { state: RunState }): JSX.Element {
  const [view] = useState(() => new ViewState(state));
  const { root_ids, runs } = state.tree.value;
  return (
    <ViewProvider value={view}>
      <div
        class="nba-run"
        ref={(root) => {
          view.root = root;
        }}
      >
        <Spoken state={state} />
        {root_ids.length === 0 && <Empty state={state} />}
        {root_ids.map((id) => {
          const run = entry(runs, id);
          return run && <RunCard key={id} state={state} run={run} />;
        })}
      </div>
    </ViewProvider>
  );
}

function Empty({ state }: { state: RunState }): JSX.Element {
  const late = "Waiting for the kernel. If it has stopped, run the cell again.";
  return <p class="nba-empty">{state.silent.value ? late : "Starting…"}</p>;
}

interface Props {
  state: RunState;
  run: RunNode;
}

function RunCard({ state, run }: Props): JSX.Element {
  const view = useView();
  const answer = answerOf(run);
  const isRunning = run.status === "running";
  const { words, calls } = cameOf(state, run);
  const label = [visibleName(run.agent_name), words.toLowerCase(), calls]
    .filter(Boolean)
    .join(", ");
  return (
    <section
      class="nba-card"
      data-status={run.status}
      aria-label={label}
      onKeyDown={(event) => hearKey(event, view)}
    >
      <Header state={state} run={run} />
      <Prompt run={run} />
      <Shared run={run} />
      <Cuts state={state} />
      <Panel run={run} />
      <Finder state={state} />
      <RunList state={state} run={run} />
      {state.stages.all.value.map((stage) => (
        <StageBox key={`${stage.kind} ${stage.name}`} state={state} stage={stage} />
      ))}
      {answer && (
        <Markdown text={answer.text} class={`nba-answer${isRunning ? " nba-streaming" : ""}`} />
      )}
      <Refusal run={run} />
      {answer && <Sources citations={run.citations} />}
      <Guardrails of={run} />
      <RunFailure run={run} />
      <Suspended state={state} run={run} />
    </section>
  );
}

/** A run that waits: how it goes on. */
function Suspended({ state, run }: Props): JSX.Element | null {
  const line = resumeLine(state.asked.value, run);
  if (run.resumed_by !== undefined)
    return (
      <div class="nba-resume" role="status">
        <p class="nba-small">
          It was answered, or gone on with, elsewhere: it went on as <code>{run.resumed_by}</code>
        </p>
      </div>
    );
  if (line === null) return null;
  const { notebook } = state.door;
  return (
    <div class="nba-resume">
      <p class="nba-small">
        This run waits for an answer. It asks again and goes on with <code>{line}</code>
      </p>
      {notebook && (
        <Action
          label="Resume in a new cell"
          title={`Insert a cell below: ${line}`}
          onClick={() => notebook.insertBelow(line)}
        />
      )}
    </div>
  );
}

/** What a button of the header opened. */
function Panel({ run }: { run: RunNode }): JSX.Element | null {
  const { panel } = useView();
  if (panel.value === null) return null;
  return <div class="nba-panel">{panel.value === "keys" ? <Keys /> : <SeenSteps run={run} />}</div>;
}
