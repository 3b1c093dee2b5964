/** One call: a line that says what, how it went and how long it took, and opens. */
import type { JSX } from "preact";
import { ActionButton, Chevron, Later, StatusIcon, useOwnId } from "../../page";
import { shown } from "../../terminal";
import { FailureBox, plainText } from "../../texts";
import { type CallNode, callsOf, type RunNode, runsOf } from "../../tree";
import { visibleName } from "../../visible-text";
import {
  argumentsLine,
  CALL_WORDS,
  callSentence,
  callSign,
  childrenOf,
  childrenWords,
  clipped,
  isError,
  isOpenCall,
  NOT_ASKED,
  namedOnce,
  preview,
  troublesInside,
} from "../../words";
import { AwaitBox, Decisions } from "../awaits";
import { answerOf, type Phase, type Scale } from "../rows";
import { type RunState, shownStatus } from "../state";
import { About, AboutButton, aboutKey, answerLine } from "./agent-row";
import { CallDetails } from "./details";
import { rowTime, Ticking } from "./duration";
import { type At, placed } from "./item";
import { Views } from "./payload-view";
import { StopPart } from "./stop-part";
import { Fall } from "./waterfall";

interface Props extends At {
  /** Not the run itself: what is drawn of a call changes only with the call. */
  run_id: string;
  phases: Phase[];
  scale: Scale;
  call: CallNode;
  /** The run that it started, if that is but one: its row is that of an agent. */
  child: RunNode | null;
  /** Whether rows under it are in sight. */
  holds: boolean;
  /** Of its arguments those that tell it from its siblings, as JSON: a text is the same for as long as it says the same. */
  names: string;
}

export function CallLine({
  run_id,
  phases,
  scale,
  call,
  child,
  holds,
  names,
  ...at
}: Props): JSX.Element {
  const region = useOwnId();
  const { state, id: key } = at;
  const isOpen = call.child_run_ids.length ? holds : isPlainOpen(state, run_id, call, key);
  const isAbout = child !== null && state.opened.is(aboutKey(child));
  const isDetailed = child ? isAbout || (isOpen && call.failure !== null) : isOpen;
  const status = shownStatus(state.asked.value, run_id, call);
  const about = clipped(child?.prompt ?? "", 160) || argumentsLine(call, JSON.parse(names));
  const gave = rowPreview(call, child, isOpen);
  const inside = call.child_run_ids.length ? troublesInside(state.tree.value, [call]) : "";
  const sign = callSign(call, status, inside);
  const took_s = call.duration_ms === null ? null : call.duration_ms / 1000;
  const time = rowTime(state, run_id, [call], call.started_at, took_s);
  const questions = (state.asked.value.byCall.get(key) ?? []).filter(({ isOpen }) => isOpen);
  return (
    <li
      class="nba-call"
      data-status={status}
      data-leave={call.authorization?.under_grant}
      {...placed(at)}
    >
      <div class="nba-row-line">
        <button
          type="button"
          class="nba-row nba-line"
          data-status={sign}
          data-call={key}
          aria-expanded={isOpen}
          aria-controls={region}
          aria-label={callSentence(call, { about, gave, inside, status, time })}
          onClick={() => state.opened.set(key, !isOpen)}
        >
          <Chevron />
          <StatusIcon status={sign} />
          <Title call={call} child={child} about={about} /> <span class="nba-preview">{gave}</span>{" "}
          {inside && <span class="nba-inside">{inside}</span>}{" "}
          {call.handle && <Handle name={call.handle} />}{" "}
          {call.authorization?.under_grant && (
            <span class="nba-chip nba-not-asked" title={NOT_ASKED}>
              not asked
            </span>
          )}{" "}
          {call.kept && <span class="nba-chip nba-kept">kept</span>}{" "}
          <span class="nba-word">{CALL_WORDS[status]}</span>{" "}
          <CallTime state={state} call={call} time={time} />
        </button>
        <ShowStep state={state} of={key} />
        {child && <AboutButton state={state} child={child} region={region} />}
        {isUnderWay(call) && (
          <StopPart state={state} name={call.name} run_id={run_id} call_id={call.id} />
        )}
        <Fall phases={phases} scale={scale} />
      </div>
      <Decisions state={state} of={key} call={call} />
      {isOpenCall(call) && <Activity state={state} call={call} isSeen={holds} />}
      {questions.map((question) => (
        <AwaitBox key={question.node.id} state={state} question={question} />
      ))}
      <div id={region} class="nba-details" hidden={!isDetailed}>
        {child && isOpen && call.failure && (
          <FailureBox failure={call.failure} explanation={call.explanation} toldModel />
        )}
        {child && isAbout && <About state={state} child={child} call={call} />}
        {!child && isOpen && (
          <Later now={!state.opened.isAll || state.opened.isByHand(key)}>
            {() => <CallDetails state={state} call={call} />}
          </Later>
        )}
      </div>
      <Views call={call} state={state} />
    </li>
  );
}

