/** How much of what a run may use it has used. */
import type { RunNode } from "../tree";
import type { Used } from "./family";
import { count, grouped, money, ticking } from "./words";

export interface Meter {
  of: "steps" | "calls" | "tokens" | "time" | "cost";
  value: number;
  max: number;
  /** `3 of 10 steps`. */
  words: string;
}

/** The meters of the limits that are set; `used` by the run and all runs inside it. */
export function metersOf(run: RunNode, took_s: number, used: Used): Meter[] {
  const { max_steps, max_calls, max_tokens, timeout_s, max_cost } = run.limits;
  return [
    meter("steps", run.step, max_steps, grouped),
    meter("calls", used.made, max_calls, grouped),
    meter("tokens", used.input + used.output, max_tokens, count),
    meter("time", took_s, timeout_s, ticking),
    meter("cost", used.cost ?? 0, max_cost, money),
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
  if (of === "cost") return { of, value, max, words: `cost ${say(value)} of ${say(max)}` };
  const unit = of === "time" ? "" : ` ${max === 1 ? of.slice(0, -1) : of}`;
  const most = of === "time" ? limitInWords(max) : say(max);
  return { of, value, max, words: `${say(value)} of ${most}${unit}` };
}

/** `60 s`, `5 min`. */
function limitInWords(seconds: number): string {
  return seconds >= 120 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
