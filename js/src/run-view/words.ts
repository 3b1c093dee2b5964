/**
 * What is said in words: states, durations, sizes, and one sentence for those who listen.
 *
 * @module
 */
import type { JsonValue } from "../events";
import {
  type CallNode,
  type CallStatus,
  callsOf,
  type RunNode,
  type RunStatus,
  type Tree,
} from "../tree";

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

export const RUN_WORDS: Record<RunStatus, string> = {
  running: "Running",
  completed: "Done",
  failed: "Failed",
  limit: "Limit reached",
  denied: "Denied",
  cancelled: "Cancelled",
  suspended: "Suspended",
  unknown: "Outcome unknown",
};

/** Whether a call has not ended. */
export function isOpenCall(call: CallNode): boolean {
  return call.status === "preparing" || call.status === "waiting" || call.status === "running";
}

/** Whether a call ended without a result, so that a person should see why. */
export function isError(call: CallNode): boolean {
  return call.status === "failed" || call.status === "timed_out";
}

/** `85 ms`, `0.8 s`, `1 min 05 s`. */
export function duration(seconds: number): string {
  if (seconds < 0.0995) return `${Math.max(0, Math.round(seconds * 1000))} ms`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
}

/** `950`, `1.9k`, `12k`, `1.2M`. */
export function count(many: number): string {
  if (many < 1000) return String(many);
  if (many < 9950) return `${(many / 1000).toFixed(1)}k`;
  if (many < 999_500) return `${Math.round(many / 1000)}k`;
  return `${(many / 1e6).toFixed(1)}M`;
}

/** `3 calls`, `1 call`. */
export function plural(many: number, one: string): string {
  return `${count(many)} ${one}${many === 1 ? "" : "s"}`;
}

/** Characters as a size: `640 characters`, `12 kB`. */
export function textSize(text: string): string {
  return text.length < 1000
    ? plural(text.length, "character")
    : `${count(text.length)}B`.replace("kB", " kB").replace("MB", " MB");
}

/** What a call is about, on one line: its only text, or `city: Paris, days: 3`. */
export function argumentsLine(value: JsonValue): string {
  if (value === null || typeof value !== "object") return value === null ? "" : line(value);
  return Object.entries(value)
    .map(([name, one]) => `${name}: ${line(one)}`)
    .join(", ");
}

/** Any value on one line, cut where nobody reads on. */
function line(value: JsonValue): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const flat = text.slice(0, 200).replace(/\s+/g, " ").trim();
  return text.length > 200 ? `${flat}…` : flat;
}

/** Tokens of a run and of all runs below it: input, output and, of the input, cached. */
export function tokensOf(
  tree: Tree,
  run: RunNode,
): { input: number; output: number; cached: number } {
  const total = {
    input: run.usage.input_tokens,
    output: run.usage.output_tokens,
    cached: run.usage.cached_tokens,
  };
  for (const child of Object.values(tree.runs)) {
    if (child.parent_run_id !== run.id) continue;
    const below = tokensOf(tree, child);
    total.input += below.input;
    total.output += below.output;
    total.cached += below.cached;
  }
  return total;
}

/** A call as a screen reader says it: `weather, city: Paris, done, 0.8 s, 24 rows`. */
export function callSentence(call: CallNode): string {
  const took = call.duration_ms === null ? "" : duration(call.duration_ms / 1000);
  const about = call.hint ? "" : argumentsLine(call.arguments);
  const said = [call.hint ?? call.name, about, CALL_WORDS[call.status].toLowerCase(), took];
  return [...said, call.preview ?? ""].filter(Boolean).join(", ");
}

/** What the run is doing, as a sentence that changes only when its state does. */
export function runSentence(run: RunNode): string {
  const calls = callsOf(run);
  if (run.status !== "running") {
    const took =
      run.ended_at === null ? "" : `, ${Math.round(run.ended_at - run.started_at)} seconds`;
    return `${RUN_WORDS[run.status]}: ${plural(calls.length, "call")}${took}`;
  }
  const named = (status: CallStatus) =>
    calls.filter((call) => call.status === status).map((call) => call.name);
  const waiting = named("waiting");
  if (waiting.length) return `Waiting for you: ${waiting.join(", ")}`;
  const running = named("running");
  if (running.length) return `Calling ${running.join(", ")}`;
  const last = calls.at(-1);
  const failed =
    last && isError(last) ? `${last.name} ${CALL_WORDS[last.status].toLowerCase()}. ` : "";
  return `${failed}${run.phase === "synthesizing" ? "Answering" : "Thinking"}`;
}
