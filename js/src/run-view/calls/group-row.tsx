/**
 * Neighbouring calls of one tool: a line that says how many, about what and how they went, and opens
 * to their rows.
 */
import type { JSX } from "preact";
import { Chevron, StatusIcon } from "../../page";
import type { CallNode } from "../../tree";
import { visibleName } from "../../visible-text";
import { refusedOf, troublesInside } from "../../words";
import { ShowSteps } from "../payloads";
import {
  type GroupLine as GroupOf,
  groupSign,
  groupSpan,
  groupWords,
  howMany,
  type Phase,
  previews,
  type Scale,
  subjects,
} from "../rows";
import { callKey, type RunState, shownStatus } from "../state";
import { rowTime, Ticking } from "./duration";
import { type At, placed } from "./item";
import { Fall } from "./waterfall";

interface Props extends At {
  run_id: string;
  phases: Phase[];
  scale: Scale;
  group: GroupOf;
  isOpen: boolean;
}

export function GroupLine({ group, isOpen, run_id, phases, scale, ...at }: Props): JSX.Element {
  const { state, id: key } = at;
  const { name, calls } = group;
  const shown = calls.map((call) => ({
    ...call,
    status: shownStatus(state.asked.value, run_id, call),
  }));
  const { from_s, length_s } = groupSpan(calls);
  const words = groupWords(shown);
  const about = subjects(calls);
  const took = rowTime(state, run_id, calls, from_s, length_s);
  const hidden = hiddenIn(state, calls);
  const sign = groupSign(shown, hidden);
  const inside = [
    hidden,
    howMany(calls, (call) => call.authorization?.under_grant, "not asked"),
    howMany(calls, (call) => call.kept, "kept"),
  ]
    .filter(Boolean)
    .join(" · ");
  const gave = isOpen ? "" : previews(calls);
  const times = `×${calls.length}`;
  const said = [`${visibleName(name)} ${times}`, about, gave, inside, words.toLowerCase(), took];
  return (
    <li class="nba-call nba-group" data-status={sign} {...placed(at)}>
      <div class="nba-row-line">
        <button
          type="button"
          class="nba-row nba-line"
          data-status={sign}
          aria-expanded={isOpen}
          aria-label={said.filter(Boolean).join(", ")}
          onClick={() => state.opened.set(key, !isOpen)}
        >
          <Chevron />
          <StatusIcon status={sign} />
          <span class="nba-title">
            <code class="nba-name">{name}</code> <span class="nba-times">{times}</span>{" "}
            <span class="nba-about">{about}</span>
          </span>{" "}
          <span class="nba-preview">{gave}</span>{" "}
          {inside && <span class="nba-inside">{inside}</span>} <span class="nba-word">{words}</span>{" "}
          {took ? <span class="nba-time">{took}</span> : <Ticking state={state} from_s={from_s} />}
        </button>
        {!isOpen && <ShowSteps state={state} of={calls.map(({ id }) => callKey(run_id, id))} />}
        <Fall phases={phases} scale={scale} />
      </div>
    </li>
  );
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
