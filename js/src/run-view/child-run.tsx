/**
 * A run that a call started, inside that call.
 *
 * @module
 */
import type { JSX } from "preact";
import { entry } from "../tree";
import { Guardrails } from "./await-said";
import { FoldBox } from "./fold-box";
import { Chips, cameOf, Facts, Prompt, Shared } from "./header";
import { StatusIcon } from "./icons";
import { late } from "./late";
import { answerOf, Refusal, RunFailure, RunList } from "./run-body";
import { Sources } from "./sources";
import type { RunState } from "./state";
import { StopPart } from "./stop-part";
import { Markdown } from "./texts";

const SeenSteps = late(({ SeenSteps }) => SeenSteps);

interface Props {
  state: RunState;
  run_id: string;
  /** What its call told the model: an answer that says the same is not shown twice. */
  told: string | null;
}

export function ChildRun({ state, run_id, told }: Props): JSX.Element | null {
  const run = entry(state.tree.value.runs, run_id);
  if (!run) return null;
  const answer = answerOf(run);
  const { sign } = cameOf(state, run);
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fieldset, and an agent may be asked twice
    <div
      class="nba-child"
      role="group"
      data-status={run.status}
      aria-label={`Run of ${run.agent_name}`}
    >
      <div class="nba-child-head nba-line" data-status={sign}>
        <StatusIcon status={sign} />
        <strong>{run.agent_name}</strong>
        <span class="nba-model">{run.model}</span>
        <Chips state={state} run={run} />
        <Facts state={state} run={run} />
        <StopPart state={state} name={run.agent_name} run_id={run.id} />
      </div>
      <Prompt run={run} />
      <Shared run={run} />
      <RunList state={state} run={run} />
      {answer && answer.text !== told && <Markdown text={answer.text} class="nba-aside" />}
      <Refusal run={run} />
      {answer && <Sources citations={run.citations} />}
      <Guardrails of={run} />
      <RunFailure run={run} />
      {run.requests.length > 0 && (
        <FoldBox label="What the model saw" class="nba-child-seen">
          {() => <SeenSteps run={run} />}
        </FoldBox>
      )}
    </div>
  );
}
