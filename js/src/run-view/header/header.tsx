/**
 * The first line of a run: what was asked, who answers, how it goes, and what can be done with it.
 */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button, StatusIcon } from "../../page";
import { callsOf, type RunNode } from "../../tree";
import {
  activeTime,
  childrenOf,
  childrenWords,
  chipsOf,
  clipped,
  count,
  duration,
  isByHand,
  isWaitingWorth,
  type Meter,
  metersOf,
  money,
  ownerOf,
  ticking,
  took,
  usedBy,
  waited,
} from "../../words";
import { late } from "../late";
import { cameOf, type OfRun, type RunState } from "../state";
import { Prompt } from "./prompt";
import { Review, Tools } from "./tools";

const BranchList = late(({ BranchList }) => BranchList);

/** From this part of a limit on, its meter is one to look at. */
const NEAR = 0.9;
/** Of a limit of which less is used nobody needs to be told. */
const WORTH_TELLING = 0.5;

export function Header({ state, run }: OfRun): JSX.Element {
  const { sign } = cameOf({ state, run });
  const [isLeft, setLeft] = useState(!!run.forked_from);
  useEffect(() => void document.dispatchEvent(new Event("nba-branch")), []);
  return (
    <header
      class="nba-header nba-line"
      data-status={sign}
      data-of={run.id}
      onnba-branch={() => setLeft(true)}
    >
      <StatusIcon status={sign} />
      <Prompt run={run} />
      <div class="nba-header-end">
        <div class="nba-who">
          <strong class="nba-agent">{ownerOf(run)}</strong>
          {!isByHand(run) && <span class="nba-model">{run.model}</span>}
          <Chips state={state} run={run} />
          <Facts state={state} run={run} />
        </div>
        <Review state={state} run={run} />
        {run.status === "running" && state.door.isLive && <Stop state={state} />}
        <Tools state={state} run={run} />
      </div>
      {isLeft && <BranchList state={state} run={run} />}
    </header>
  );
}

/** What is worth knowing, in a word each. */
export function Chips({ state, run }: OfRun): JSX.Element | null {
  const chips = chipsOf(run, state.tree.value);
  if (!chips.length) return null;
  return (
    <span class="nba-chips">
      {chips.map(({ text, title }) => (
        <span key={text} class="nba-chip" title={title}>
          {clipped(text)}
        </span>
      ))}
    </span>
  );
}

/** State, time, calls, tokens and cost, of the run and those inside it; of a limit that is near, how much of it. */
export function Facts({ state, run }: OfRun): JSX.Element {
  const used = usedBy(state.tree.value, run);
  const { input, output, cached, cost } = used;
  const isEnded = run.ended_at !== null;
  const now_s = run.ended_at ?? state.clock.now_s.value;
  const meters = metersOf(run, activeTime(run, used, now_s), used);
  const metered = (of: Meter["of"]) => {
    const meter = meters.find((one) => one.of === of && one.value > WORTH_TELLING * one.max);
    return meter && <MeterFact {...meter} />;
  };
  const idle_s = waited(used.waits, now_s);
  const isTimed = isEnded || run.status === "running"; // else nobody knows when it ended
  const whole_s = Math.max(0, now_s - run.started_at);
  const time = isTimed ? took(whole_s, idle_s, isEnded ? duration : ticking) : "";
  const timeMeter = metered("time");
  const came = cameOf({ state, run });
  const whole = `${input} tokens in, of which ${cached} cached; ${output} tokens out`;
  const children = isEnded ? "" : stepChildren(state, run);
  return (
    <span class="nba-facts">
      <span class="nba-state">{came.words}</span>
      {children && <span>{children}</span>}
      {timeMeter}
      {time && (!timeMeter || isWaitingWorth(idle_s)) && <span class="nba-time">{time}</span>}
      {metered("steps")}
      {metered("calls") ?? (came.calls && <span>{came.calls}</span>)}
      {metered("tokens") ??
        (input + output > 0 && <span title={whole}>{count(input + output)} tokens</span>)}
      {metered("cost") ??
        (cost !== null && <span title="By the prices that you have set">cost {money(cost)}</span>)}
    </span>
  );
}

/** `3 of 5 children`, of the current step; nothing where it has no more than one. */
function stepChildren(state: RunState, run: RunNode): string {
  const calls = callsOf(run).filter(({ step }) => step === run.step);
  const children = childrenOf(state.tree.value, calls);
  return children.all > 1 ? childrenWords(children) : "";
}

function MeterFact({ value, max, words }: Meter): JSX.Element {
  const used = Math.min(value / max, 1);
  return (
    <span class="nba-meter" data-near={used >= NEAR}>
      <meter class="nba-spoken" value={Math.min(value, max)} max={max} aria-label={words} />
      <span aria-hidden="true">
        <span class="nba-track">
          <i style={`width:${(100 * used).toFixed(1)}%`} />
        </span>
        {words}
      </span>
    </span>
  );
}

function Stop({ state }: { state: RunState }): JSX.Element {
  return (
    <Button class="nba-stop" title="Stop the run (run.stop())" onClick={() => state.stop()}>
      <span class="nba-stop-square" aria-hidden="true" />
      {state.stopping.value ? "Stopping…" : "Stop"}
    </Button>
  );
}
