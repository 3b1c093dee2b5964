/**
 * Neighbouring calls of one tool: a line that says how many, about what and how they went, and opens
 * to their rows.
 *
 * @module
 */
import type { JSX } from "preact";
import { Bar, CallLine, Ticking } from "./call-row";
import {
  type GroupRow,
  groupKey,
  groupSpan,
  groupStatus,
  groupWords,
  isUrgent,
  previews,
  subjects,
} from "./groups";
import { Chevron, StatusIcon } from "./icons";
import { More } from "./more";
import { callKey, wholeKey } from "./opened";
import { useOwnId } from "./own-id";
import type { RunState } from "./state";
import { useGrowing } from "./turns";
import { duration } from "./words";

/** A group of more calls than this shows its first and last ones, and a button for the rest. */
const MANY = 5;
const ENDS = 2;

interface Props {
  state: RunState;
  run_id: string;
  run_from_s: number;
  group: GroupRow;
  /** Whether the run may still add to it. */
  isLast: boolean;
}

export function GroupLine({ state, run_id, run_from_s, group, isLast }: Props): JSX.Element {
  const id = useOwnId();
  const { name, calls } = group;
  const key = groupKey(run_id, group);
  const isOpen = state.opened.is(key, isLast || opensByItself(state, run_id, group));
  const status = groupStatus(calls);
  const { from_s, length_s } = groupSpan(calls);
  const words = groupWords(calls);
  const about = subjects(calls);
  const took = length_s === null ? "" : duration(length_s);
  const gave = isOpen ? "" : previews(calls);
  const times = `×${calls.length}`;
  const said = [`${name} ${times}`, about, gave, words.toLowerCase(), took];
  return (
    <li class="nba-call nba-group" data-status={status}>
      <button
        type="button"
        class="nba-row nba-line"
        data-status={status}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={said.filter(Boolean).join(", ")}
        onClick={() => state.opened.set(key, !isOpen)}
      >
        <Chevron />
        <StatusIcon status={status} />
        <span class="nba-title">
          <code class="nba-name">{name}</code> <span class="nba-times">{times}</span>{" "}
          <span class="nba-about">{about}</span>
        </span>{" "}
        <span class="nba-preview">{gave}</span> <span class="nba-word">{words}</span>{" "}
        {took ? <span class="nba-time">{took}</span> : <Ticking state={state} from_s={from_s} />}
      </button>
      <Bar run_from_s={run_from_s} from_s={from_s} length_s={length_s} isOver={length_s !== null} />
      <ul id={id} class="nba-members" hidden={!isOpen}>
        {isOpen && <Members state={state} run_id={run_id} run_from_s={run_from_s} group={group} />}
      </ul>
    </li>
  );
}

/** A failure is not hidden, nor what goes on, nor what somebody opened. */
function opensByItself(state: RunState, run_id: string, { calls }: GroupRow): boolean {
  return isUrgent(calls) || calls.some(({ id }) => state.opened.isByHand(callKey(run_id, id)));
}

function Members({ state, run_id, run_from_s, group }: Omit<Props, "isLast">): JSX.Element {
  const { calls } = group;
  const key = wholeKey(groupKey(run_id, group));
  const isWhole = calls.length <= MANY || state.opened.is(key);
  const drawn = useGrowing(isWhole ? calls.length : MANY);
  const line = (call: (typeof calls)[number]) => (
    <CallLine key={call.id} state={state} run_id={run_id} run_from_s={run_from_s} call={call} />
  );
  if (isWhole) return <>{calls.slice(0, drawn).map(line)}</>;
  const hidden = calls
    .slice(ENDS, -ENDS)
    .map((call) => ({ type: "call" as const, key: call.id, call }));
  const more = <More key="more" state={state} open={key} hidden={hidden} />;
  return <>{[...calls.slice(0, ENDS).map(line), more, ...calls.slice(-ENDS).map(line)]}</>;
}
