/**
 * Numbers that JavaScript has not, or would write otherwise: 9007199254740993, 1.0. They travel as
 * `{"$number": "9007199254740993"}`; see `nbagents/tools/values/exact_number.py`. Where numbers are shown, written or
 * sent back, it is through this module.
 */
import { isRecord } from "./bridge";
import type { JsonValue } from "./tree";
import { put } from "./tree";

const KEY = "$number";
/** Also a key of somebody's own, which got one more sign on its way. */
const ESCAPED = /^\$\$+number$/;
const NUMBER = /"(?:[^"\\]|\\.)*"(\s*:)?|-?\d+(\.\d+)?([eE][+-]?\d+)?/g;

/** The number that a value stands for, as it is written. */
export function exactText(value: unknown): string | null {
  if (!isRecord(value)) return null;
  const text = Object.hasOwn(value, KEY) ? value[KEY] : null;
  return typeof text === "string" && Object.keys(value).length === 1 ? text : null;
}

/** Whether a value holds others. */
export function isHolder(value: JsonValue): value is JsonValue[] | { [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && exactText(value) === null;
}

/** The entries of a value that holds others, by the names that they have. */
export function entriesOf(value: object): [string, JsonValue][] {
  return Object.entries(value).map(([name, one]) => [nameOf(name), one]);
}

function nameOf(key: string): string {
  return ESCAPED.test(key) ? key.slice(1) : key;
}

function keyOf(name: string): string {
  return name === KEY || ESCAPED.test(name) ? `$${name}` : name;
}

/** A value as JSON, each number as it is. */
export function jsonText(value: JsonValue, indent = ""): string {
  return written(value, indent, indent ? "\n" : "");
}

function written(value: JsonValue, indent: string, line: string): string {
  if (!isHolder(value)) return exactText(value) ?? JSON.stringify(value);
  const inner = line + indent;
  const between = `,${inner}`;
  if (Array.isArray(value)) {
    const items = value.map((one) => written(one, indent, inner));
    return items.length ? `[${inner}${items.join(between)}${line}]` : "[]";
  }
  const colon = indent ? ": " : ":";
  const fields = entriesOf(value).map(
    ([name, one]) => JSON.stringify(name) + colon + written(one, indent, inner),
  );
  return fields.length ? `{${inner}${fields.join(between)}${line}}` : "{}";
}

/** The value of a text that is JSON, each number as it was written; throws as `JSON.parse` does. */
export function parsedJson(text: string): JsonValue {
  const plain: JsonValue = JSON.parse(text); // and says what is wrong with it
  let isPlain = true;
  const exact = text.replace(NUMBER, (token, colon) => {
    if (!token.startsWith('"')) {
      if (isSame(token)) return token;
      isPlain = false;
      return JSON.stringify({ [KEY]: token });
    }
    if (!colon || !token.includes("$") || !token.includes("number")) return token;
    isPlain = false;
    return `${JSON.stringify(keyOf(JSON.parse(token.slice(0, -colon.length))))}:`;
  });
  return isPlain ? plain : JSON.parse(exact);
}

/** A number as it was written; `null` where it is none. */
export function numberOf(text: string): JsonValue | null {
  const token = text.trim();
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(token)) return null;
  if (!Number.isFinite(Number(token))) return null;
  const isWhole = /^[+-]?\d+$/.test(token);
  const exact = isWhole ? BigInt(token.replace(/^\+/, "")).toString() : token;
  return isSame(exact) ? Number(exact) : { [KEY]: exact };
}

/** Whether a number is the same in JavaScript, and is written the same. */
function isSame(token: string): boolean {
  const value = Number(token);
  if (/^-?\d+$/.test(token)) return Number.isSafeInteger(value) && token !== "-0";
  return Number.isFinite(value) && !Number.isInteger(value);
}

/** A value with the numbers that JavaScript has, for what draws or reckons with them. */
export function plainNumbers(value: JsonValue): JsonValue {
  const text = exactText(value);
  if (text !== null) return Number(text);
  if (!isHolder(value)) return value;
  if (Array.isArray(value)) return value.map(plainNumbers);
  const made: Record<string, JsonValue> = {};
  for (const [name, one] of entriesOf(value)) put(made, name, plainNumbers(one));
  return made;
}
