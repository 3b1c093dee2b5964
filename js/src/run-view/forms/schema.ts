/**
 * The fields of a form, from a JSON Schema of type object and what is given already. What has no simple
 * field is written as JSON.
 */
import { isRecord } from "../../bridge";
import { exactText, jsonText } from "../../numbers";
import type { JsonValue } from "../../tree";
import { entry } from "../../tree";

/** How a value is written. */
export type FieldType =
  | { is: "text"; input: "text" | "date" | "time" | "long" }
  | { is: "number"; isWhole: boolean }
  | { is: "flag" }
  | { is: "choice" | "several"; options: JsonValue[] }
  /** A line each. */
  | { is: "list"; of: "text" | "number" }
  | { is: "group"; fields: Field[] }
  | { is: "json" };

export interface Field {
  /** Where it stands: names, each behind a slash. */
  path: string;
  name: string;
  /** What it means. */
  about: string;
  type: FieldType;
  isRequired: boolean;
  mayBeNull: boolean;
  /** What counts if it is left out. */
  usual: JsonValue | undefined;
  /** What is given already. */
  given: JsonValue | undefined;
}

type Schema = Record<string, JsonValue>;

/** Forms nested deeper than this are JSON. */
const DEEPEST = 4;
const LONG_TEXT = 60;

/** The fields of a form; `null` where it has none, so that all of it is JSON. */
export function fieldsOf(schema: JsonValue, given: JsonValue = null): Field[] | null {
  if (!isRecord(schema)) return null;
  return propertiesOf(schema, given, { root: schema, path: "", depth: 0 });
}

interface Place {
  root: Schema;
  path: string;
  depth: number;
}

function propertiesOf(schema: Schema, given: JsonValue | undefined, at: Place): Field[] | null {
  const { properties } = schema;
  if (!isRecord(properties) || !Object.keys(properties).length) return null;
  const values = isRecord(given) ? given : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const named = Object.entries(properties).map(([name, one]) =>
    fieldOf(name, one, entry(values, name), required.includes(name), at),
  );
  const others = Object.keys(values).filter((name) => !Object.hasOwn(properties, name));
  return [...named, ...others.map((name) => fieldOf(name, {}, entry(values, name), false, at))];
}

function fieldOf(
  name: string,
  schema: JsonValue,
  given: JsonValue | undefined,
  isRequired: boolean,
  at: Place,
): Field {
  const path = `${at.path}/${name}`;
  const { found, mayBeNull } = withoutNull(schema, at.root);
  return {
    path,
    name,
    about: textOf(found.description) || textOf(isRecord(schema) ? schema.description : ""),
    type: typeOf(found, given, { ...at, path, depth: at.depth + 1 }),
    isRequired,
    mayBeNull,
    usual: usualOf(found) ?? usualOf(schema),
    given,
  };
}

/** What a schema says beside that the value may be `null`. */
function withoutNull(
  given: JsonValue | undefined,
  root: Schema,
): { found: Schema; mayBeNull: boolean } {
  const schema = resolved(given, root);
  const any = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(any)) {
    const kinds = any.map((one) => resolved(one, root));
    const rest = kinds.filter(({ type }) => type !== "null");
    const [only = {}] = rest;
    const found = rest.length === 1 ? { ...schema, ...only } : joined(rest);
    return { found, mayBeNull: rest.length < kinds.length };
  }
  if (Array.isArray(schema.type)) {
    const rest = schema.type.filter((type) => type !== "null");
    const type = rest.length === 1 ? rest[0] : undefined;
    const found: Schema = { ...schema };
    if (type === undefined) delete found.type;
    else found.type = type;
    if (Array.isArray(schema.enum)) found.enum = schema.enum.filter((one) => one !== null);
    return { found, mayBeNull: rest.length < schema.type.length };
  }
  return { found: schema, mayBeNull: schema.type === "null" };
}

