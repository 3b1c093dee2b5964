/**
 * What was done, as one would write it in Python: a call, and a cell that asks again. A call is written
 * as `nbagents/runs/wording/python_call.py` writes it; both pass `tests/fixtures/python.json`.
 */

import { entriesOf, exactText, isHolder } from "../numbers";
import type { JsonValue } from "../tree";
import { BY_HAND, type CallNode, entry, type RunNode } from "../tree";
import { visibleName } from "../visible-text";

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
export type Given = Pick<CallNode, "arguments" | "defaults" | "objects" | "taken">;

/** Lines that a call stands for, where a secret was taken out of it. */
const SECRET = "A secret was taken out of it: put it where [redacted] stands.";

/** A value of JSON in Python. */
export function literal(
  value: JsonValue,
  path = "",
  objects: Objects = {},
  held = (name: string) => name,
  forms: Objects = {},
): string {
  if (typeof value === "string" && isObject(objects, path)) return held(value);
  const written = plainly(value, path, objects, held, forms);
  const form = entry(forms, path);
  return form === undefined ? written : form.replace("$", () => written);
}

function plainly(
  value: JsonValue,
  path: string,
  objects: Objects,
  held: (name: string) => string,
  forms: Objects,
): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (!isHolder(value)) return exactText(value) ?? numberInPython(Number(value));
  if (Array.isArray(value)) {
    const parts = value.map((one, at) => literal(one, `${path}/${at}`, objects, held, forms));
    return `[${parts.join(", ")}]`;
  }
  const parts = entriesOf(value).map(([name, one]) =>
    field(name, literal(one, at(path, name), objects, held, forms)),
  );
  return `{${parts.join(", ")}}`;
}

function field(name: string, written: string): string {
  return `${JSON.stringify(name)}: ${written}`;
}

/** A number that is JavaScript's too; small ones have an exponent, of two digits at least. */
function numberInPython(value: number): string {
  const text = value !== 0 && Math.abs(value) < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e-(\d)$/, "e-0$1");
}

/**
 * A call in Python, a tool of a toolset as its attribute: `area(r=2)`, `maps.setCenter(zoom=3)`. One
 * that cannot be made as it was is a comment, and says why.
 */
export function callInPython(
  call: Given & Pick<CallNode, "name">,
  written = argumentsInPython(call),
): string {
  const [first = "", ...rest] = call.name.split(SEPARATOR);
  const own = [first, rest.join(SEPARATOR)].filter(Boolean).map(nameInPython).join(".");
  const { called, problem, imports = [] } = call.taken ?? {};
  const made = `${called || own}(${written})`;
  const why = problem || (written.includes("[redacted]") ? SECRET : "");
  return why ? `# ${visibleName(why)}\n# ${made}` : [...imports, made].join("\n");
}

/** Those that were given, each in its place; the others Python takes by itself. */
function argumentsInPython(call: Given): string {
  const { arguments: given, defaults = [], objects = {}, taken } = call;
  if (given === null) return "";
  if (!isHolder(given) || Array.isArray(given)) return literal(given);
  const { positional = [], rest, more, names = {}, always = [], forms = {} } = taken ?? {};
  const written = (one: JsonValue, path: string) => literal(one, path, objects, heldIn, forms);
  const all = new Map(entriesOf(given));
  const places = positional.map((name) => written(all.get(name) ?? null, at("", name)));
  const several = (rest && all.get(rest)) || null;
  if (rest && isHolder(several) && Array.isArray(several))
    places.push(...several.map((one, number) => written(one, `${at("", rest)}/${number}`)));
  const apart = [...positional, rest, more].filter(Boolean);
  const named = [...all]
    .filter(
      ([name]) => !apart.includes(name) && (!defaults.includes(name) || always.includes(name)),
    )
    .map(([name, one]): [string, string] => [
      entry(names, name) ?? name,
      written(one, at("", name)),
    ]);
  const free = (more && all.get(more)) || null;
  if (more && isHolder(free) && !Array.isArray(free))
    named.push(
      ...entriesOf(free).map(([name, one]): [string, string] => [
        name,
        written(one, at(at("", more), name)),
      ]),
    );
  const keywords = named.every(([name]) => isName(name))
    ? named.map(([name, one]) => `${name}=${one}`)
    : [`**{${named.map(([name, one]) => field(name, one)).join(", ")}}`];
  return [...places, ...keywords].join(", ");
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
  return entry(objects, path) !== undefined;
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
export function cellAgain({ prompt, chat, model }: RunNode): string {
  if (model === BY_HAND[0]) return `%tool ${prompt}`;
  const options = chat === null ? "" : ` -c ${/^[\w.]+$/.test(chat) ? chat : JSON.stringify(chat)}`;
  return `%%agent${options}\n${prompt.replaceAll("{{", "\\{{")}`;
}
