/**
 * Which arguments tell the calls of one tool apart, as `nbagents/runs/wording/rows/telling.py` decides it: both
 * pass `tests/fixtures/telling.json`.
 */
import { isRecord } from "../bridge";
import { jsonText } from "../numbers";
import { type CallNode, callsOf, type JsonValue, once, type RunNode } from "../tree";

/** What is read of a call. */
export type Telling = Pick<CallNode, "name" | "arguments" | "defaults">;

const MOST = 2;
/** A value that is longer as JSON says little on a row. */
const LONG = 60;

/** The names of the arguments that tell calls apart, by tool: at most two. */
export function tellingArguments(calls: Telling[]): ReadonlyMap<string, string[]> {
  const byTool = new Map<string, Telling[]>();
  for (const call of calls)
    if (isRecord(call.arguments)) once(byTool, call.name, () => []).push(call);
  return new Map([...byTool].map(([name, alike]) => [name, telling(alike)]));
}

const ofRuns = new WeakMap<RunNode, ReadonlyMap<string, string[]>>();

/** The same of the calls of a run. */
export function tellingIn(run: RunNode): ReadonlyMap<string, string[]> {
  return once(ofRuns, run, () => tellingArguments(callsOf(run)));
}

/** What is known of one argument of several calls. */
interface About {
  name: string;
  differs: boolean;
  isLong: boolean;
  isDefault: boolean;
}

function telling(calls: Telling[]): string[] {
  const names = new Set(calls.flatMap((call) => Object.keys(given(call))));
  const all = [...names].map((name) => about(calls, name));
  const differing = all.filter(({ differs }) => differs);
  const said = all.filter(({ isDefault }) => !isDefault);
  const picked = [differing, said, all].find(({ length }) => length > 0) ?? [];
  const short = picked.filter(({ isLong }) => !isLong);
  const long = picked.filter(({ isLong }) => isLong);
  return [...short, ...long].slice(0, MOST).map(({ name }) => name);
}

function about(calls: Telling[], name: string): About {
  const values = new Set(
    calls.map((call) => (Object.hasOwn(given(call), name) ? written(given(call)[name]) : "")),
  );
  return {
    name,
    differs: values.size > 1,
    isLong: [...values].some(({ length }) => length > LONG),
    isDefault: calls.every(({ defaults = [] }) => defaults.includes(name)),
  };
}

function given(call: Telling): Record<string, JsonValue> {
  return isRecord(call.arguments) ? call.arguments : {};
}

const texts = new WeakMap<object, string>();

/** A value as JSON; what is no plain value is written once. */
function written(value: JsonValue | undefined): string {
  if (value === undefined || value === null || typeof value !== "object")
    return jsonText(value ?? null);
  return once(texts, value, () => jsonText(value));
}
