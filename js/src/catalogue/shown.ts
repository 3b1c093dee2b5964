/**
 * What of a catalogue is shown, read from JSON: of what does not fit nothing is drawn. The twin of
 * `nbagents/notebook/catalogues/contents.py`.
 */
import { isNumber, isRecord, textIn } from "../bridge";
import { once } from "../tree";
import { visible } from "../visible-text";

export interface Shown {
  title: string;
  size: Size | null;
  query: string;
  category: string;
  tool: string;
  rows: Row[];
  /** How many there are, of which some are here. */
  total: number;
  /** Where the list goes on. */
  next: number | null;
  hint: string;
  details: ReadonlyMap<string, Detail>;
}

export interface Size {
  apis: number;
  tools: number;
  categories: number;
}

/** By `category` and `tool` the kernel is asked: what hides in a name is written out where it is drawn. */
export interface Row {
  kind: "hit" | "category" | "tool" | "api";
  name: string;
  category: string;
  tool: string;
  summary: string;
  score: number | null;
  /** Words of the query, each with the fields in which it stands. */
  matched: [word: string, fields: string[]][];
  apis: number;
  tools: number;
}

export interface Detail {
  name: string;
  /** Its own name, the method and where it comes from. */
  about: string;
  description: string;
  parameters: Parameter[];
  schema: string;
  call: string;
}

interface Parameter {
  name: string;
  type: string;
  need: string;
  description: string;
}

const KINDS: readonly Row["kind"][] = ["hit", "category", "tool", "api"];

export function shownFrom(value: unknown): Shown | null {
  if (!isRecord(value) || !Array.isArray(value.rows)) return null;
  const rows = value.rows.flatMap((one) => rowFrom(one) ?? []);
  return {
    title: text(value.title),
    size: isRecord(value.size) ? sizeFrom(value.size) : null,
    query: text(value.query),
    category: textIn(value.category),
    tool: textIn(value.tool),
    rows,
    total: Math.max(number(value.total) ?? 0, rows.length),
    next: number(value.next),
    hint: text(value.hint),
    details: new Map(detailsFrom(value.details)),
  };
}

export function detailFrom(value: unknown): Detail | null {
  if (!isRecord(value) || typeof value.name !== "string") return null;
  const parameters = Array.isArray(value.parameters) ? value.parameters.filter(isRecord) : [];
  return {
    name: value.name,
    about: [value.api, value.method, value.source].map(text).filter(Boolean).join(" · "),
    description: text(value.description),
    parameters: parameters.map((one) => ({
      name: text(one.name),
      type: text(one.type),
      need: text(one.need),
      description: text(one.description),
    })),
    schema: text(value.schema),
    call: text(value.call),
  };
}

function detailsFrom(value: unknown): [string, Detail][] {
  const found = Object.values(isRecord(value) ? value : {}).flatMap((one) => detailFrom(one) ?? []);
  return found.map((one) => [one.name, one]);
}

function rowFrom(value: unknown): Row | null {
  if (!isRecord(value) || typeof value.name !== "string") return null;
  const kind = KINDS.find((one) => one === value.kind);
  if (!kind) return null;
  return {
    kind,
    name: value.name,
    category: textIn(value.category),
    tool: textIn(value.tool),
    summary: text(value.summary),
    score: number(value.score),
    matched: matchedIn(value.why),
    apis: number(value.apis) ?? 0,
    tools: number(value.tools) ?? 0,
  };
}

function matchedIn(why: unknown): Row["matched"] {
  const found = new Map<string, string[]>();
  for (const [field, words] of Object.entries(isRecord(why) ? why : {}))
    for (const word of Array.isArray(words) ? words.map(text) : [])
      once(found, word, () => []).push(visible(field));
  return [...found];
}

function sizeFrom({ apis, tools, categories }: Record<string, unknown>): Size {
  return {
    apis: number(apis) ?? 0,
    tools: number(tools) ?? 0,
    categories: number(categories) ?? 0,
  };
}

function text(value: unknown): string {
  return visible(textIn(value));
}

function number(value: unknown): number | null {
  return isNumber(value) ? value : null;
}
