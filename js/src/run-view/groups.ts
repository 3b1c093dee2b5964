/**
 * The rows of a run: its items in order, with neighbouring calls of one tool in a group.
 *
 * @module
 */
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import {
  type CallNode,
  type CallStatus,
  entry,
  type HandoffItem,
  type RunNode,
  type TextItem,
} from "../tree";
import { literal } from "./python";
import { refusedOf } from "./troubles";
import { CALL_WORDS, clipped, isOpenCall, plural } from "./words";

export type Row = TextRow | HandoffRow | CallRow | GroupRow;

export interface TextRow {
  type: "text" | "thought";
  key: string;
  item: TextItem;
}

export interface HandoffRow {
  type: "handoff";
  key: string;
  item: HandoffItem;
}

export interface CallRow {
  type: "call";
  key: string;
  call: CallNode;
}

/** Calls of one tool, one after the other, with nothing between them. */
export interface GroupRow {
  type: "group";
  key: string;
  name: string;
  calls: CallNode[];
}

/** The rows of a run. A call that `standsAlone` is in no group, and no text is. */
export function rowsOf(
  run: RunNode,
  except: TextItem | null,
  standsAlone: (call: CallNode) => boolean,
): Row[] {
  const rows: Row[] = [];
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
    const row: CallRow = { type: "call", key: `call ${call.id}`, call };
    if (last?.type === "group" && last.name === call.name && !standsAlone(call)) {
      last.calls.push(call);
    } else if (last?.type === "call" && canJoin(last.call, call, standsAlone)) {
      const calls = [last.call, call];
      rows[rows.length - 1] = {
        type: "group",
        key: `group ${last.call.id}`,
        name: call.name,
        calls,
      };
    } else rows.push(row);
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
export function groupKey(run_id: string, { key }: GroupRow): string {
  return `${run_id}/${key}`;
}

/** The calls of some rows, those in groups too. */
export function callsIn(rows: Row[]): CallNode[] {
  return rows.flatMap((row) => {
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

/** How the calls of a group went: `Done`, or `2 running, 1 failed`. */
export function groupWords(calls: CallNode[]): string {
  const told = statusCounts(calls).filter(([status]) => status !== "done");
  const [first] = told;
  if (!first) return CALL_WORDS.done;
  if (told.length === 1 && first[1] === calls.length) return CALL_WORDS[first[0]];
  return told.map(([status, many]) => `${many} ${CALL_WORDS[status].toLowerCase()}`).join(", ");
}

function statusCounts(calls: CallNode[]): [CallStatus, number][] {
  return WEIGHTS.flatMap((status): [CallStatus, number][] => {
    const many = calls.filter((call) => call.status === status).length;
    return many ? [[status, many]] : [];
  });
}

/** What the rows behind a button hold: `9 more calls, 1 failed`. */
export function moreWords(hidden: Row[]): string {
  const calls = callsIn(hidden);
  const telling = statusCounts(calls).filter(([status]) => status !== "done");
  const words = telling.map(([status, many]) => `${many} ${CALL_WORDS[status].toLowerCase()}`);
  const more = calls.length ? plural(calls.length, "more call", "more calls") : "More";
  return `… ${[more, ...words].join(", ")}`;
}

/** What the calls of a group are about: the values of an argument in which they differ, words first. */
export function subjects(calls: CallNode[]): string {
  const given = calls.map((call) => (isRecord(call.arguments) ? call.arguments : {}));
  const told = Object.keys(given[0] ?? {}).map((name) => given.map((one) => entry(one, name)));
  const many = told.filter((values) => distinct(values).length > 1);
  const inWords = many.find((values) => values.every((one) => typeof one === "string"));
  return clipped(distinct(inWords ?? many[0] ?? told[0] ?? []).join(", "), 80);
}

/** What the calls of a group gave, where that is short. */
export function previews(calls: CallNode[]): string {
  return clipped(distinct(calls.map(({ preview }) => preview)).join(", "), 40);
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
