/**
 * How a payload is shown, read from JSON that a tool wrote: only what fits its kind is drawn, and
 * everything else stays JSON.
 *
 * @module
 */
import { isRecord } from "../bridge";
import type { Payload } from "../events";
import { clipped, grouped, size } from "./words";

export type Shown = Way & {
  /** What was too large to be kept, in words. */
  leftOut?: string;
};

type Way =
  | { type: "image"; src: string; alt: string; width: number | null }
  | { type: "table"; columns: Column[]; rows: string[][]; size: string }
  | { type: "file"; name: string; about: string; href: string | null }
  | { type: "markdown"; text: string }
  | { type: "text"; text: string; html: string | null }
  | { type: "cut"; words: string; head: string; isView: boolean };

export interface Column {
  name: string;
  dtype: string;
  /** Whether its values are numbers, which stand below one another. */
  isNumeric: boolean;
  /** Whether its values name the rows. */
  isIndex: boolean;
}

/** The pictures a browser draws without running anything; one of SVG may only be an `<img>`. */
const PICTURES = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];
const MOST_COLUMNS = 20;
const CELL_CHARACTERS = 200;
/** What an object says of itself that has nothing to say. */
const EMPTY_WORDS = /^<[\w.]+ object(?: at 0x[0-9a-f]+)?>$/i;

const READERS: Record<string, (value: Fields) => Shown | null> = {
  image,
  table,
  file,
  mime,
  cut,
};

type Fields = Record<string, unknown>;

const read = new WeakMap<Payload, Shown | null>();

/** How a payload is shown; `null` where its kind is unknown or its value does not fit it. */
export function shownOf(payload: Payload): Shown | null {
  let shown = read.get(payload);
  if (shown === undefined) {
    const reader = Object.hasOwn(READERS, payload.kind) ? READERS[payload.kind] : undefined;
    shown = (isRecord(payload.value) && reader?.(payload.value)) || null;
    read.set(payload, shown); // a batch of events draws all rows again
  }
  return shown;
}

function image({ media_type, data, width, alt }: Fields): Shown | null {
  if (typeof media_type !== "string" || typeof data !== "string") return null;
  if (!PICTURES.includes(media_type)) return null;
  return picture(`data:${media_type};base64,${data}`, alt, width);
}

function picture(src: string, alt: unknown, width: unknown): Shown {
  return {
    type: "image",
    src,
    alt: (typeof alt === "string" && clipped(alt, CELL_CHARACTERS)) || "Picture",
    width: typeof width === "number" && width > 0 ? width : null,
  };
}

function table({ columns, dtypes, rows, total, total_columns }: Fields): Shown | null {
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  const types: unknown[] = Array.isArray(dtypes) ? dtypes : [];
  const kept = columns.slice(0, MOST_COLUMNS).map((name, at) => ({
    name: cell(name),
    dtype: types[at] === undefined ? "" : cell(types[at]),
    isNumeric: types[at] !== "index" && rows.length > 0 && rows.every((row) => isNumeric(row[at])),
    isIndex: types[at] === "index",
  }));
  const indices = kept.filter(({ isIndex }) => isIndex).length;
  const many = atLeast(total_columns, columns.length - indices);
  return {
    type: "table",
    columns: kept,
    rows: rows.map((row) => kept.map(({ dtype }, at) => cell(row[at], dtype))),
    size: [
      partOf(rows.length, atLeast(total, rows.length), "row"),
      partOf(kept.length - indices, many, "column"),
    ].join(" × "),
  };
}

function atLeast(value: unknown, least: number): number {
  return typeof value === "number" && value > least ? value : least;
}

function isNumeric(value: unknown): boolean {
  return typeof value === "number" || value === null;
}

function cell(value: unknown, dtype = ""): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number" && /^float/i.test(dtype) && Number.isInteger(value))
    return value.toFixed(1); // JSON has no 9.0
  return clipped(typeof value === "string" ? value : JSON.stringify(value), CELL_CHARACTERS);
}

/** `50 of 1,000 rows`, `1 row`. */
function partOf(some: number, all: number, one: string): string {
  const noun = `${one}${all === 1 ? "" : "s"}`;
  return some === all ? `${grouped(all)} ${noun}` : `${grouped(some)} of ${grouped(all)} ${noun}`;
}

function file({ name, media_type, size: bytes, data }: Fields): Shown | null {
  if (typeof name !== "string") return null;
  const about = [
    typeof media_type === "string" ? media_type : "",
    typeof bytes === "number" ? size(bytes) : "",
  ];
  return {
    type: "file",
    name: clipped(name, CELL_CHARACTERS),
    about: about.filter(Boolean).join(", "),
    // never its own type: a browser must not take it for a page
    href: typeof data === "string" ? `data:application/octet-stream;base64,${data}` : null,
  };
}

/** A captured display: its picture, else its prose, else its text; its HTML never as HTML. */
function mime({ data, metadata, left_out }: Fields): Shown | null {
  if (!isRecord(data)) return null;
  const plain = text(data["text/plain"]);
  const said = plain === null || EMPTY_WORDS.test(plain) ? "" : plain;
  const shown =
    pictureIn(data, isRecord(metadata) ? metadata : {}, said) ??
    proseIn(data) ??
    textIn(data, plain, said);
  const leftOut = leftOutWords(left_out);
  return shown && leftOut ? { ...shown, leftOut } : shown;
}

/** `Left out as too large: text/html (5.0 MB)`. */
function leftOutWords(left_out: unknown): string {
  const sizes = Object.entries(isRecord(left_out) ? left_out : {});
  const words = sizes.flatMap(([media, bytes]) =>
    typeof bytes === "number" ? `${clipped(media)} (${size(bytes)})` : [],
  );
  return words.length ? `Left out as too large: ${words.join(", ")}` : "";
}

function pictureIn(data: Fields, metadata: Fields, alt: string): Shown | null {
  for (const media of PICTURES) {
    const written = text(data[media]);
    if (!written) continue;
    const about = metadata[media];
    const width = isRecord(about) ? about.width : null;
    const isText = media === "image/svg+xml";
    const body = isText ? `,${encodeURIComponent(written)}` : `;base64,${written}`;
    return picture(`data:${media}${body}`, alt, width);
  }
  return null;
}

function proseIn(data: Fields): Shown | null {
  const written = text(data["text/markdown"]);
  return written ? { type: "markdown", text: written } : null;
}

function textIn(data: Fields, plain: string | null, said: string): Shown | null {
  const json = data["application/json"];
  if (json !== undefined)
    return { type: "text", text: JSON.stringify(json, null, 2) ?? "", html: null };
  const html = text(data["text/html"]);
  if (html) return { type: "text", text: said, html };
  return plain ? { type: "text", text: plain, html: null } : null;
}

/** A text as displays have it: one, or its lines. */
function text(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("") : null;
}

/** What was too large to keep: of what kind it was, how large, and the beginning of what is text. */
function cut({ of, note, head }: Fields): Shown | null {
  if (typeof of !== "string" || typeof note !== "string") return null;
  const isView = Object.hasOwn(READERS, of);
  const beginning = !isView && typeof head === "string" ? head : "";
  return { type: "cut", words: `${of} · ${note}`, head: beginning, isView };
}
