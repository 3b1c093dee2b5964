/** What is said in words: states, durations, sizes, and one sentence for those who listen. */

import { isRecord } from "../bridge";
import { jsonText } from "../numbers";
import type { JsonValue } from "../tree";
import {
  BY_HAND,
  CALL_WORDS,
  type CallNode,
  type CallStatus,
  callsOf,
  type RunNode,
} from "../tree";
import { exact, plain, visible, visibleName } from "../visible-text";
import { argumentWords, type Given } from "./python";

export { CALL_WORDS, NOT_ASKED, RUN_WORDS } from "../tree";

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

/** A count in few characters, of tokens: `950`, `1.9k`, `12k`, `1.2M`. */
export function count(many: number): string {
  if (many < 1000) return String(many);
  if (many < 9950) return `${(many / 1000).toFixed(1)}k`;
  if (many < 999_500) return `${Math.round(many / 1000)}k`;
  return `${(many / 1e6).toFixed(1)}M`;
}

/** `3 calls`, `1 call`, `1,234 calls`. */
export function plural(many: number, one: string, others = `${one}s`): string {
  return `${grouped(many)} ${many === 1 ? one : others}`;
}

/** `1,234,567`. */
export function grouped(many: number): string {
  return many.toLocaleString("en-US");
}

/** How large a text is. */
export function textSize(text: string): string {
  return size(new TextEncoder().encode(text).length);
}

/** A size: `312 bytes`, `45.2 kB`, `3.1 MB`, `2.0 GB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, "byte");
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Who decided; runs that were saved before say `the person` of whoever looks at them. */
export function toPeople(who: string): string {
  return who.replace(/^nobody: /, "").replace(/^the person\b/, "you");
}

/** Whether a run is one call of a person's own: neither an agent nor a model has a part in it. */
export function isByHand({ model }: RunNode): boolean {
  return model === BY_HAND[0];
}

/** Who a run is of, as its card names them. */
export function ownerOf(run: RunNode): string {
  return isByHand(run) ? BY_HAND[1] : visibleName(run.agent_name);
}

/**
 * What a call is about, as one would write it in Python: `city="Paris", days=3 (default)`.
 *
 * @param names Of its arguments those to say; by default all.
 */
export function argumentsLine(of: Given, names?: readonly string[]): string {
  const { arguments: given, defaults = [] } = of;
  if (!names || !isRecord(given)) return argumentWords(of, valueLine).join(", ");
  const all = Object.entries(given);
  const shown = Object.fromEntries(all.filter(([name]) => names.includes(name)));
  const isMore = all.some(([name]) => !names.includes(name) && !defaults.includes(name));
  const words = argumentWords({ ...of, arguments: shown }, valueLine).join(", ");
  return isMore ? `${words}, …` : words;
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
  // What the model is told of what people did they read otherwise.
  const own = isError(call) ? "" : call.explanation?.what;
  return clipped(own || call.preview || call.content || "", 100);
}

/** So much of a value is looked at for its line. */
const LOOKED_AT = 480;

/** A text on one line, cut where nobody reads on, with nothing hidden in it. */
export function clipped(text: string, limit = 60): string {
  const flat = visible(text.slice(0, 4 * limit))
    .replace(/\s+/g, " ")
    .trim();
  const signs = [...flat]; // no sign of two units is cut in its middle
  const isWhole = signs.length <= limit && text.length <= 4 * limit;
  return isWhole
    ? flat
    : `${signs
        .slice(0, limit - 1)
        .join("")
        .trimEnd()}…`;
}

/** An amount of money, in the person's own currency: `12.5`, `0.0031`, `0.00001`. */
export function money(amount: number): string {
  const isSmall = amount > 0 && amount < 1;
  const decimals = isSmall ? 1 - Math.floor(Math.log10(amount)) : 2;
  return amount.toFixed(Math.min(decimals, 100)).replace(/\.?0+$/, "");
}

/** What a row says of its call beside what the call itself knows. */
export interface RowWords {
  /** What tells it from its siblings. */
  about?: string;
  gave: string;
  /** What of the calls inside it came to nothing. */
  inside: string;
  status: CallStatus;
  time: string;
}

/** A call as a screen reader says it, in the order in which its row shows it. */
export function callSentence(call: CallNode, words: RowWords): string {
  const { gave, inside, status, time } = words;
  const about = call.hint ? visibleName(call.name) : (words.about ?? argumentsLine(call));
  const word = CALL_WORDS[status].toLowerCase();
  const leave = call.authorization?.under_grant ? "not asked" : "";
  const named = [call.hint ?? visibleName(call.name), about, gave, inside, call.handle];
  const said = [...named, leave, call.kept ? "kept" : "", word, time];
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
