/**
 * Payloads that are made of text, read from JSON that a tool wrote: code, JSON, logs, progress and
 * diffs. What does not fit its kind is `null`, and stays JSON.
 */
import { isNumber, isRecord } from "../../bridge";
import type { LogLine } from "../../renderers";
import { entry, type JsonValue } from "../../tree";
import { clipped, grouped } from "../../words";

export type TextShown =
  | { type: "markdown"; text: string }
  | { type: "code"; text: string; name: string; language: string }
  | { type: "json"; value: JsonValue }
  | { type: "log"; lines: LogLine[]; levels: string[] }
  | { type: "progress"; fraction: number | null; words: string; isDone: boolean }
  | { type: "diff"; before: string; after: string; name: string };

export type Fields = { [key: string]: JsonValue };

const NAME_CHARACTERS = 200;
const LEVELS: Record<string, string> = {
  warn: "WARNING",
  fatal: "CRITICAL",
};

/** A text as displays have it: one, or its lines. */
export function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  const isLines = Array.isArray(value) && value.every((line) => typeof line === "string");
  return isLines ? value.join("") : null;
}

export function markdown({ text }: Fields): TextShown | null {
  const written = textOf(text);
  return written === null ? null : { type: "markdown", text: written };
}

export function code({ text, filename, language }: Fields): TextShown | null {
  const written = textOf(text);
  if (written === null) return null;
  return { type: "code", text: written, name: named(filename), language: named(language) };
}

export function json({ value }: Fields): TextShown | null {
  return value === undefined ? null : { type: "json", value };
}

export function log({ lines, text, level }: Fields): TextShown | null {
  const usual = levelOf(level);
  const read = Array.isArray(lines) ? lines.map((one) => lineOf(one, usual)) : null;
  if (read?.every((one) => one !== null)) return { type: "log", lines: read, levels: levels(read) };
  const written = textOf(text);
  if (read || written === null) return null;
  const plain = written.replace(/\r?\n$/, "").split(/\r?\n/);
  const all = plain.map((one) => ({ level: usual, text: one }));
  return { type: "log", lines: all, levels: levels(all) };
}

function lineOf(line: unknown, usual: string): LogLine | null {
  if (typeof line === "string") return { level: usual, text: line.replace(/\r?\n$/, "") };
  if (!isRecord(line)) return null;
  const text = textOf(line.text);
  return text === null ? null : { level: levelOf(line.level) || usual, text };
}

function levelOf(said: unknown): string {
  if (typeof said !== "string") return "";
  return entry(LEVELS, said.toLowerCase()) ?? clipped(said, 20).toUpperCase();
}

/** The levels that lines have, in the order in which they first come. */
function levels(lines: LogLine[]): string[] {
  return [...new Set(lines.map(({ level }) => level).filter(Boolean))];
}

export function progress({ value, max, fraction, label, done }: Fields): TextShown | null {
  const isDone = done === true;
  const many = finite(value);
  const most = finite(max);
  const said = named(label);
  let part = finite(fraction) ?? (many === null ? null : many / (most || 1));
  if (isDone) part = 1;
  if (part === null && !said && done === undefined) return null;
  if (part !== null) part = Math.min(Math.max(part, 0), 1);
  const counted = many !== null && most ? `${amount(many)} of ${amount(most)}` : "";
  const percent = part === null ? "" : `${Math.round(part * 100)}%`;
  const about = [counted, counted ? `(${percent})` : percent, isDone ? "done" : ""];
  const words = about.filter(Boolean).join(" ");
  return {
    type: "progress",
    fraction: part,
    words: said && words ? `${said}: ${words}` : said || words,
    isDone,
  };
}

function finite(value: unknown): number | null {
  return isNumber(value) ? value : null;
}

function amount(value: number): string {
  return Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(10)));
}

export function diff({ before, after, name }: Fields): TextShown | null {
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === null || fresh === null) return null;
  return { type: "diff", before: old, after: fresh, name: named(name) };
}

function named(value: unknown): string {
  return typeof value === "string" ? clipped(value, NAME_CHARACTERS) : "";
}