/** Several schemas as one, if they all list their values. */
function joined(kinds: Schema[]): Schema {
  const options = kinds.map(optionsOf);
  return options.every((one) => one !== null) ? { enum: options.flat() } : {};
}

/** A schema with what it refers to. */
function resolved(given: JsonValue | undefined, root: Schema, patience = 10): Schema {
  if (!isRecord(given) || patience === 0) return {};
  const [only] = Array.isArray(given.allOf) && given.allOf.length === 1 ? given.allOf : [];
  const ref = textOf(given.$ref);
  if (!ref && !only) return given;
  const target = ref ? pointed(root, ref) : only;
  const { $ref: _, allOf: __, ...own } = given;
  return { ...resolved(target, root, patience - 1), ...own };
}

function pointed(root: Schema, ref: string): JsonValue | undefined {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return undefined;
  let found: JsonValue | undefined = root;
  for (const part of ref.slice(2).split("/")) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    found = isRecord(found) ? entry(found, name) : undefined;
  }
  return found;
}

function typeOf(schema: Schema, given: JsonValue | undefined, at: Place): FieldType {
  const options = optionsOf(schema);
  if (options) return { is: "choice", options };
  switch (schema.type) {
    case "string":
      return textType(schema, given);
    case "integer":
    case "number":
      return { is: "number", isWhole: schema.type === "integer" };
    case "boolean":
      return { is: "flag" };
    case "array":
      return listType(withoutNull(schema.items, at.root), given);
    case "object": {
      const fields = at.depth < DEEPEST ? propertiesOf(schema, given, at) : null;
      return fields ? { is: "group", fields } : { is: "json" };
    }
    default:
      return { is: "json" };
  }
}

function textType({ format, maxLength }: Schema, given: JsonValue | undefined): FieldType {
  if (given !== undefined && given !== null && typeof given !== "string") return { is: "json" };
  const isPlain = !given || (format === "date" ? isDate(given) : isTime(given));
  if ((format === "date" || format === "time") && isPlain) return { is: "text", input: format };
  const isLong =
    (given ?? "").length > LONG_TEXT || given?.includes("\n") || Number(maxLength) > 4 * LONG_TEXT;
  return { is: "text", input: isLong ? "long" : "text" };
}

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);
const isTime = (text: string) => /^\d\d:\d\d(:\d\d)?$/.test(text);

function listType(
  item: { found: Schema; mayBeNull: boolean },
  given: JsonValue | undefined,
): FieldType {
  const values = Array.isArray(given) ? given : [];
  const isList = given === undefined || given === null || Array.isArray(given);
  const { found, mayBeNull } = item;
  const options = optionsOf(found);
  if (!isList || mayBeNull) return { is: "json" };
  if (options) {
    const isSet = values.every(
      (one, at) => indexOf(options, one) >= 0 && values.indexOf(one) === at,
    );
    return isSet ? { is: "several", options } : { is: "json" };
  }
  if (found.type === "string") {
    const isLines = values.every((one) => typeof one === "string" && one.trim() && !/\n/.test(one));
    return isLines ? { is: "list", of: "text" } : { is: "json" };
  }
  if (found.type !== "integer" && found.type !== "number") return { is: "json" };
  return values.every((one) => typeof one === "number" || exactText(one) !== null)
    ? { is: "list", of: "number" }
    : { is: "json" };
}

/** The values of a schema that lists them. */
function optionsOf(schema: Schema): JsonValue[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

/** Where a value stands among others. */
export function indexOf(options: JsonValue[], value: JsonValue): number {
  const text = jsonText(value);
  return options.findIndex((one) => jsonText(one) === text);
}

/** A value as it is named among others: a text as it stands, all else as JSON. */
export function optionText(value: JsonValue): string {
  return typeof value === "string" ? value : jsonText(value);
}

function usualOf(schema: JsonValue): JsonValue | undefined {
  return isRecord(schema) ? schema.default : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
