/** What stands in the fields of a form, as text, and the value that it means. */

import { isRecord, reasonOf } from "../../bridge";
import { isHolder, jsonText, numberOf, parsedJson } from "../../numbers";
import type { JsonValue } from "../../tree";
import { put } from "../../tree";
import { type Field, indexOf, optionText } from "./schema";

/** What stands in each field, by its path. */
export type Written = Readonly<Record<string, string>>;

/** What is wrong with a field, by its path. */
export type Faults = ReadonlyMap<string, string>;

export const YES = "yes";
export const NO = "no";

/** What stands in the fields at first. */
export function writtenOf(fields: Field[]): Written {
  const written: Record<string, string> = {};
  for (const field of fields) {
    if (field.type.is === "group") Object.assign(written, writtenOf(field.type.fields));
    else put(written, field.path, textOf(field));
  }
  return written;
}

function textOf({ type, given, isRequired, mayBeNull }: Field): string {
  if (type.is === "flag" && given === undefined) return isRequired && !mayBeNull ? NO : "";
  if (given === undefined || (given === null && type.is !== "json")) return "";
  switch (type.is) {
    case "flag":
      return given === true ? YES : NO;
    case "choice": {
      const at = indexOf(type.options, given);
      return at < 0 ? "" : String(at);
    }
    case "several":
      return Array.isArray(given) ? given.map((one) => indexOf(type.options, one)).join("\n") : "";
    case "list":
      return Array.isArray(given) ? given.map(optionText).join("\n") : "";
    case "json":
      return jsonText(given, "  ");
    default:
      return optionText(given);
  }
}

/** What the fields mean. Of those in `faults` it is not known; they are left out. */
export function valueIn(
  fields: Field[],
  written: Written,
): { value: Record<string, JsonValue>; faults: Map<string, string> } {
  const value: Record<string, JsonValue> = {};
  const faults = new Map<string, string>();
  for (const field of fields) {
    const read = readField(field, written, faults);
    if (read !== undefined) put(value, field.name, read);
  }
  return { value, faults };
}

function readField(
  field: Field,
  written: Written,
  faults: Map<string, string>,
): JsonValue | undefined {
  const { type, path } = field;
  if (type.is === "group") return readGroup(field, type.fields, written, faults);
  const text = written[path] ?? "";
  const isEmpty = type.is === "text" ? text === "" : !text.trim();
  if (isEmpty) return readNothing(field, faults);
  try {
    return read(field, text);
  } catch (reason) {
    faults.set(path, reasonOf(reason));
    return undefined;
  }
}

/** An empty field: its value is left out where it may be. */
function readNothing(field: Field, faults: Map<string, string>): JsonValue | undefined {
  const { type, path, given, isRequired, mayBeNull } = field;
  if (mayBeNull && (isRequired || given === null)) return null;
  const isMany = type.is === "list" || type.is === "several";
  if (isMany && (isRequired || Array.isArray(given))) return [];
  if (type.is === "text" && given === "") return "";
  if (!isRequired) return undefined;
  faults.set(path, type.is === "choice" ? "Choose one." : "This is needed.");
  return undefined;
}

function readGroup(
  field: Field,
  fields: Field[],
  written: Written,
  faults: Map<string, string>,
): JsonValue | undefined {
  const inner = valueIn(fields, written);
  const isEmpty =
    !Object.values(inner.value).some((one) => one !== null) && !hasText(fields, written);
  if (isEmpty && field.given === undefined) {
    if (field.mayBeNull && field.isRequired) return null;
    if (!field.isRequired) return undefined;
  }
  if (isEmpty && field.given === null && field.mayBeNull) return null;
  for (const [path, fault] of inner.faults) faults.set(path, fault);
  return inner.value;
}

function hasText(fields: Field[], written: Written): boolean {
  return fields.some(({ type, path }) =>
    type.is === "group" ? hasText(type.fields, written) : Boolean(written[path]?.trim()),
  );
}

/** What a text means; throws an `Error` that says what is wrong. */
function read({ type }: Field, text: string): JsonValue {
  switch (type.is) {
    case "flag":
      return text === YES;
    case "number":
      return numberIn(text, type.isWhole);
    case "choice":
      return type.options[Number(text)] ?? null;
    case "several":
      return linesIn(text).map((at) => type.options[Number(at)] ?? null);
    case "list":
      return linesIn(text).map((line) => (type.of === "number" ? numberIn(line) : line));
    case "json":
      return jsonIn(text);
    default:
      return text;
  }
}

function linesIn(text: string): string[] {
  return text.split("\n").flatMap((line) => line.trim() || []);
}

function numberIn(text: string, isWhole = false): JsonValue {
  const found = numberOf(text);
  if (found === null) throw new Error(`${text.trim()} is no number.`);
  if (!isWhole || /^[+-]?\d+$/.test(text.trim())) return found;
  const whole = Number(text); // as 5.0
  if (!Number.isSafeInteger(whole)) throw new Error("A whole number is needed.");
  return whole;
}

/** The value of a text that is JSON; throws an `Error` that says where it is not. */
function jsonIn(text: string): JsonValue {
  try {
    return parsedJson(text);
  } catch (reason) {
    const where = reasonOf(reason);
    throw new Error(`This is no JSON: ${where}`);
  }
}

/** The JSON of an object. */
export function recordIn(text: string): Record<string, JsonValue> {
  const value = jsonIn(text);
  if (!isRecord(value) || !isHolder(value)) throw new Error("A JSON object is needed: {…}");
  return value;
}
