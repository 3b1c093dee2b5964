/**
 * What happened in a run, in order: calls, thoughts, and what was said between them.
 *
 * @module
 */
import { useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { callsOf, entry, type HandoffItem, type RunNode, type TextItem } from "../tree";
import { AwaitBox } from "./await-box";
import { Said } from "./await-said";
import { CallLine } from "./call-row";
import { FailureBox } from "./failure";
import { FoldBox } from "./fold-box";
import { GroupLine } from "./group-row";
import { callsIn, type Row, rowsOf } from "./groups";
import { More } from "./more";
import { callKey, wholeKey } from "./opened";
import { staysIn } from "./outcome";
import type { RunState } from "./state";
import { Markdown } from "./texts";
import { useGrowing } from "./turns";
import { useView } from "./view-state";
import { isOpenCall } from "./words";

/** A run with more rows than this shows its first and last ones, what went wrong, and a button for the rest. */
const MANY = 12;
const FIRST = 4;
const LAST = 7;

/** The answer: what was said last, if no call came after it. */
export function answerOf(run: RunNode): TextItem | null {
  const last = run.items.findLast((item) => item.type !== "thought");
  return last?.type === "text" ? last : null;
}

interface Props {
  state: RunState;
  run: RunNode;
}

export function RunList({ state, run }: Props): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const id = run.id;
  useSignalEffect(() => {
    const current = entry(state.tree.value.runs, id);
    if (!current) return;
    const end_s = current.ended_at ?? state.clock.now_s.value;
    const total_s = Math.max(end_s - current.started_at, 0.001);
    list.current?.style.setProperty("--nba-total", total_s.toFixed(3));
  });
  const answer = answerOf(run);
  const questions = state.asked.value.byRun.get(id) ?? [];
  const isAsking = questions.some(({ isOpen }) => isOpen);
  return (
    <ul class="nba-list" ref={list}>
      <Rows state={state} run={run} rows={useRows(state, run, answer)} />
      {run.status === "running" && !answer && !isAsking && <Thinking run={run} />}
      {questions.map((question) => (
        <li key={question.node.id} class="nba-asked-here">
          {question.isOpen ? (
            <AwaitBox state={state} question={question} />
          ) : (
            <Said node={question.node} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The rows to show: all, or those calls that hold the words that are looked for. */
function useRows(state: RunState, run: RunNode, answer: TextItem | null): Row[] {
  const { found } = useView();
  if (!found.value) return rowsOf(run, answer, (call) => state.hasViews(call));
  const { keys } = found.value;
  return callsOf(run).flatMap((call) =>
    keys.has(callKey(run.id, call.id)) ? [{ type: "call", key: `call ${call.id}`, call }] : [],
  );
}

function Rows({ state, run, rows }: Props & { rows: Row[] }): JSX.Element {
  const { found } = useView();
  const key = wholeKey(run.id);
  const isWhole = rows.length <= MANY || found.value !== null || state.opened.is(key);
  const { inside } = state.asked.value;
  const stays = staysIn(state.tree.value);
  const isSeen = (row: Row) =>
    callsIn([row]).some((call) => inside.has(callKey(run.id, call.id)) || stays(run, call));
  const others = isWhole ? [] : rows.slice(FIRST, -LAST);
  const hidden = others.filter((row) => !isSeen(row));
  const shown = hidden.length ? rows.filter((row) => !hidden.includes(row)) : rows;
  const drawn = useGrowing(shown.length);
  const line = (row: Row, at: number, all: Row[]) => (
    <Line
      key={row.key}
      state={state}
      run={run}
      row={row}
      isLast={run.status === "running" && at === all.length - 1}
    />
  );
  const lines = shown.slice(0, drawn).map(line);
  if (hidden.length)
    lines.splice(FIRST, 0, <More key="more" state={state} open={key} hidden={hidden} />);
  return <>{lines}</>;
}

interface LineProps extends Props {
  row: Row;
  /** Whether the run may still add to it. */
  isLast: boolean;
}

function Line({ state, run, row, isLast }: LineProps): JSX.Element {
  const of = { state, run_id: run.id, run_from_s: run.started_at };
  switch (row.type) {
    case "call":
      return <CallLine {...of} call={row.call} />;
    case "group":
      return <GroupLine {...of} group={row} isLast={isLast} />;
    case "handoff":
      return <Handed to={row.item} />;
    case "thought":
      return <ThoughtLine text={row.item.text} />;
    case "text":
      return (
        <li class="nba-said">
          <Markdown text={row.item.text} class="nba-aside" />
        </li>
      );
  }
}

function Handed({ to: { to_agent, model } }: { to: HandoffItem }): JSX.Element {
  return (
    <li class="nba-handed">
      Handed over to <strong>{to_agent}</strong> <span class="nba-model">{model}</span>
    </li>
  );
}

function ThoughtLine({ text }: { text: string }): JSX.Element {
  const label = (
    <>
      <span class="nba-thought-word">Thought</span>
      <span class="nba-thought-line">{text.trim().split("\n", 1)[0]}</span>
    </>
  );
  return (
    <li class="nba-thought">
      <FoldBox label={label}>{() => <p class="nba-thought-text">{text.trim()}</p>}</FoldBox>
    </li>
  );
}

/** What stands at the end while nothing else shows that something is going on. */
function Thinking({ run }: { run: RunNode }): JSX.Element | null {
  if (callsOf(run).some(isOpenCall)) return null;
  return (
    <li class="nba-thinking">
      <span class="nba-glyph nba-dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {run.phase === "synthesizing" ? "Answering" : "Thinking"}
    </li>
  );
}

/** How a run ended, if that needs saying: why it failed. */
export function RunFailure({ run }: { run: RunNode }): JSX.Element | null {
  return run.failure && <FailureBox failure={run.failure} />;
}

/** Said beside an answer in which the model declines. */
export function Refusal({ run }: { run: RunNode }): JSX.Element | null {
  return run.refused ? <p class="nba-refused nba-small">The model refused.</p> : null;
}
