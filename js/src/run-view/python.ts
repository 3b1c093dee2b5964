/**
 * What was done, as one would write it in Python: a call, and a cell that asks again.
 *
 * @module
 */
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import type { CallNode, RunNode } from "../tree";

const NAME = /^[A-Za-z_]\w*$/;
/** What a Python program cannot use as a name. */
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const SEPARATOR = "--";

/** A value of JSON in Python. */
export function literal(value: JsonValue): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return `{${fieldsOf(value)}}`;
}

/** A call in Python, a tool of a toolset as its attribute: `area(r=2)`, `maps.setCenter(zoom=3)`. */
export function callInPython(
  { name, arguments: given }: CallNode,
  written_arguments = argumentsInPython(given),
): string {
  const [first = "", ...rest] = name.split(SEPARATOR);
  const written = [first, rest.join(SEPARATOR)].filter(Boolean).map(nameInPython).join(".");
  return `${written}(${written_arguments})`;
}

function argumentsInPython(given: JsonValue): string {
  if (given === null) return "";
  if (!isRecord(given)) return literal(given);
  const fields = Object.entries(given);
  if (!fields.every(([name]) => isName(name))) return `**{${fieldsOf(given)}}`;
  return fields.map(([name, value]) => `${name}=${literal(value)}`).join(", ");
}

function fieldsOf(value: Record<string, JsonValue>): string {
  const fields = Object.entries(value);
  return fields.map(([name, one]) => `${JSON.stringify(name)}: ${literal(one)}`).join(", ");
}

function isName(text: string): boolean {
  return NAME.test(text) && !KEYWORDS.has(text);
}

function nameInPython(text: string): string {
  const name = text.replace(/\W/g, "_");
  return isName(name) ? name : `_${name}`;
}

/** A cell that asks the same, in the same conversation; braces stay what they were. */
export function cellAgain({ prompt, chat }: RunNode): string {
  const options = chat === null ? "" : ` -c ${/^[\w.]+$/.test(chat) ? chat : JSON.stringify(chat)}`;
  return `%%agent${options}\n${prompt.replaceAll("{{", "\\{{")}`;
}
