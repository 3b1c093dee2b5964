/**
 * What was done, as one would write it in Python: a call, and a cell that asks again. A call is written
 * as `nbagents/runs/tree/python.py` writes it; both pass `tests/fixtures/python.json`.
 *
 * @module
 */
import type { JsonValue } from "../events";
import { entriesOf, exactText, isHolder } from "../numbers";
import { type CallNode, entry, type RunNode } from "../tree";
import { visibleName } from "../visible";

const NAME = /^[A-Za-z_]\w*$/;
/** A name in any script. */
const WORD = /^[\p{XIDS}_]\p{XIDC}*$/u;
/** What a Python program cannot use as a name. */
const KEYWORDS = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield".split(
    " ",
  ),
);
const SEPARATOR = "--";

/** What is an object, by JSON pointer: it is written by its name. */
type Objects = Readonly<Record<string, string>>;

/** What a call, or a question about one, says of its arguments. */
export type Given = Pick<CallNode, "arguments" | "defaults" | "objects">;

/** A value of JSON in Python. */
export function literal(
  value: JsonValue,
  path = "",
  objects: Objects = {},
  held = (name: string) => name,
): string {
  if (typeof value === "string")
    return isObject(objects, path) ? held(value) : JSON.stringify(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (!isHolder(value)) return exactText(value) ?? numberInPython(Number(value));
  if (Array.isArray(value))
    return `[${value.map((one, at) => literal(one, `${path}/${at}`, objects, held)).join(", ")}]`;
  return `{${fieldsOf(entriesOf(value), path, objects, held)}}`;
}

/** A number that is JavaScript's too; small ones have an exponent, of two digits at least. */
function numberInPython(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e-(\d)$/, "e-0$1");
}

/** A call in Python, a tool of a toolset as its attribute: `area(r=2)`, `maps.setCenter(zoom=3)`. */
export function callInPython(
  call: Given & Pick<CallNode, "name">,
  written_arguments = argumentsInPython(call),
): string {
  const [first = "", ...rest] = call.name.split(SEPARATOR);
  const written = [first, rest.join(SEPARATOR)].filter(Boolean).map(nameInPython).join(".");
  return `${written}(${written_arguments})`;
}

/** Those that were given; the others Python takes by itself. */
function argumentsInPython({ arguments: given, defaults = [], objects = {} }: Given): string {
  if (given === null) return "";
  if (!isHolder(given) || Array.isArray(given)) return literal(given);
  const fields = entriesOf(given).filter(([name]) => !defaults.includes(name));
  if (!fields.every(([name]) => isName(name)))
    return `**{${fieldsOf(fields, "", objects, heldIn)}}`;
  return fields
    .map(([name, one]) => `${name}=${literal(one, at("", name), objects, heldIn)}`)
    .join(", ");
}

/** What a call is made with, a piece each: `disk="sda"`, `passes=3 (default)`. */
export function argumentWords(
  { arguments: given, defaults = [], objects = {} }: Given,
  cut: (text: string) => string,
): string[] {
  if (given === null) return [];
  if (!isHolder(given) || Array.isArray(given)) return [cut(literal(given))];
  return entriesOf(given).map(([name, one]) => {
    const written = cut(literal(one, at("", name), objects));
    return `${nameInWords(name)}=${written}${defaults.includes(name) ? " (default)" : ""}`;
  });
}

/** The name of an argument: quoted where it is none, so that it passes for nothing else. */
function nameInWords(name: string): string {
  const shown = visibleName(name);
  return WORD.test(shown) ? shown : visibleName(JSON.stringify(name));
}

/** The JSON pointer of something inside of something. */
export function at(path: string, name: string): string {
  return `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function isObject(objects: Objects, path: string): boolean {
  return entry(objects as Record<string, string>, path) !== undefined;
}

function fieldsOf(
  fields: [string, JsonValue][],
  path: string,
  objects: Objects,
  held: (name: string) => string,
): string {
  return fields
    .map(([name, one]) => `${JSON.stringify(name)}: ${literal(one, at(path, name), objects, held)}`)
    .join(", ");
}

/** How Python gets at an object: what a person shared is theirs by its name, a result is in the run. */
function heldIn(name: string): string {
  const isOwn = isName(name) && !/^r\d+$/.test(name);
  return isOwn ? name : `run.values[${JSON.stringify(name)}]`;
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
