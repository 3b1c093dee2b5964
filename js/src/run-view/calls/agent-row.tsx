/**
 * An agent in the list: what it was asked and what else is known of its run, and what came of it.
 */
import type { ComponentChildren, JSX } from "preact";
import { ActionButton, Chevron, FoldBox, StatusIcon, useOwnId } from "../../page";
import { FailureBox, Sources } from "../../texts";
import type { CallNode, RunNode } from "../../tree";
import { visibleName } from "../../visible-text";
import { clipped, isByHand } from "../../words";
import { Guardrails } from "../awaits";
import { Chips, Facts, Prompt, Shared } from "../header";
import { late } from "../late";
import { answerOf, type Phase, type Scale } from "../rows";
import { cameOf, type RunState } from "../state";
import { AnswerText } from "./answer";
import { CallDetails } from "./details";
import { rowTime, Ticking } from "./duration";
import { type At, placed } from "./item";
import { StopPart } from "./stop-part";
import { Fall } from "./waterfall";

const SeenSteps = late(({ SeenSteps }) => SeenSteps);
/** So much of an answer stands on its row. */
const ANSWER_CHARACTERS = 160;

/** The answer of a run, on one line. */
export function answerLine(run: RunNode): string {
  return clipped(answerOf(run)?.text ?? "", ANSWER_CHARACTERS);
}

interface RunLineProps extends At {
  phases: Phase[];
  scale: Scale;
  child: RunNode;
  isOpen: boolean;
}

/** One of several runs that a call has started. */
export function RunLine({ phases, scale, child, isOpen, ...at }: RunLineProps): JSX.Element {
  const { state } = at;
  const region = useOwnId();
  const isAbout = state.opened.is(aboutKey(child));
  const { sign, words } = cameOf({ state, run: child });
  const gave = isOpen ? "" : answerLine(child);
  const about = clipped(child.prompt, 80);
  const length_s = child.ended_at === null ? null : child.ended_at - child.started_at;
  const time = rowTime(state, child.id, Object.values(child.calls), child.started_at, length_s);
  const isRunning = child.status === "running";
  const name = visibleName(child.agent_name);
  return (
    <li class="nba-call nba-agent-item" data-status={child.status} {...placed(at)}>
      <div class="nba-row-line">
        <button
          type="button"
          class="nba-row nba-line"
          data-status={sign}
          data-call={child.id}
          aria-expanded={isOpen}
          aria-label={[name, about, gave, words.toLowerCase(), time].filter(Boolean).join(", ")}
          onClick={() => state.opened.set(child.id, !isOpen)}
        >
          <Chevron />
          <StatusIcon status={sign} />
          <span class="nba-title">
            <strong class="nba-agent-name">{name}</strong> <span class="nba-about">{about}</span>
          </span>{" "}
          <span class="nba-preview">{gave}</span> <span class="nba-word">{words}</span>{" "}
          {time ? (
            <span class="nba-time">{time}</span>
          ) : (
            <Ticking state={state} from_s={isRunning ? child.started_at : null} />
          )}
        </button>
        <AboutButton state={state} child={child} region={region} />
        <StopPart state={state} name={child.agent_name} run_id={child.id} />
        <Fall phases={phases} scale={scale} />
      </div>
      <div id={region} class="nba-details" hidden={!isAbout}>
        {isAbout && <About state={state} child={child} call={null} />}
      </div>
    </li>
  );
}

/** The key of what is known of an agent's run beside its rows. */
export function aboutKey(child: RunNode): string {
  return `${child.id}/about`;
}

interface AboutButtonProps {
  state: RunState;
  child: RunNode;
  region: string;
}

/** Opens what is known of an agent's run beside its rows. */
export function AboutButton({ state, child, region }: AboutButtonProps): JSX.Element {
  const key = aboutKey(child);
  const isOpen = state.opened.is(key);
  const title = `About this run of ${visibleName(child.agent_name)}: what it was asked, its model, what it saw`;
  return (
    <ActionButton
      class="nba-about-run"
      aria-expanded={isOpen}
      aria-controls={region}
      aria-label={title}
      title={title}
      onClick={() => state.opened.set(key, !isOpen)}
    >
      About
    </ActionButton>
  );
}

interface AboutProps {
  state: RunState;
  child: RunNode;
  call: CallNode | null;
}

export function About({ state, child, call }: AboutProps): JSX.Element {
  return (
    <>
      <Prompt run={child} />
      <Shared run={child} />
      <div class="nba-who">
        <strong>{visibleName(child.agent_name)}</strong>
        <span class="nba-model">{child.model}</span>
        <Chips state={state} run={child} />
        <Facts state={state} run={child} />
        {call && <StopPart state={state} name={child.agent_name} run_id={child.id} />}
      </div>
      {child.requests.length > 0 && (
        <FoldBox label="What the model saw" class="nba-child-seen">
          {() => <SeenSteps run={child} />}
        </FoldBox>
      )}
      {call && <CallDetails state={state} call={call} />}
    </>
  );
}

/** What a run inside came to. */
export function Ending({ run, ...at }: At & { run: RunNode }): JSX.Element | null {
  if (!answerOf(run) && !run.refused && !run.failure && !run.guardrails.length) return null;
  return (
    <li class="nba-ending" {...placed(at)}>
      <Came run={run} class="nba-aside" />
    </li>
  );
}

interface CameProps {
  run: RunNode;
  /** Of its answer. */
  class: string;
  /** What stands in place of an answer that has not begun. */
  children?: ComponentChildren;
}

/** What came of a run: its answer, what was said beside it, and why it failed if it did. */
export function Came({ run, class: name, children }: CameProps): JSX.Element {
  const answer = isByHand(run) ? null : answerOf(run);
  return (
    <>
      {answer && (
        <AnswerText text={answer.text} class={name} isGrowing={run.status === "running"} />
      )}
      {!answer && children}
      {run.refused && <p class="nba-refused nba-small">The model refused.</p>}
      {answer && <Sources citations={run.citations} />}
      <Guardrails of={run} />
      {run.failure && <FailureBox failure={run.failure} explanation={run.explanation} />}
    </>
  );
}
