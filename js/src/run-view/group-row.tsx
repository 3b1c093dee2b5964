/**
 * Neighbouring calls of one tool: a line that says how many, about what and how they went, and opens
 * to their rows.
 *
 * @module
 */
import type { JSX } from "preact";
import { type CallNode, entry } from "../tree";
import { visibleName } from "../visible";
import { shownStatus } from "./asked";
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
import { staysIn } from "./outcome";
import { useOwnId } from "./own-id";
import type { RunState } from "./state";
import { rowTime } from "./took";
import { refusedOf, troublesInside } from "./troubles";
import { useGrowing } from "./turns";

/** A group of more calls than this shows its first and last ones, what went wrong, and a button for the rest. */
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
  const shown = calls.map((call) => ({
    ...call,
    status: shownStatus(state.asked.value, run_id, call),
  }));
  const status = groupStatus(shown);
  const { from_s, length_s } = groupSpan(calls);
  const words = groupWords(shown);
  const about = subjects(calls);
  const took = rowTime(state, run_id, calls, from_s, length_s);
  const inside = [hiddenIn(state, calls), notAsked(calls)].filter(Boolean).join(" · ");
  const gave = isOpen ? "" : previews(calls);
  const times = `×${calls.length}`;
  const asked = state.asked.value.inside;
  const asks = (call: CallNode) => asked.has(callKey(run_id, call.id));
  const said = [`${visibleName(name)} ${times}`, about, gave, inside, words.toLowerCase(), took];
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
        <span class="nba-preview">{gave}</span> {inside && <span class="nba-inside">{inside}</span>}{" "}
        <span class="nba-word">{words}</span>{" "}
        {took ? <span class="nba-time">{took}</span> : <Ticking state={state} from_s={from_s} />}
      </button>
      <Bar run_from_s={run_from_s} from_s={from_s} length_s={length_s} isOver={length_s !== null} />
      <ul id={id} class="nba-members" hidden={!isOpen && !calls.some(asks)}>
        <Members
          state={state}
          run_id={run_id}
          run_from_s={run_from_s}
          group={group}
          isOpen={isOpen}
        />
      </ul>
    </li>
  );
}

/** How many of its calls nobody was asked about: `2 not asked`. */
function notAsked(calls: CallNode[]): string {
  const many = calls.filter(({ authorization }) => authorization?.under_grant).length;
  return many ? `${many} not asked` : "";
}

/** What the state of a group does not say: what guardrails refused, and what happened inside its calls. */
function hiddenIn(state: RunState, calls: CallNode[]): string {
  const refused = refusedOf(calls);
  const hasRuns = calls.some(({ child_run_ids }) => child_run_ids.length);
  const inside = hasRuns ? troublesInside(state.tree.value, calls) : "";
  return [refused ? `${refused} refused` : "", inside && `${inside} inside`]
    .filter(Boolean)
    .join(", ");
}

/** A failure is not hidden, nor what goes on, nor what somebody opened. */
function opensByItself(state: RunState, run_id: string, { calls }: GroupRow): boolean {
  return isUrgent(calls) || calls.some(({ id }) => state.opened.isByHand(callKey(run_id, id)));
}

interface MembersProps extends Omit<Props, "isLast"> {
  isOpen: boolean;
}

/** The rows of a group. Those in which something is asked are there even where others are not. */
function Members({ state, run_id, run_from_s, group, isOpen }: MembersProps): JSX.Element {
  const { calls } = group;
  const key = wholeKey(groupKey(run_id, group));
  const isWhole = isOpen && (calls.length <= MANY || state.opened.is(key));
  const { inside } = state.asked.value;
  const asks = (call: CallNode) => inside.has(callKey(run_id, call.id));
  const hidden = isWhole ? [] : foldable(state, run_id, calls);
  const shown = !isOpen
    ? calls.filter(asks)
    : hidden.length
      ? calls.filter((call) => !hidden.includes(call))
      : calls;
  const drawn = useGrowing(shown.length);
  const line = (call: CallNode) => (
    <CallLine key={call.id} state={state} run_id={run_id} run_from_s={run_from_s} call={call} />
  );
  const lines = shown.slice(0, drawn).map(line);
  if (isOpen && hidden.length) {
    const rows = hidden.map((call) => ({ type: "call" as const, key: call.id, call }));
    lines.splice(ENDS, 0, <More key="more" state={state} open={key} hidden={rows} />);
  }
  return <>{lines}</>;
}

/** The calls in the middle of a group in which nothing asks and nothing went wrong. */
function foldable(state: RunState, run_id: string, calls: CallNode[]): CallNode[] {
  const tree = state.tree.value;
  const run = entry(tree.runs, run_id);
  const stays = staysIn(tree);
  const { inside } = state.asked.value;
  const isSeen = (call: CallNode) =>
    inside.has(callKey(run_id, call.id)) || (run !== undefined && stays(run, call));
  return calls.slice(ENDS, -ENDS).filter((call) => !isSeen(call));
}
