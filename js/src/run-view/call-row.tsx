/**
 * One call: a line that says what, how it went and how long it took, and opens.
 *
 * @module
 */
import type { JSX } from "preact";
import { type CallNode, callsOf, entry, type RunNode } from "../tree";
import { CallDetails } from "./details";
import { Chevron, StatusIcon } from "./icons";
import { useOwnId } from "./own-id";
import { Views } from "./payload-view";
import { ChildRun } from "./run-body";
import type { RunState } from "./state";
import {
  argumentsLine,
  CALL_WORDS,
  callSentence,
  duration,
  isError,
  isOpenCall,
  plural,
  preview,
  ticking,
} from "./words";

interface Props {
  state: RunState;
  run: RunNode;
  call: CallNode;
}

export function CallRow({ state, run, call }: Props): JSX.Element {
  const id = useOwnId();
  const key = `${run.id}/${call.id}`;
  const isOpen = state.opened.value.get(key) ?? isError(call);
  return (
    <li class="nba-call" data-status={call.status}>
      <button
        type="button"
        class="nba-row nba-line"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={callSentence(call)}
        onClick={() => state.toggle(key, !isOpen)}
      >
        <Chevron />
        <StatusIcon status={call.status} />
        <Title call={call} />
        <span class="nba-preview">{rowPreview(state, call, isOpen)}</span>
        {call.handle && <Handle name={call.handle} />}
        <span class="nba-word">{CALL_WORDS[call.status]}</span>
        <CallTime state={state} call={call} />
      </button>
      {isOpenCall(call) && <Activity state={state} call={call} />}
      <Bar run={run} call={call} />
      <div id={id} class="nba-details" hidden={!isOpen}>
        {isOpen && (
          <CallDetails call={call}>
            {call.child_run_ids.map((child) => (
              <ChildRun key={child} state={state} run_id={child} told={call.content} />
            ))}
          </CallDetails>
        )}
      </div>
      <Views call={call} />
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
      )}
      <span class="nba-about">
        {call.hint ? <code>{call.name}</code> : argumentsLine(call.arguments)}
      </span>
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

/** What a call gave, on one line; opened, a failure stands below and is not said twice. */
function rowPreview(state: RunState, call: CallNode, isOpen: boolean): string {
  if (isOpenCall(call) || !call.child_run_ids.length || call.preview) {
    return isOpen && isError(call) ? "" : preview(call);
  }
  const children = call.child_run_ids.map((id) => entry(state.tree.value.runs, id));
  const calls = children.map((child) => (child ? callsOf(child).length : 0));
  return plural(
    calls.reduce((total, one) => total + one, 0),
    "call",
  );
}

function CallTime({ state, call }: { state: RunState; call: CallNode }): JSX.Element {
  let text = "";
  if (call.duration_ms !== null) text = duration(call.duration_ms / 1000);
  else if (call.started_at !== null && isOpenCall(call)) {
    text = ticking(state.clock.now_s.value - call.started_at);
  }
  return <span class="nba-time">{text}</span>;
}

/** When the call ran, against its run: seconds as custom properties, scaled by the stylesheet. */
function Bar({ run, call }: { run: RunNode; call: CallNode }): JSX.Element {
  const start = call.started_at === null ? 0 : call.started_at - run.started_at;
  const length = call.duration_ms === null ? "" : `;--nba-length:${call.duration_ms / 1000}`;
  const isEmpty = call.started_at === null || (call.duration_ms === null && !isOpenCall(call));
  return (
    <div class="nba-bar" aria-hidden="true" style={`--nba-start:${start}${length}`}>
      {!isEmpty && <i data-running={call.duration_ms === null} />}
    </div>
  );
}

/** What an open call is doing: its own words, or its agent's current calls. */
function Activity({ state, call }: { state: RunState; call: CallNode }): JSX.Element | null {
  const { progress } = call;
  const said = progress?.message || childActivity(state, call);
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

function childActivity(state: RunState, call: CallNode): string {
  const doing: string[] = [];
  for (const id of call.child_run_ids) {
    const child = entry(state.tree.value.runs, id);
    for (const one of child ? callsOf(child) : []) {
      if (one.status === "running") doing.push(one.hint ?? one.name);
    }
  }
  return doing.join(", ");
}
