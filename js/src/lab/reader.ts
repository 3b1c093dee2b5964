/**
 * Reading JSON that anybody may have written: each reader gives a value of its type, or throws
 * `Misfit`.
 *
 * @module
 */
import type { JsonValue } from "../events";

/** The JSON is not what it should be. */
export class Misfit extends Error {}

export type Reader<T> = (value: JsonValue | undefined) => T;
type Fields<T> = { [Key in keyof T]-?: Reader<T[Key]> };

/** JSON nested deeper than this would end a view that draws it. */
const DEEPEST = 80;

function misfit(expected: string, value: JsonValue | undefined): Misfit {
  return new Misfit(`${expected} is not ${String(JSON.stringify(value)).slice(0, 80)}`);
}

export const text: Reader<string> = (value) => {
  if (typeof value !== "string") throw misfit("A text", value);
  return value;
};

export const number: Reader<number> = (value) => {
  if (typeof value !== "number") throw misfit("A number", value);
  return value;
};

export const flag: Reader<boolean> = (value) => {
  if (typeof value !== "boolean") throw misfit("Yes or no", value);
  return value;
};

/** Any JSON that is not nested without end. */
export const json: Reader<JsonValue> = (value = null) => {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length; depth++) {
    if (depth > DEEPEST) throw new Misfit(`JSON nested deeper than ${DEEPEST}`);
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
  }
  return value;
};

export function oneOf<T extends string>(...words: T[]): Reader<T> {
  return (value) => {
    const found = words.find((word) => word === value);
    if (found === undefined) throw misfit(`One of ${words.join(", ")}`, value);
    return found;
  };
}

export function orNull<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null || value === undefined ? null : read(value));
}

/** What an older version did not write yet. */
export function or<T>(read: Reader<T>, absent: T): Reader<T> {
  return (value) => (value === undefined ? absent : read(value));
}

/** What is only there where it means something. */
export function maybe<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value));
}

export function list<T>(read: Reader<T>): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw misfit("A list", value);
    return value.map(read);
  };
}

/** A record of values by id; an id may be any text, `__proto__` too. */
export function byId<T>(read: Reader<T>): Reader<Record<string, T>> {
  return (value) => {
    const entries = Object.entries(object(value)).map(([id, one]) => [id, read(one)] as const);
    return Object.fromEntries(entries);
  };
}

/** A record with these fields; others, of a newer version, are left out. */
export function record<T extends object>(fields: Fields<T>): Reader<T> {
  const readers = Object.entries(fields) as [keyof T & string, Reader<T[keyof T]>][];
  return (value) => {
    const given = object(value);
    const pairs = readers.map(([key, read]) => [
      key,
      read(Object.hasOwn(given, key) ? given[key] : undefined),
    ]);
    return Object.fromEntries(pairs.filter(([, one]) => one !== undefined)) as T;
  };
}

function object(value: JsonValue | undefined): { [key: string]: JsonValue } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw misfit("A record", value);
  }
  return value;
}
