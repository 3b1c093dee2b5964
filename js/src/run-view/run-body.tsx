/**
 * What happened in a run, in order: calls, thoughts, and what was said between them.
 *
 * @module
 */
import { useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import {
  type CallItem,
  type CallNode,
  callsOf,
  entry,
  type Item,
  type RunNode,
  type TextItem,
} from "../tree";
import { CallRow } from "./call-row";
import { FailureBox } from "./details";
import { FoldBox } from "./fold-box";
import { Shared } from "./header";
import { StatusIcon } from "./icons";
import { Sources } from "./sources";
import type { RunState } from "./state";
import { Markdown } from "./texts";
import { count, duration, isError, isOpenCall, plural, RUN_WORDS, tokensOf } from "./words";

/** A run with more calls than this shows its first and last ones, and a button for the rest. */
const MANY = 12;
const FIRST = 4;
const LAST = 7;

/** The answer: what was said last, if no call came after it. */
export function answerOf(run: RunNode): TextItem | null {
  const last = run.items.findLast((item) => item.type !== "thought");
  return last?.type === "text" ? last : null;
}

export function RunList({ state, run }: { state: RunState; run: RunNode }): JSX.Element {
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
  return (
    <ul class="nba-list" ref={list}>
      <Items state={state} run={run} items={run.items.filter((item) => item !== answer)} />
      {run.status === "running" && !answer && <Thinking run={run} />}
    </ul>
  );
}

function Items({
  state,
  run,
  items,
}: {
  state: RunState;
  run: RunNode;
  items: Item[];
}): JSX.Element {
  const isWhole = useSignal(false);
  const row = (item: Item, at: number) => (
    <ItemRow key={keyOf(item, at)} state={state} run={run} item={item} />
  );
  if (isWhole.value || items.length <= MANY) return <>{items.map(row)}</>;
  const hidden = items.slice(FIRST, -LAST);
  return (
    <>
      {items.slice(0, FIRST).map(row)}
      <li class="nba-more" key="more">
        <button
          type="button"
          class="nba-link"
          aria-expanded={false}
          onClick={() => {
            isWhole.value = true;
          }}
        >
          {moreWords(run, hidden)}
        </button>
      </li>
      {items.slice(-LAST).map((item, at) => row(item, items.length - LAST + at))}
    </>
  );
}

function keyOf(item: Item, at: number): string {
  return item.type === "call" ? `call ${item.call_id}` : `${item.type} ${at}`;
}

function moreWords(run: RunNode, hidden: Item[]): string {
  const calls = hidden.filter((item): item is CallItem => item.type === "call");
  const counted = (is: (call: CallNode) => boolean) =>
    calls.filter(({ call_id }) => {
      const call = entry(run.calls, call_id);
      return call && is(call);
    }).length;
  const failed = counted(isError);
  const waiting = counted(({ status }) => status === "waiting");
  const more = calls.length
    ? `${count(calls.length)} more ${calls.length === 1 ? "call" : "calls"}`
    : "More";
  const words = [more, failed && `${failed} failed`, waiting && `${waiting} waiting for you`];
  return `… ${words.filter(Boolean).join(", ")}`;
}

function ItemRow({
  state,
  run,
  item,
}: {
  state: RunState;
  run: RunNode;
  item: Item;
}): JSX.Element | null {
  if (item.type === "call") {
    const call = entry(run.calls, item.call_id);
    return call ? <CallRow state={state} run={run} call={call} /> : null;
  }
  if (item.type === "thought") return <ThoughtRow text={item.text} />;
  return (
    <li class="nba-said">
      <Markdown text={item.text} class="nba-aside" />
    </li>
  );
}

function ThoughtRow({ text }: { text: string }): JSX.Element {
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

interface ChildProps {
  state: RunState;
  run_id: string;
  /** What its call told the model: an answer that says the same is not shown twice. */
  told: string | null;
}

/** A run that a call started, inside that call. */
export function ChildRun({ state, run_id, told }: ChildProps): JSX.Element | null {
  const run = entry(state.tree.value.runs, run_id);
  if (!run) return null;
  const { input, output } = tokensOf(state.tree.value, run);
  const facts = [RUN_WORDS[run.status], plural(callsOf(run).length, "call")];
  const took = run.ended_at === null ? "" : duration(run.ended_at - run.started_at);
  if (took) facts.splice(1, 0, took);
  if (input + output) facts.push(`${count(input + output)} tokens`);
  const answer = answerOf(run);
  return (
    <section class="nba-child" data-status={run.status} aria-label={`Run of ${run.agent_name}`}>
      <div class="nba-child-head nba-line">
        <StatusIcon status={run.status} />
        <strong>{run.agent_name}</strong>
        <span class="nba-model">{run.model}</span>
        <span class="nba-facts">{facts.join(" · ")}</span>
      </div>
      <Shared run={run} />
      <RunList state={state} run={run} />
      {answer && answer.text !== told && <Markdown text={answer.text} class="nba-aside" />}
      <Refusal run={run} />
      {answer && <Sources citations={run.citations} />}
      <RunFailure run={run} />
    </section>
  );
}
