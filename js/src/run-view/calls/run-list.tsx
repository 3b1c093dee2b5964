/** What happened in a run, in order: one flat list of rows through all levels. */
import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { Button, Chevron, sets } from "../../page";
import { type CallNode, callsOf, entry, type RunNode, runsOf } from "../../tree";
import { isError, plural, staysIn, tellingIn } from "../../words";
import { AwaitLine } from "../awaits";
import { Finder } from "../header";
import {
  type Folding,
  type Holder,
  isMany,
  isUrgent,
  lineCount,
  phasesOfRun,
  type Row,
  rowsOf,
  type Scale,
  tickOf,
} from "../rows";
import { callCount, callKey, type OfRun, type RunState, useView, type ViewState } from "../state";
import { Ending, RunLine } from "./agent-row";
import { CallLine } from "./call-row";
import { GroupLine } from "./group-row";
import { indent } from "./item";
import { More } from "./more-row";
import { useElements } from "./row-elements";
import { Handed, Spoken, Thinking, Thought } from "./said-row";
import { Axis, lengthOf, phasesOfCall, phasesOfGroup, Tip, useScale, useTip } from "./waterfall";

/** With no more calls than this, in all its runs, nothing of a run needs folding. */
const SHORT = 12;

export function RunList({ state, run }: OfRun): JSX.Element | null {
  const list = useRef<HTMLUListElement>(null);
  const view = useView();
  const id = run.id;
  const scale = useScale(state, run);
  useSignalEffect(() => {
    const current = entry(state.tree.value.runs, id);
    if (!current) return;
    const total_s = lengthOf(scale, current, current.ended_at ?? state.clock.now_s.value);
    list.current?.style.setProperty("--nba-total", total_s.toFixed(3));
    list.current?.style.setProperty("--nba-tick", tickOf(total_s).toFixed(3));
  });
  const stayed = useRef(false);
  const lines = lineCount(run, (call) => state.hasViews(call));
  // What was in sight stays so: nothing is folded away from who looks at it.
  stayed.current ||= run.status === "running" || !isMany(lines);
  const isFolded = !(view.isUnfolded.value ?? stayed.current);
  const rows = rowsOf(state.tree.value, run, { ...foldingOf(state, view), isFolded });
  const { told, heard } = useTip({ state, run, scale }, rows);
  if (!lines && !rows.length) return null;
  return (
    <div class="nba-happened">
      {lines > 1 && <Happened state={state} run={run} scale={scale} isFolded={isFolded} />}
      <Finder state={state} />
      <div class="nba-timed" {...heard}>
        <ul class="nba-list" ref={list} aria-label="What happened">
          <Rows state={state} scale={scale} rows={rows} of={view.query.value} />
        </ul>
        <Tip told={told} />
      </div>
    </div>
  );
}

interface RowsProps {
  state: RunState;
  scale: Scale;
  rows: Row[];
  /** What was looked for: other words show another list, which begins anew. */
  of: string;
}

/** The rows, some in each turn: those of which nothing has changed are not looked at again. */
function Rows({ state, scale, rows, of }: RowsProps): JSX.Element {
  const drawn = useElements(rows, of, (row) => drawnRow(state, scale, row));
  const leaving = drawn.leaving.length > 0 && <li key="leaving" class="nba-leaving" hidden />;
  return (
    <>
      {[...drawn.rows.map(([, item]) => item), leaving, ...drawn.leaving.map(([, item]) => item)]}
    </>
  );
}

interface HappenedProps extends OfRun {
  scale: Scale;
  isFolded: boolean;
}

/** The head of the list, which folds it away. */
function Happened({ state, run, scale, isFolded }: HappenedProps): JSX.Element {
  const view = useView();
  const calls = callCount(state.tree.value);
  return (
    <div class="nba-happened-head">
      <Button
        class="nba-fold-button"
        aria-expanded={!isFolded}
        onClick={sets(view.isUnfolded, isFolded)}
      >
        <Chevron />
        What happened
        <span class="nba-note">{plural(calls, "call")}</span>
      </Button>
      <Axis state={state} run={run} scale={scale} />
    </div>
  );
}