function isPlainOpen(state: RunState, run_id: string, call: CallNode, key: string): boolean {
  return state.opened.is(key, opensByItself(state, run_id, call) || state.opensFor(call));
}

function Title({ call, child, about }: Pick<Props, "call" | "child"> & { about: string }) {
  return (
    <span class="nba-title">
      {child && <strong class="nba-agent-name">{visibleName(child.agent_name)}</strong>}{" "}
      {call.hint ? (
        <span class="nba-hint">{call.hint}</span>
      ) : (
        !isNamesake(call, child) && <code class="nba-name">{call.name}</code>
      )}{" "}
      <span class="nba-about">{call.hint ? <code>{call.name}</code> : about}</span>
    </span>
  );
}

/** Whether a tool says no more than the name of its agent. */
function isNamesake({ name }: CallNode, child: RunNode | null): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  return child !== null && plain(name) === plain(child.agent_name);
}

/** Under which name later calls may take what this one returned. */
function Handle({ name }: { name: string }): JSX.Element {
  return (
    <code class="nba-handle" title={`Kept as ${name}: later calls can take it by this name`}>
      {name}
    </code>
  );
}

/** Takes what the call drew on back to how it stood then. */
function ShowStep({ state, of }: { state: RunState; of: string }): JSX.Element | null {
  const [stage] = state.stages.of(of);
  if (!stage) return null;
  const isShown = stage.pinned.value === of;
  return (
    <ActionButton
      class="nba-step"
      aria-pressed={isShown}
      title={`Show the ${stage.name} as this call left it`}
      onClick={() => stage.pin(isShown ? null : of)}
    >
      Show this step
    </ActionButton>
  );
}

/** What a call gave, on one line, an agent its answer; what stands below is not said twice. */
function rowPreview(call: CallNode, child: RunNode | null, isOpen: boolean): string {
  if (child) return isOpen && answerOf(child) ? "" : preview(call) || answerLine(child);
  return isOpen && isError(call) ? "" : preview(call);
}

interface TimeProps {
  state: RunState;
  call: CallNode;
  time: string;
}

function CallTime({ state, call, time }: TimeProps): JSX.Element {
  if (call.duration_ms !== null) return <span class="nba-time">{time}</span>;
  return <Ticking state={state} from_s={isOpenCall(call) ? call.started_at : null} />;
}

/** Whether there is something to stop. */
function isUnderWay(call: CallNode): boolean {
  return isOpenCall(call) && call.started_at !== null;
}

interface ActivityProps {
  state: RunState;
  call: CallNode;
  /** Whether what its agents do stands below. */
  isSeen: boolean;
}

/**
 * What an open call is doing: its own words, its agent's current calls, or the last line that it printed;
 * how many runs have ended.
 */
function Activity({ state, call, isSeen }: ActivityProps): JSX.Element | null {
  const { progress } = call;
  const inside = isSeen ? "" : childActivity(state, call);
  const printed = lastLine(call);
  const doing = progress?.message || inside || printed;
  const said = [childProgress(state, call), doing].filter(Boolean).join(" · ");
  if (!said && progress?.fraction == null) return null;
  return (
    <div class="nba-activity">
      {progress?.fraction != null && (
        <progress value={progress.fraction} max={1} aria-label={progress.message || "Progress"} />
      )}
      <span>{said}</span>
      {printed && doing !== printed && <code class="nba-printed">{printed}</code>}
    </div>
  );
}

/** So much of what was printed is looked at for its last line. */
const LOOKED_AT = 2000;

/** The last line that a call has printed, whatever its stream. */
function lastLine({ output }: CallNode): string {
  const text = shown(output.at(-1)?.text.slice(-LOOKED_AT) ?? "");
  return clipped(plainText(text).trimEnd().split("\n").at(-1) ?? "", 160);
}

/** A failure is opened, unless so many are that nobody would see over them. */
function opensByItself(state: RunState, run_id: string, call: CallNode): boolean {
  if (state.byHand.value.split(" ").includes(run_id)) return !isOpenCall(call);
  return isError(call) && !state.crowded.value.split(" ").includes(run_id);
}

/** `3 of 5 children`; nothing of a call that starts no more than one run. */
function childProgress(state: RunState, call: CallNode): string {
  const isAlone = call.child_run_ids.length < 2 && call.expected_children === null;
  return isAlone ? "" : childrenWords(childrenOf(state.tree.value, [call]));
}

function childActivity(state: RunState, call: CallNode): string {
  const inside = runsOf(state.tree.value, call).flatMap(callsOf);
  const doing = inside.filter(({ status }) => status === "running");
  return namedOnce(doing.map(({ hint, name }) => hint ?? name));
}
