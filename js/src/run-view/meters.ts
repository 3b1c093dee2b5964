/**
 * How much of what a run may use it has used.
 *
 * @module
 */
import { callsOf, type RunNode } from "../tree";
import { count, ticking } from "./words";

export interface Meter {
  of: "steps" | "calls" | "tokens" | "time";
  value: number;
  max: number;
  /** `3 of 10 steps`. */
  words: string;
}

/** The meters of the limits that are set. */
export function metersOf(run: RunNode, took_s: number, tokens: number): Meter[] {
  const { max_steps, max_calls, max_tokens, timeout_s } = run.limits;
  return [
    meter("steps", run.step, max_steps, count),
    meter("calls", callsOf(run).length, max_calls, count),
    meter("tokens", tokens, max_tokens, count),
    meter("time", took_s, timeout_s, ticking),
  ].flatMap((one) => one ?? []);
}

function meter(
  of: Meter["of"],
  used: number,
  max: number | null,
  say: (many: number) => string,
): Meter | null {
  if (max === null) return null;
  const value = of === "steps" ? Math.min(used, max) : used; // the last answer is a step beyond
  const unit = of === "time" ? "" : ` ${max === 1 ? of.slice(0, -1) : of}`;
  const most = of === "time" ? limitInWords(max) : say(max);
  return { of, value, max, words: `${say(value)} of ${most}${unit}` };
}

/** `60 s`, `5 min`. */
function limitInWords(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