/** Not a component: what is given to each row is the same for as long as nothing of it changes. */
function drawnRow(state: RunState, scale: Scale, row: Row): JSX.Element | null {
  const { key, depth } = row;
  const of = { id: key, above: row.above ?? "", depth, state };
  const timed = { ...of, run_id: row.run.id, scale };
  const tree = state.tree.peek(); // the list is made of it, and made anew with it
  switch (row.type) {
    case "call": {
      const { call, child, isOpen } = row;
      const names = JSON.stringify(tellingIn(row.run).get(call.name) ?? []);
      const phases = phasesOfCall(tree, row.run, call);
      const drawn = { call, child, names, phases, holds: isOpen };
      return <CallLine key={key} {...timed} {...drawn} />;
    }
    case "group":
      return (
        <GroupLine
          key={key}
          {...timed}
          group={row.group}
          isOpen={row.isOpen}
          phases={phasesOfGroup(tree, row.run, row.group.calls)}
        />
      );
    case "run":
      return (
        <RunLine
          key={key}
          {...timed}
          child={row.child}
          isOpen={row.isOpen}
          phases={phasesOfRun(tree, row.child)}
        />
      );
    case "text":
      return <Spoken key={key} {...of} item={row.item} />;
    case "thought":
      return <Thought key={key} {...of} item={row.item} />;
    case "handoff":
      return <Handed key={key} {...of} to={row.item} />;
    case "more":
      return <More key={key} {...of} open={row.open} hidden={row.hidden} />;
    case "thinking":
      return <Thinking key={key} {...of} phase={row.run.phase} />;
    case "asked":
      return (
        <li key={key} class="nba-asked-here" style={indent(depth)}>
          <AwaitLine state={state} question={row.question} />
        </li>
      );
    case "end":
      return <Ending key={key} {...of} run={row.run} />;
  }
}

/** What is open in this view: by hand, or by itself. */
function foldingOf(state: RunState, view: ViewState): Omit<Folding, "isFolded"> {
  const tree = state.tree.value;
  const { inside, byRun } = state.asked.value;
  const bad = staysIn(tree);
  const stays = (run: RunNode, call: CallNode) =>
    inside.has(callKey(run.id, call.id)) || ranByLeave(call) || bad(run, call);
  const isShort = callCount(tree) <= SHORT;
  const found = view.found.value;
  return {
    isOpen: (key, what) =>
      state.opened.is(
        key,
        opensByItself(state, what, isShort, stays),
        found?.above.has(key) ?? false,
      ),
    isWhole: (key) => state.opened.is(key),
    standsAlone: (call) => state.hasViews(call),
    stays,
    found: found?.keys ?? null,
    askedIn: ({ id }) => byRun.get(id) ?? [],
  };
}

/** Whether nobody was asked about it: that is to be seen, however well it went. */
function ranByLeave({ authorization }: CallNode): boolean {
  return authorization?.under_grant === true;
}

type Stays = Folding["stays"];

function opensByItself(state: RunState, what: Holder, isShort: boolean, stays: Stays): boolean {
  const { asked, opened } = state;
  switch (what.type) {
    case "group": {
      const { group, run, isLast } = what;
      const { calls } = group;
      return (
        isLast || isUrgent(calls) || calls.some(({ id }) => opened.isByHand(callKey(run.id, id)))
      );
    }
    case "call": {
      const { run, call } = what;
      if (isShort || isError(call) || stays(run, call) || state.opensFor(call)) return true;
      return asked.value.above.has(callKey(run.id, call.id)) || hasRunning(state, call);
    }
    case "run": {
      const { run } = what;
      const isBad = () => callsOf(run).some((call) => stays(run, call));
      return isShort || run.status === "running" || run.status === "failed" || isBad();
    }
  }
}

/** Whether an agent is at work in a call, or has failed in it. */
function hasRunning(state: RunState, call: CallNode): boolean {
  const runs = runsOf(state.tree.value, call);
  return runs.some(({ status }) => status === "running" || status === "failed");
}
