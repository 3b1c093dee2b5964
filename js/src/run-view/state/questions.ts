/** What a run and those inside it ask a person: where it stands, and how far the answer is. */
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type AwaitAnswer, type Door, reasonOf } from "../../bridge";
import { Sight } from "../../page";
import type { JsonValue } from "../../tree";
import {
  type AwaitNode,
  type CallNode,
  type CallStatus,
  entry,
  once,
  type RunNode,
  type RunStatus,
  type Tree,
  waitingFor,
} from "../../tree";
import { visibleName } from "../../visible-text";
import { argumentsLine, clipped } from "../../words";
import type { FormState } from "../forms";
import { callKey } from "./open-rows";

/** Something that was asked, and where. */
export interface Question {
  readonly node: AwaitNode;
  readonly run: RunNode;
  /** What tells it from what else is asked, in words. */
  readonly name: string;
  /** Whether it is still to be answered, if only when the run is resumed. */
  readonly isOpen: boolean;
}

interface Asked {
  /** Those that stand in a call's card, by the call's key. */
  byCall: ReadonlyMap<string, Question[]>;
  /** Those that stand at the end of a run, by the run's id. */
  byRun: ReadonlyMap<string, Question[]>;
  /** What is to be answered, in the order in which it was asked. */
  open: readonly Question[];
  /** The calls that hold something open in their cards, by their keys. */
  inside: ReadonlySet<string>;
  /** The calls in whose runs something is open. */
  above: ReadonlySet<string>;
  /** The runs that ask something that is open, or hold one that does, by their ids. */
  asking: ReadonlySet<string>;
}

/** What a call is doing: one that goes on waits where a run in it asks a person. */
export function shownStatus(asked: Asked, run_id: string, { id, status }: CallNode): CallStatus {
  return status === "running" && asked.above.has(callKey(run_id, id)) ? "waiting" : status;
}

/** What a run is doing: one that goes on waits where it, or one inside it, asks a person. */
export function shownRunStatus(asked: Asked, { id, status }: RunNode): RunStatus | "waiting" {
  return status === "running" && asked.asking.has(id) ? "waiting" : status;
}

/** The line that goes on with a run; `null` where it has ended, or is inside another. */
export function resumeLine({ asking }: Asked, run: RunNode): string | null {
  const { id, status, parent_run_id } = run;
  if (run.resumed_by !== undefined) return null;
  // One whose kernel has ended while it waited can be gone on with as one that was suspended.
  const isLeft = status === "suspended" || (status === "unknown" && asking.has(id));
  return parent_run_id === null && isLeft ? `%agent --resume ${id}` : null;
}

/** What the tree asks; the same object for as long as nothing of it changes. */
export function askedIn(tree: ReadonlySignal<Tree>): ReadonlySignal<Asked> {
  let known: unknown[] = [];
  let last = gathered(tree.peek(), []);
  return computed(() => {
    const runs = Object.values(tree.value.runs).filter((run) => run.awaits.length > 0);
    const now = runs.flatMap((run) => [run.awaits, run.status]);
    if (now.length === known.length && now.every((one, at) => one === known[at])) return last;
    known = now;
    last = gathered(tree.value, runs);
    return last;
  });
}

function gathered(tree: Tree, runs: RunNode[]): Asked {
  const all = named(runs.flatMap((run) => run.awaits.map((node) => questionOf(tree, node, run))));
  const byCall = new Map<string, Question[]>();
  const byRun = new Map<string, Question[]>();
  const inside = new Set<string>();
  const above = new Set<string>();
  const asking = new Set<string>();
  for (const one of all) {
    if (isPassed(one)) continue;
    const cards = cardsOf(one).map((id) => callKey(one.run.id, id));
    for (const key of cards) once(byCall, key, () => []).push(one);
    if (!cards.length) once(byRun, one.run.id, () => []).push(one);
    if (!one.isOpen) continue;
    for (const key of cards) inside.add(key);
    for (const key of callsAbove(tree, one.run)) above.add(key);
    for (const { id } of lineOf(tree, one.run)) asking.add(id);
  }
  const open = all.filter(({ isOpen }) => isOpen);
  open.sort((one, other) => one.node.asked_at - other.node.asked_at);
  return { byCall, byRun, open, inside, above, asking };
}

/** How the names of those begin who decide without a person. */
const POLICY = "the policy";

/** Also one whose end nobody saw: what it asked can still be answered. */
const GOES_ON = new Set<RunStatus>(["running", "suspended", "unknown"]);

