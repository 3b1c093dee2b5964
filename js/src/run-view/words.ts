/**
 * What is said in words: states, durations, sizes, and one sentence for those who listen.
 *
 * @module
 */

import type { JsonValue } from "../events";
import { jsonText } from "../numbers";
import { type CallNode, type CallStatus, callsOf, type RunNode, type RunStatus } from "../tree";
import { exact, plain, visible, visibleName } from "../visible";
import { argumentWords, type Given } from "./python";

export const CALL_WORDS: Record<CallStatus, string> = {
  preparing: "Preparing",
  waiting: "Waiting for you",
  running: "Running",
  done: "Done",
  failed: "Failed",
  denied: "Denied",
  cancelled: "Cancelled",
  timed_out: "Timed out",
  skipped: "Skipped",
  unknown: "Outcome unknown",
};

export const RUN_WORDS: Record<RunStatus | "waiting", string> = {
  waiting: CALL_WORDS.waiting,
  running: "Running",
  completed: "Done",
  failed: "Failed",
  limit: "Stopped at a limit",
  denied: "Denied",
  cancelled: "Cancelled",
  suspended: "Suspended",
  unknown: "Outcome unknown",
};

/** What is said of a call that nobody was asked about. */
export const NOT_ASKED = "Not asked: you allowed all calls of this tool in this session";

/** Whether a call has not ended. */
export function isOpenCall(call: CallNode): boolean {
  return call.status === "preparing" || call.status === "waiting" || call.status === "running";
}

/** Whether a call ended without a result, so that a person should see why. */
export function isError(call: CallNode): boolean {
  return call.status === "failed" || call.status === "timed_out";
}

/** How long something took: `85 ms`, `0.8 s` from one second on, `1 min 5 s`; nothing for no time. */
export function duration(seconds: number): string {
  const ms = seconds * 1000;
  if (ms <= 0) return "";
  if (ms < 10) return `${Math.max(ms, 0.1).toFixed(1)} ms`;
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  return ticking(seconds);
}

/** Waiting for people for less than this is not worth a word; seconds. */
const WORTH_SAYING_S = 0.5;

/** How long something took, and how much of it people were waited for: `4.6 s, 4.5 s of it waiting`. */
export function took(took_s: number, waited_s: number, say = duration): string {
  const time = say(took_s);
  return isWaitingWorth(waited_s) && time ? `${time}, ${ticking(waited_s)} of it waiting` : time;
}

/** Whether a wait for people is worth a word. */
export function isWaitingWorth(waited_s: number): boolean {
  return waited_s >= WORTH_SAYING_S;
}

/** How long something has been going on. */
export function ticking(seconds: number): string {
  if (seconds < 59.95) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** `950`, `1.9k`, `12k`, `1.2M`. */
export function count(many: number): string {
  if (many < 1000) return String(many);
  if (many < 9950) return `${(many / 1000).toFixed(1)}k`;
  if (many < 999_500) return `${Math.round(many / 1000)}k`;
  return `${(many / 1e6).toFixed(1)}M`;
}

/** `3 calls`, `1 call`. */
export function plural(many: number, one: string, others = `${one}s`): string {
  return `${count(many)} ${many === 1 ? one : others}`;
}

/** `1,234,567`. */
export function grouped(many: number): string {
  return many.toLocaleString("en-US");
}

/** How large a text is. */
export function textSize(text: string): string {
  return size(new TextEncoder().encode(text).length);
}

/** A size: `312 bytes`, `45.2 kB`, `3.1 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  return bytes < 999_950 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** What a call is about, as one would write it in Python: `city="Paris", days=3 (default)`. */
export function argumentsLine(of: Given): string {
  return argumentWords(of, valueLine).join(", ");
}

function valueLine(written: string): string {
  return clipped(plain(written.slice(0, LOOKED_AT)));
}

/** Arguments as JSON, over several lines, with nothing hidden in them. */
export function exactJson(value: JsonValue): string {
  const written = jsonText(value, "  ");
  return exact(written).replace(/^( *)("(?:[^"\\]|\\.)*"):/gm, (_, indent, name) => {
    return `${indent}${visibleName(name)}:`;
  });
}

/** One line of what a call gave. */
export function preview(call: CallNode): string {
  return clipped(call.preview || call.content || "", 100);
}

/** So much of a value is looked at for its line. */
const LOOKED_AT = 480;

/** A text on one line, cut where nobody reads on, with nothing hidden in it. */
export function clipped(text: string, limit = 60): string {
  const flat = visible(text.slice(0, 4 * limit))
    .replace(/\s+/g, " ")
    .trim();
  return flat.length <= limit ? flat : `${flat.slice(0, limit - 1).trimEnd()}…`;
}

/** An amount of money, in the person's own currency: `12.5`, `0.0031`. */
export function money(amount: number): string {
  return String(Number(amount.toPrecision(amount < 1 ? 2 : 4)));
}

/** What a row says of its call beside what the call itself knows. */
export interface RowWords {
  gave: string;
  /** What of the calls inside it came to nothing. */
  inside: string;
  status: CallStatus;
  time: string;
}

/** A call as a screen reader says it, in the order in which its row shows it. */
export function callSentence(call: CallNode, { gave, inside, status, time }: RowWords): string {
  const about = call.hint ? visibleName(call.name) : argumentsLine(call);
  const word = CALL_WORDS[status].toLowerCase();
  const leave = call.authorization?.under_grant ? "not asked" : "";
  const named = [call.hint ?? visibleName(call.name), about, gave, inside, call.handle];
  const said = [...named, leave, word, time];
  return said.filter(Boolean).join(", ");
}

/**
 * What the run is doing, as a sentence that changes only when its state does.
 *
 * @param asked What waits for an answer, in the run or in those inside it.
 * @param waited_s How much of its time people were waited for.
 * @param came What came of it, and how many calls there were unless that says it.
 */
export function runSentence(
  run: RunNode,
  asked: readonly string[],
  waited_s: number,
  came: string,
): string {
  const calls = callsOf(run);
  if (run.status !== "running") return `${came}${runTime(run, waited_s)}`;
  if (asked.length) return `Waiting for you: ${asked.join("; ")}`;
  const named = (status: CallStatus) =>
    calls.filter((call) => call.status === status).map((call) => call.name);
  const held = calls.find(({ status, progress }) => status === "preparing" && progress?.message);
  if (held) return `${held.progress?.message}: ${held.name}`;
  const running = named("running");
  if (running.length) return `Calling ${namedOnce(running)}`;
  const last = calls.at(-1);
  const failed =
    last && isError(last) ? `${last.name} ${CALL_WORDS[last.status].toLowerCase()}. ` : "";
  return `${failed}${run.phase === "synthesizing" ? "Answering" : "Thinking"}`;
}

function runTime({ started_at, ended_at }: RunNode, waited_s: number): string {
  if (ended_at === null) return "";
  const waiting = isWaitingWorth(waited_s) ? `, ${Math.round(waited_s)} of them waiting` : "";
  return `, ${Math.round(ended_at - started_at)} seconds${waiting}`;
}

/** Names, each once, with how often it is there: `watch ×2, look`. */
export function namedOnce(names: string[]): string {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return [...times].map(([name, many]) => (many === 1 ? name : `${name} ×${many}`)).join(", ");
}
