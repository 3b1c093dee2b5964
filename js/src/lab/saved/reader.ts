/**
 * Reading JSON that anybody may have written, by the shapes that Python declares: what does not fit is
 * refused as a whole.
 */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import { SHAPES } from "../../tree";

/** The JSON is not what it should be. */
export class Misfit extends Error {}

type Read = JsonValue | undefined;

/** JSON nested deeper than this would end a view that draws it. */
const DEEPEST = 80;

const ATOMS: Record<string, string> = { t: "string", n: "number", f: "boolean" };

/** A value of a shape; `undefined` where nothing is there, and nothing need be. */
export function read(shape: string, value: Read): Read {
  const inner = shape.slice(1);
  switch (shape[0]) {
    case "#":
      return record(inner, value);
    case "j":
      return shallow(value ?? null);
    case "?":
      return value === null || value === undefined ? null : read(inner, value);
    case "~":
      return value === undefined ? undefined : read(inner, value);
    case "=": {
      const [older = "", now = ""] = inner.split("=");
      return read(now, value === undefined ? JSON.parse(older) : value);
    }
    case "|":
      if (typeof value === "string" && inner.split("|").includes(value)) return value;
      throw misfit(inner, value);
    case "/":
      return oneOf(inner.split("/"), value);
    case "[":
      if (!Array.isArray(value)) throw misfit("a list", value);
      return value.map((one) => read(inner, one) ?? null);
    case "{": // by id, which may be any text, `__proto__` too
      return made(Object.entries(object(value)).map(([id, one]) => [id, read(inner, one)]));
    default:
      if (typeof value === ATOMS[shape] || (shape === "1" && value === 1)) return value;
      throw misfit(ATOMS[shape] ?? shape, value);
  }
}

/** A record with the fields of its shape; others, of a newer version, are left out. */
function record(name: string, value: Read): JsonValue {
  const given = object(value);
  const fields = (SHAPES[name] ?? "").split(" ").map((field): [string, Read] => {
    const [key = "", ...shape] = field.split(":");
    return [key, read(shape.join(":"), Object.hasOwn(given, key) ? given[key] : undefined)];
  });
  return made(fields);
}

/** The first shape that fits. */
function oneOf([shape = "j", ...others]: string[], value: Read): Read {
  if (!others.length) return read(shape, value);
  try {
    return read(shape, value);
  } catch (reason) {
    if (!(reason instanceof Misfit)) throw reason;
    return oneOf(others, value);
  }
}

/** Any JSON that is not nested without end. */
function shallow(value: JsonValue): JsonValue {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > DEEPEST) throw new Misfit(`JSON nested deeper than ${DEEPEST}`);
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
  }
  return value;
}

function made(entries: [string, Read][]): JsonValue {
  const there = entries.filter((one): one is [string, JsonValue] => one[1] !== undefined);
  return Object.fromEntries(there);
}

function object(value: Read): { [key: string]: JsonValue } {
  if (!isRecord(value)) throw misfit("a record", value);
  return value;
}

function misfit(expected: string, value: Read): Misfit {
  return new Misfit(`${String(JSON.stringify(value)).slice(0, 80)} is not ${expected}`);
}