function questionOf(tree: Tree, node: AwaitNode, run: RunNode): Question {
  const wentOn = lineOf(tree, run).some(({ resumed_by }) => resumed_by !== undefined);
  const isOpen = node.outcome === null && GOES_ON.has(run.status) && !wentOn;
  return { node, run, isOpen, name: nameOf(node, run) };
}

/** One step of many that was gone on from: what was edited there is told by itself. */
function isPassed({ node, isOpen }: Question): boolean {
  return node.kind === "step" && !isOpen && !node.answered_by?.startsWith(POLICY);
}

function nameOf(node: AwaitNode, run: RunNode): string {
  if (node.kind !== "confirmation") return clipped(node.title || node.text) || run.agent_name;
  const name = entry(run.calls, node.call_id ?? "")?.name ?? node.title;
  return clipped([visibleName(name), argumentsLine(node)].filter(Boolean).join(", "), 80);
}

/** Names of open ones that are the same get a number. */
function named(all: Question[]): Question[] {
  const times = new Map<string, number>();
  return all.map((one) => {
    if (!one.isOpen) return one;
    const time = (times.get(one.name) ?? 0) + 1;
    times.set(one.name, time);
    return time === 1 ? one : { ...one, name: `${one.name} (${time})` };
  });
}

/** The calls in whose cards it stands. One of several calls stands in none until it is over. */
function cardsOf({ node, run, isOpen }: Question): string[] {
  const calls = isOpen && node.call_id === null ? [] : waitingFor(node);
  return calls.filter((id) => entry(run.calls, id) !== undefined);
}

/** The rows that a run is in, by their keys: those of calls, and its own among several of one call. */
export function callsAbove(tree: Tree, run: RunNode): string[] {
  return lineOf(tree, run).flatMap(({ id, parent_run_id, parent_tool_call_id }) => {
    if (parent_run_id === null || parent_tool_call_id === null) return [];
    return [callKey(parent_run_id, parent_tool_call_id), id];
  });
}

/** A run and the runs that it is in, from below. */
function lineOf(tree: Tree, run: RunNode): RunNode[] {
  const line = new Set<RunNode>();
  let one: RunNode | undefined = run;
  while (one && !line.has(one)) {
    line.add(one);
    one = entry(tree.runs, one.parent_run_id ?? "");
  }
  return [...line];
}

/** After this long without a word from the kernel one may send again. */
const PATIENCE_MS = 10_000;
/** What the kernel is asked for by an await's id: all of its arguments. */
const WHOLE = "nbagents:whole-arguments";
const LATE = "The kernel has not answered yet. It may be busy; you can send it again.";

/** How far an answer is, whatever views show it. */
export class Answering {
  /** Whether it is on its way. */
  readonly isSent = signal(false);
  /** What was wrong with it. */
  readonly problem = signal("");
  /** How much of what is to be allowed was seen. */
  readonly sight = new Sight();
  /** All arguments, where the page was sent but their beginning and has asked for them. */
  readonly whole: Signal<JsonValue | undefined> = signal(undefined);
  /** What was opened beside the buttons. */
  readonly panel: Signal<"edit" | "note" | "model" | null> = signal(null);
  /** What is written as text, by what it is for. */
  readonly texts = signal<Readonly<Record<string, string>>>({});
  /** What had the focus when it was sent, to go back to if it is not taken. */
  left: HTMLElement | null = null;
  /** What is filled in, once a form was shown. */
  form: FormState | null = null;

  write(key: string, text: string): void {
    this.texts.value = { ...this.texts.value, [key]: text };
  }

  /** Show all at once; what the page has not comes from the kernel. */
  async showAll(door: Door, { id, left_out_bytes }: AwaitNode): Promise<void> {
    this.problem.value = "";
    try {
      if (left_out_bytes) this.whole.value = await door.ask(WHOLE, id);
      this.sight.isOpen.value = true;
    } catch (reason) {
      this.#fail(reasonOf(reason));
    }
  }

  /** Send it. */
  async send(door: Door, await_id: string, answer: AwaitAnswer): Promise<void> {
    if (this.isSent.value) return;
    this.isSent.value = true;
    this.problem.value = "";
    const late = setTimeout(() => this.#fail(LATE), PATIENCE_MS);
    try {
      await door.resolve(await_id, answer); // what comes of it is told by an event
    } catch (reason) {
      this.#fail(reasonOf(reason));
    } finally {
      clearTimeout(late);
    }
  }

  #fail(problem: string): void {
    this.isSent.value = false;
    this.problem.value = problem;
  }
}

/** The answers of a run, by await. */
export class Answers {
  readonly #all = new Map<string, Answering>();

  of(await_id: string): Answering {
    return once(this.#all, await_id, () => new Answering());
  }
}
