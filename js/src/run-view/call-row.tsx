/**
 * One call: a line that says what, how it went and how long it took, and opens.
 *
 * @module
 */
import type { JSX } from "preact";
import { type CallNode, callsOf, entry } from "../tree";
import { shownStatus } from "./asked";
import { AwaitBox } from "./await-box";
import { Decisions } from "./await-said";
import { ChildRun } from "./child-run";
import { CallDetails } from "./details";
import { childrenOf, childrenWords } from "./family";
import { Chevron, StatusIcon } from "./icons";
import { callKey } from "./opened";
import { useOwnId } from "./own-id";
import { Views } from "./payload-view";
import type { RunState } from "./state";
import { StopPart } from "./stop-part";
import { rowTime } from "./took";
import { troublesInside } from "./troubles";
import { Later } from "./turns";
import { useView } from "./view-state";
import {
  argumentsLine,
  CALL_WORDS,
  callSentence,
  isError,
  isOpenCall,
  NOT_ASKED,
  namedOnce,
  plural,
  preview,
  ticking,
} from "./words";

interface Props {
  state: RunState;
  /** Not the run itself: what is drawn of a call changes only with the call. */
  run_id: string;
  run_from_s: number;
  call: CallNode;
}

export function CallLine({ state, run_id, run_from_s, call }: Props): JSX.Element {
  const id = useOwnId();
  const view = useView();
  const key = callKey(run_id, call.id);
  const holdsMatch = view.found.value?.above.has(key) ?? false;
  const isAbove = state.asked.value.above.has(key);
  const isOpen = state.opened.is(
    key,
    opensByItself(state, run_id, call) ||
      holdsMatch ||
      isAbove ||
      hasFailedChild(state, call) ||
      state.opensFor(call),
  );
  const status = shownStatus(state.asked.value, run_id, call);
  const gave = rowPreview(state, call, isOpen);
  const inside = call.child_run_ids.length ? troublesInside(state.tree.value, [call]) : "";
  const sign = inside && status === "done" ? "partly" : status;
  const took_s = call.duration_ms === null ? null : call.duration_ms / 1000;
  const time = rowTime(state, run_id, [call], call.started_at, took_s);
  const questions = (state.asked.value.byCall.get(key) ?? []).filter(({ isOpen }) => isOpen);
  return (
    <li class="nba-call" data-status={status}>
      <div class="nba-row-line">
        <button
          type="button"
          class="nba-row nba-line"
          data-status={sign}
          data-call={key}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={callSentence(call, { gave, inside, status, time })}
          onClick={() => state.opened.set(key, !isOpen)}
        >
          <Chevron />
          <StatusIcon status={sign} />
          <Title call={call} /> <span class="nba-preview">{gave}</span>{" "}
          {inside && <span class="nba-inside">{inside}</span>}{" "}
          {call.handle && <Handle name={call.handle} />}{" "}
          {call.authorization?.under_grant && (
            <span class="nba-chip" title={NOT_ASKED}>
              not asked
            </span>
          )}{" "}
          <span class="nba-word">{CALL_WORDS[status]}</span>{" "}
          <CallTime state={state} call={call} time={time} />
        </button>
        <ShowStep state={state} of={key} />
        {isUnderWay(call) && (
          <StopPart state={state} name={call.name} run_id={run_id} call_id={call.id} />
        )}
      </div>
      <Decisions state={state} of={key} call={call} />
      {isOpenCall(call) && <Activity state={state} call={call} />}
      <Bar
        run_from_s={run_from_s}
        from_s={call.started_at}
        length_s={took_s}
        isOver={!isOpenCall(call)}
      />
      {questions.map((question) => (
        <AwaitBox key={question.node.id} state={state} question={question} />
      ))}
      <div id={id} class="nba-details" hidden={!isOpen}>
        {isOpen && (
          <Later now={!state.opened.isAll || state.opened.isByHand(key)}>
            {() => (
              <CallDetails state={state} call={call}>
                {call.child_run_ids.map((child) => (
                  <ChildRun key={child} state={state} run_id={child} told={call.content} />
                ))}
              </CallDetails>
            )}
          </Later>
        )}
      </div>
      <Views call={call} state={state} />
    </li>
  );
}

