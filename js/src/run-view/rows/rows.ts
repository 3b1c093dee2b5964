/**
 * The list that a run is shown as: one row after the other through all levels, each with its depth.
 * A pure function of the tree and of what is open, for the list below the header and for every other
 * view that walks through a run.
 */
import {
  type CallNode,
  callsOf,
  type HandoffItem,
  type RunNode,
  runsOf,
  type TextItem,
  type Tree,
} from "../../tree";
import { isOpenCall } from "../../words";
import { callKey, type Question, wholeKey } from "../state";
import { callsIn, type GroupLine, groupKey, type Line, linesOf } from "./groups";

/** Where a row stands. */
interface Place {
  /** The same for as long as the row is there, and no other row's. */
  key: string;
  /** 0: of the run itself; 1: of what one of its rows holds. */
  depth: number;
  /** The key of the row that holds it. */
  above: string | null;
  /** The run that it belongs to. */
  run: RunNode;
}

export type Row = Place & Content;

/** What a row shows; of what holds others also whether they follow it. */
export type Content =
  /** `child`: the run that it started, if that is but one: then this is an agent's row. */
  | { type: "call"; call: CallNode; child: RunNode | null; isOpen: boolean }
  | { type: "group"; group: GroupLine; isOpen: boolean; isLast: boolean }
  /** One of several runs that a call started. */
  | { type: "run"; child: RunNode; isOpen: boolean }
  | { type: "text" | "thought"; item: TextItem }
  | { type: "handoff"; item: HandoffItem }
  /** Stands for calls that are not in sight. */
  | { type: "more"; open: string; hidden: CallNode[] }
  | { type: "thinking" }
  | { type: "asked"; question: Question }
  /** What a run inside came to: its answer, or why there is none. */
  | { type: "end" };

/** What decides which rows are there. */
export interface Folding {
  /** Whether the row of a call, of a run or of a group shows what is under it. */
  isOpen(key: string, what: Holder): boolean;
  /** Whether the whole list is folded, but for what must be seen. */
  isFolded: boolean;
  /** Whether a list shows all of its rows, by the key that opens it. */
  isWhole(key: string): boolean;
  /** Whether a call has something of its own to show, so that no group may hide it. */
  standsAlone(call: CallNode): boolean;
  /** Whether a call is in sight in any case. */
  stays(run: RunNode, call: CallNode): boolean;
  /** The calls to show, by their keys; `null`: all. */
  found: ReadonlySet<string> | null;
  /** What was asked at the end of a run. */
  askedIn(run: RunNode): readonly Question[];
}

/** What may hold rows: a call with runs, a run, or a group, of which the run may go on. */
export type Holder =
  | { type: "call"; run: RunNode; call: CallNode }
  | { type: "run"; run: RunNode }
  | { type: "group"; run: RunNode; group: GroupLine; isLast: boolean };

/** A run with more lines than this shows its first and last ones, what must be seen, and a row for the rest. */
const MANY = 12;
const FIRST = 4;
const LAST = 7;
/** The same of the calls of a group. */
const MANY_IN_GROUP = 5;
const ENDS = 2;

/** The rows of a run, from the first to the last, through all that is open. */
export function rowsOf(tree: Tree, run: RunNode, folding: Folding): Row[] {
  const list = new Listing(tree, folding);
  list.addRun(run, 0, null);
  return list.rows;
}

/** How many lines a run has, before any is folded away or opened. */
export function lineCount(run: RunNode, standsAlone: Folding["standsAlone"]): number {
  return linesOf(run, answerOf(run), standsAlone).length;
}

/** Whether so many lines are too many to be shown unasked. */
export function isMany(lines: number): boolean {
  return lines > MANY;
}

/** The answer: what was said last, if no call came after it. */
export function answerOf(run: RunNode): TextItem | null {
  const last = run.items.findLast((item) => item.type !== "thought");
  return last?.type === "text" ? last : null;
}

class Listing {
  readonly rows: Row[] = [];
  readonly #tree: Tree;
  readonly #folding: Folding;
  /** A run is not shown inside of itself. */
  readonly #runs = new Set<string>();

  constructor(tree: Tree, folding: Folding) {
    this.#tree = tree;
    this.#folding = folding;
  }

