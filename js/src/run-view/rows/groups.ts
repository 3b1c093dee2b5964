/** The lines of one run: its items in order, with neighbouring calls of one tool in a group. */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import {
  type CallNode,
  type CallStatus,
  entry,
  type HandoffItem,
  type RunNode,
  type TextItem,
} from "../../tree";
import { visibleName } from "../../visible-text";
import { CALL_WORDS, clipped, isOpenCall, literal, plural, refusedOf } from "../../words";

export type Line = TextLine | HandoffLine | CallLine | GroupLine;

export interface TextLine {
  type: "text" | "thought";
  key: string;
  item: TextItem;
}

export interface HandoffLine {
  type: "handoff";
  key: string;
  item: HandoffItem;
}

export interface CallLine {
  type: "call";
  key: string;
  call: CallNode;
}

/** Calls of one tool, one after the other, with nothing between them. */
export interface GroupLine {
  type: "group";
  key: string;
  name: string;
  calls: CallNode[];
}

/** The lines of a run. A call that `standsAlone` is in no group, and no text is. */
export function linesOf(
  run: RunNode,
  except: TextItem | null,
  standsAlone: (call: CallNode) => boolean,
): Line[] {
  const rows: Line[] = [];
  for (const [at, item] of run.items.entries()) {
    if (item === except) continue;
    if (item.type !== "call") {
      const key = `${item.type} ${at}`;
      rows.push(
        item.type === "handoff" ? { type: item.type, key, item } : { type: item.type, key, item },
      );
      continue;
    }
    const call = entry(run.calls, item.call_id);
    if (!call) continue;
    const last = rows.at(-1);
    if (last?.type === "group" && last.name === call.name && !standsAlone(call)) {
      last.calls.push(call);
    } else if (last?.type === "call" && canJoin(last.call, call, standsAlone)) {
      const calls = [last.call, call];
      const key = `group ${last.call.id}`;
      rows[rows.length - 1] = { type: "group", key, name: call.name, calls };
    } else rows.push({ type: "call", key: `call ${call.id}`, call });
  }
  return rows;
}

function canJoin(
  last: CallNode,
  next: CallNode,
  standsAlone: (call: CallNode) => boolean,
): boolean {
  return last.name === next.name && !standsAlone(last) && !standsAlone(next);
}

/** The key under which a group is open; it stays when calls join. */
export function groupKey(run_id: string, { key }: GroupLine): string {
  return `${run_id}/${key}`;
}

/** The calls of some lines, those in groups too. */
export function callsIn(lines: Line[]): CallNode[] {
  return lines.flatMap((row) => {
    if (row.type === "group") return row.calls;
    return row.type === "call" ? [row.call] : [];
  });
}

/** Whether something in a group wants to be seen: what came to nothing, or has not ended. */
export function isUrgent(calls: CallNode[]): boolean {
  return calls.some((call) => !QUIET.has(call.status) || refusedOf([call]) > 0);
}

const QUIET = new Set<CallStatus>(["done", "cancelled", "skipped"]);

/** The most telling first: the state of a group is that of its most telling call. */
const WEIGHTS: CallStatus[] = [
  "waiting",
  "running",
  "preparing",
  "failed",
  "timed_out",
  "unknown",
  "denied",
  "cancelled",
  "skipped",
  "done",
];

export function groupStatus(calls: CallNode[]): CallStatus {
  return WEIGHTS.find((status) => calls.some((call) => call.status === status)) ?? "done";
}

/** The sign of a group: a tick where all is well, a cross where nothing is, `partly` between them. */
export function groupSign(calls: CallNode[], inside: string): CallStatus | "partly" {
  const status = groupStatus(calls);
  const isMixed =
    inside !== "" || (status !== "done" && calls.some((one) => one.status === "done"));
  return isMixed && !calls.some(isOpenCall) ? "partly" : status;
}

/** How the calls of a group went: `Done`, or `2 running, 1 failed`. */
export function groupWords(calls: CallNode[]): string {
  const told = tellingCounts(calls);
  const [first] = told;
  if (!first) return CALL_WORDS.done;
  if (told.length === 1 && first[1] === calls.length) return CALL_WORDS[first[0]];
  return counted(told).join(", ");
}

/** Of how many calls something holds: `2 kept`, of those that a branch has not made itself. */
export function howMany(
  calls: CallNode[],
  holds: (call: CallNode) => unknown,
  word: string,
): string {
  const many = calls.filter(holds).length;
  return many ? `${many} ${word}` : "";
}

type Count = [status: CallStatus, many: number];

/** How many calls are how, but for those that went well. */
function tellingCounts(calls: CallNode[]): Count[] {
  const counts = WEIGHTS.map((one): Count => [one, calls.filter((c) => c.status === one).length]);
  return counts.filter(([status, many]) => many && status !== "done");
}

function counted(counts: Count[]): string[] {
  return counts.map(([status, many]) => `${many} ${CALL_WORDS[status].toLowerCase()}`);
}

/** What the rows behind a button hold: `9 more calls, 1 failed`. */
export function moreWords(calls: CallNode[]): string {
  const words = counted(tellingCounts(calls));
  const more = calls.length ? plural(calls.length, "more call", "more calls") : "More";
  return `… ${[more, ...words].join(", ")}`;
}

/** What the calls of a group are about: the values of an argument in which they differ, words first. */
export function subjects(calls: CallNode[]): string {
  const given = calls.map((call) => (isRecord(call.arguments) ? call.arguments : {}));
  const told = Object.keys(given[0] ?? {}).map((name) => ({
    name,
    values: given.map((one) => entry(one, name)),
  }));
  const many = told.filter(({ values }) => distinct(values).length > 1);
  const inWords = many.find(({ values }) => values.every((one) => typeof one === "string"));
  const { name, values } = inWords ?? many[0] ?? told[0] ?? { name: "", values: [] };
  const isClear = values.every((one) => typeof one === "string"); // a number says nothing by itself
  const words = distinct(values).join(", ");
  return clipped(isClear || !words ? words : `${visibleName(name)} ${words}`, 80);
}

/** What the calls of a group gave, where that is short. */
export function previews(calls: CallNode[]): string {
  const gave = calls.filter(({ explanation }) => !explanation);
  return clipped(distinct(gave.map(({ preview }) => preview)).join(", "), 40);
}

function distinct(values: (JsonValue | undefined)[]): string[] {
  const words = values.flatMap((value) => {
    if (value === undefined || value === null) return [];
    return [clipped(typeof value === "string" ? value : literal(value), 30)];
  });
  return [...new Set(words)];
}

/** When a group began, and how long it took from its first call to its last; seconds. */
export function groupSpan(calls: CallNode[]): { from_s: number | null; length_s: number | null } {
  const started = calls.flatMap((call) => call.started_at ?? []);
  if (!started.length) return { from_s: null, length_s: null };
  const from_s = Math.min(...started);
  if (calls.some(isOpenCall)) return { from_s, length_s: null };
  const ends = calls.map((call) => (call.started_at ?? from_s) + (call.duration_ms ?? 0) / 1000);
  return { from_s, length_s: Math.max(...ends) - from_s };
}