function Title({ call }: { call: CallNode }): JSX.Element {
  return (
    <span class="nba-title">
      {call.hint ? (
        <span class="nba-hint">{call.hint}</span>
      ) : (
        <code class="nba-name">{call.name}</code>
      )}{" "}
      <span class="nba-about">{call.hint ? <code>{call.name}</code> : argumentsLine(call)}</span>
    </span>
  );
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
    <button
      type="button"
      class="nba-action nba-step"
      aria-pressed={isShown}
      title={`Show the ${stage.name} as this call left it`}
      onClick={() => stage.pin(isShown ? null : of)}
    >
      Show this step
    </button>
  );
}

/** What a call gave, on one line; opened, a failure stands below and is not said twice. */
function rowPreview(state: RunState, call: CallNode, isOpen: boolean): string {
  if (isOpenCall(call) || !call.child_run_ids.length || call.preview) {
    return isOpen && isError(call) ? "" : preview(call);
  }
  const children = call.child_run_ids.map((id) => entry(state.tree.value.runs, id));
  const calls = children.reduce((all, child) => all + (child ? callsOf(child).length : 0), 0);
  return calls ? plural(calls, "call") : preview(call);
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

interface TickingProps {
  state: RunState;
  from_s: number | null;
}

/** Time that goes on. It is no text: a name that changes all the time is of no use to who listens. */
export function Ticking({ state, from_s }: TickingProps): JSX.Element {
  const text = from_s === null ? "" : ticking(state.clock.now_s.value - from_s);
  return <span class="nba-time" data-ticking={text} />;
}

interface BarProps {
  run_from_s: number;
  from_s: number | null;
  length_s: number | null;
  /** Whether it will get no longer. */
  isOver: boolean;
}

/** When something ran, against its run: seconds as custom properties, scaled by the stylesheet. */
export function Bar({ run_from_s, from_s, length_s, isOver }: BarProps): JSX.Element {
  const start = from_s === null ? 0 : from_s - run_from_s;
  const length = length_s === null ? "" : `;--nba-length:${length_s}`;
  const isEmpty = from_s === null || (length_s === null && isOver);
  return (
    <div class="nba-bar" aria-hidden="true" style={`--nba-start:${start}${length}`}>
      {!isEmpty && <i data-running={length_s === null} />}
    </div>
  );
}

/** Whether there is something to stop. */
function isUnderWay(call: CallNode): boolean {
  return isOpenCall(call) && call.started_at !== null;
}

/** What an open call is doing: its own words, or its agent's current calls; how many runs have ended. */
function Activity({ state, call }: { state: RunState; call: CallNode }): JSX.Element | null {
  const { progress } = call;
  const doing = progress?.message || childActivity(state, call);
  const said = [childProgress(state, call), doing].filter(Boolean).join(" · ");
  if (!said && progress?.fraction == null) return null;
  return (
    <div class="nba-activity">
      {progress?.fraction != null && (
        <progress value={progress.fraction} max={1} aria-label={progress.message || "Progress"} />
      )}
      <span>{said}</span>
    </div>
  );
}

/** A failure is opened, unless so many are that nobody would see over them. */
function opensByItself(state: RunState, run_id: string, call: CallNode): boolean {
  return isError(call) && !state.crowded.value.split(" ").includes(run_id);
}

function hasFailedChild(state: RunState, call: CallNode): boolean {
  return call.child_run_ids.some((id) => entry(state.tree.value.runs, id)?.status === "failed");
}

/** `3 of 5 children`; nothing of a call that starts no more than one run. */
function childProgress(state: RunState, call: CallNode): string {
  const isAlone = call.child_run_ids.length < 2 && call.expected_children === null;
  return isAlone ? "" : childrenWords(childrenOf(state.tree.value, [call]));
}

function childActivity(state: RunState, call: CallNode): string {
  const doing: string[] = [];
  for (const id of call.child_run_ids) {
    const child = entry(state.tree.value.runs, id);
    for (const one of child ? callsOf(child) : []) {
      if (one.status === "running") doing.push(one.hint ?? one.name);
    }
  }
  return namedOnce(doing);
}