  addRun(run: RunNode, depth: number, above: string | null): void {
    if (this.#runs.has(run.id)) return;
    this.#runs.add(run.id);
    const at = { depth, above, run };
    const answer = answerOf(run);
    this.#addLines(at, this.#linesOf(run, answer));
    const asked = this.#folding.askedIn(run);
    const isIdle = !answer && !asked.some(({ isOpen }) => isOpen) && !callsOf(run).some(isOpenCall);
    const { found } = this.#folding;
    if (run.status === "running" && isIdle && !found && depth > 0)
      this.#add({ ...at, key: `${run.id}/thinking`, type: "thinking" });
    for (const question of asked)
      this.#add({ ...at, key: `asked ${question.node.id}`, type: "asked", question });
    if (depth > 0 && !found) this.#add({ ...at, key: `${run.id}/end`, type: "end" });
  }

  #linesOf(run: RunNode, answer: TextItem | null): Line[] {
    const { found } = this.#folding;
    if (!found) return linesOf(run, answer, (call) => this.#folding.standsAlone(call));
    return callsOf(run).flatMap((call): Line[] =>
      found.has(callKey(run.id, call.id)) ? [{ type: "call", key: `call ${call.id}`, call }] : [],
    );
  }

  #addLines(at: At, lines: Line[]): void {
    const { run } = at;
    const open = wholeKey(run.id);
    const { found, isFolded } = this.#folding;
    const isShut = isFolded && at.depth === 0 && found === null;
    const isWhole = lines.length <= MANY || found !== null || this.#folding.isWhole(open);
    const middle = isShut ? lines : isWhole ? [] : lines.slice(FIRST, -LAST);
    const isSeen = (line: Line) => callsIn([line]).some((call) => this.#folding.stays(run, call));
    const hidden = new Set(middle.filter((line) => !isSeen(line)));
    for (const [nth, line] of lines.entries()) {
      if (nth === FIRST && hidden.size && !isShut) this.#addMore(at, open, callsIn([...hidden]));
      const isLast = run.status === "running" && nth === lines.length - 1;
      if (!hidden.has(line)) this.#addLine(at, line, isLast);
    }
  }

  #addLine(at: At, line: Line, isLast: boolean): void {
    switch (line.type) {
      case "call":
        this.#addCall(at, line.call);
        break;
      case "group":
        this.#addGroup(at, line, isLast);
        break;
      case "handoff":
        this.#add({ ...at, key: lineKey(at, line), type: "handoff", item: line.item });
        break;
      case "text":
      case "thought":
        this.#add({ ...at, key: lineKey(at, line), type: line.type, item: line.item });
        break;
    }
  }

  #addGroup(at: At, group: GroupLine, isLast: boolean): void {
    const { run } = at;
    const key = groupKey(run.id, group);
    const isOpen = this.#folding.isOpen(key, { type: "group", run, group, isLast });
    this.#add({ ...at, key, type: "group", group, isOpen, isLast });
    const members = { ...at, depth: at.depth + 1, above: key };
    const open = wholeKey(key);
    const stays = (call: CallNode) => this.#folding.stays(run, call);
    const isWhole = group.calls.length <= MANY_IN_GROUP || this.#folding.isWhole(open);
    const middle = isWhole ? [] : group.calls.slice(ENDS, -ENDS);
    const hidden = new Set(middle.filter((call) => !stays(call)));
    for (const [nth, call] of group.calls.entries()) {
      if (isOpen && nth === ENDS && hidden.size) this.#addMore(members, open, [...hidden]);
      if (isOpen ? !hidden.has(call) : stays(call)) this.#addCall(members, call);
    }
  }

  #addCall(at: At, call: CallNode): void {
    const { run } = at;
    const key = callKey(run.id, call.id);
    const runs = runsOf(this.#tree, call);
    const [first] = runs;
    const child = runs.length === 1 && first ? first : null;
    // What holds nothing is not asked for: such a row is drawn anew by itself when it opens.
    const isOpen = runs.length > 0 && this.#folding.isOpen(key, { type: "call", run, call });
    this.#add({ ...at, key, type: "call", call, child, isOpen });
    if (!isOpen || !first) return;
    const depth = at.depth + 1;
    if (child) this.addRun(child, depth, key);
    else for (const one of runs) this.#addOneOf({ depth, above: key, run }, one);
  }

  /** One of several runs of a call: a row of its own, and what is under it. */
  #addOneOf(at: At, child: RunNode): void {
    const isOpen = this.#folding.isOpen(child.id, { type: "run", run: child });
    this.#add({ ...at, key: child.id, type: "run", child, isOpen });
    if (isOpen) this.addRun(child, at.depth + 1, child.id);
  }

  #addMore(at: At, open: string, hidden: CallNode[]): void {
    this.#add({ ...at, key: open, type: "more", open, hidden });
  }

  #add(row: Row): void {
    this.rows.push(row);
  }
}

type At = Omit<Place, "key">;

function lineKey({ run }: At, { key }: Line): string {
  return `${run.id}/${key}`;
}
