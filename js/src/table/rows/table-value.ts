/**
 * A table as a tool gave it, read from JSON: columns with their types, and the rows that are there.
 */
import { isRecord, textIn } from "../../bridge";
import type { JsonValue } from "../../tree";

export interface Column {
  name: string;
  dtype: string;
  /** Whether its values are numbers, which stand below one another. */
  isNumeric: boolean;
  /** Whether its values name the rows. */
  isIndex: boolean;
  /** Whether its values are days: all at midnight, as far as they are here. */
  isDay: boolean;
  /** How its numbers are written, as Python has found. */
  format: NumberFormat;
}

interface NumberFormat {
  unit?: string;
  /** Of each number of the column. */
  decimals?: number;
  /** Thousands are set apart. */
  grouped?: boolean;
  /** In kB, MB, … */
  bytes?: boolean;
}

export interface TableValue {
  columns: Column[];
  /** The rows that are there; a cell that is missing is null. */
  rows: JsonValue[][];
  /** How many rows there are in all. */
  total: number;
  /** How many columns there are in all, without those that name the rows. */
  totalColumns: number;
  /** By which the kernel knows the frame, to ask it for further rows. */
  source: string | null;
}

const MOST_COLUMNS = 20_000;
const NAME_CHARACTERS = 200;
const UNIT_CHARACTERS = 12;
/** Of a number that is shown as it is. */
const DIGITS = 12;
const MIDNIGHT = /T00:00:00$/;
const NUMERIC = /^(u?int(\d+|eger)?|float\d*|double|decimal|complex\d*|number)\b/i;

/** The table that a payload's value describes; `null` where it is none. */
export function tableFrom(value: unknown): TableValue | null {
  if (!isRecord(value) || !Array.isArray(value.rows)) return null;
  const names = namesIn(value.columns, value.rows);
  if (!names) return null;
  const kept = names.slice(0, MOST_COLUMNS);
  const rows = rowsFrom(value.rows, kept);
  if (!rows) return null;
  const dtypes: unknown[] = Array.isArray(value.dtypes) ? value.dtypes : [];
  const formats: unknown[] = Array.isArray(value.formats) ? value.formats : [];
  const columns = kept.map((name, at) =>
    columnOf(
      name,
      dtypes[at],
      formats[at],
      rows.map((row) => row[at] ?? null),
    ),
  );
  const indices = columns.filter(({ isIndex }) => isIndex).length;
  return {
    columns,
    rows,
    total: atLeast(value.total, rows.length),
    totalColumns: atLeast(value.total_columns, names.length - indices),
    source: typeof value.source === "string" ? value.source : null,
  };
}

/** Rows as the kernel answers them, or as a tool gave them; `null` where they are none. */
export function rowsFrom(rows: unknown[], names: unknown[]): JsonValue[][] | null {
  const read: JsonValue[][] = [];
  for (const row of rows) {
    if (Array.isArray(row)) read.push(names.map((_, at) => row[at] ?? null));
    else if (isRecord(row)) read.push(names.map((name) => own(row, String(name))));
    else return null;
  }
  return read;
}

function own(row: Record<string, unknown>, name: string): JsonValue {
  return Object.hasOwn(row, name) ? ((row[name] as JsonValue) ?? null) : null;
}

/** What the columns are called; of rows that are mappings all of their keys, where nothing is said. */
function namesIn(columns: unknown, rows: unknown[]): unknown[] | null {
  if (Array.isArray(columns)) return columns;
  if (columns !== undefined) return null;
  const names = new Set(rows.filter(isRecord).flatMap((row) => Object.keys(row)));
  return names.size ? [...names] : null;
}

/** A column, by what is said of it and by some of its values. */
export function columnOf(
  name: unknown,
  dtype: unknown,
  format: unknown,
  values: JsonValue[],
): Column {
  const text = typeof name === "string" ? name : (JSON.stringify(name) ?? "");
  const type = textIn(dtype).slice(0, NAME_CHARACTERS);
  return {
    name: text.slice(0, NAME_CHARACTERS),
    dtype: type,
    isIndex: type === "index",
    isDay: /^datetime/i.test(type) && values.every(isMidnight),
    isNumeric: type ? NUMERIC.test(type) : areNumbers(values),
    format: isRecord(format) ? formatOf(format) : {},
  };
}

function formatOf({ unit, decimals, grouped, bytes }: Record<string, unknown>): NumberFormat {
  return {
    ...(typeof unit === "string" ? { unit: unit.slice(0, UNIT_CHARACTERS) } : {}),
    ...(Number.isInteger(decimals) ? { decimals: Math.max(0, Math.min(9, Number(decimals))) } : {}),
    grouped: grouped === true,
    bytes: bytes === true,
  };
}

function isMidnight(value: JsonValue): boolean {
  return value === null || (typeof value === "string" && MIDNIGHT.test(value));
}

function areNumbers(values: JsonValue[]): boolean {
  const there = values.filter((value) => value !== null);
  return there.length > 0 && there.every((value) => typeof value === "number");
}

function atLeast(value: unknown, least: number): number {
  return typeof value === "number" && value > least ? value : least;
}

/** A cell as text; `null` where the value is missing. */
export function cellText(value: JsonValue, column: Column): string | null {
  if (typeof value !== "number") return otherText(value, column);
  const { decimals, grouped, bytes } = column.format;
  if (bytes) return bytesText(value);
  const text = decimals === undefined ? numberText(value, column.dtype) : value.toFixed(decimals);
  return grouped ? withGroups(text) : text;
}

/** A cell as it is, neither rounded nor grouped; `null` where the value is missing. */
export function plainText(value: JsonValue, column: Column): string | null {
  if (typeof value !== "number") return otherText(value, column);
  return wholeNumber(value, column.dtype);
}

/** All digits of a number; JSON has no 9.0. */
function wholeNumber(value: number, dtype: string): string {
  const isWhole = /^float/i.test(dtype) && Number.isInteger(value) && Math.abs(value) < 1e15;
  return isWhole ? value.toFixed(1) : String(value);
}

function otherText(value: JsonValue, { dtype, isDay }: Column): string | null {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "string") return JSON.stringify(value);
  if (!/^datetime/i.test(dtype)) return value;
  return (isDay ? value.replace(MIDNIGHT, "") : value).replace("T", " ");
}

/** A number of many digits is rounded; all of them are in the cell's tooltip. */
function numberText(value: number, dtype: string): string {
  const text = wholeNumber(value, dtype);
  const isLong = text.length > DIGITS && !Number.isInteger(value);
  return isLong ? String(Number(value.toPrecision(7))) : text;
}

const BYTES = ["B", "kB", "MB", "GB", "TB", "PB"];

/** A number of bytes in the unit in which it has up to three digits: `1.23 MB`. */
function bytesText(value: number): string {
  let [size, unit] = [Math.abs(value), 0];
  while (size >= 999.5 && unit < BYTES.length - 1) {
    size /= 1000;
    unit += 1;
  }
  const decimals = unit === 0 ? 0 : size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
  return `${value < 0 ? "-" : ""}${size.toFixed(decimals)} ${BYTES[unit]}`;
}

function withGroups(text: string): string {
  const [whole = "", part] = text.split(".");
  if (/e/.test(text)) return text;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return part === undefined ? grouped : `${grouped}.${part}`;
}

/** As the kernel sorts: numbers by size, texts by their characters; what is missing comes last. */
export function sortedRows(
  rows: JsonValue[][],
  column: number,
  descending: boolean,
  dtype = "",
): JsonValue[][] {
  const there = rows.filter((row) => row[column] !== null && row[column] !== undefined);
  const missing = rows.filter((row) => row[column] === null || row[column] === undefined);
  const direction = descending ? -1 : 1;
  there.sort((a, b) => direction * compared(a[column] ?? null, b[column] ?? null, dtype));
  return [...there, ...missing];
}

function compared(a: JsonValue, b: JsonValue, dtype: string): number {
  const [x, y] = [comparable(a, dtype), comparable(b, dtype)];
  const [isText, areText] = [typeof x === "string", typeof y === "string"];
  if (isText !== areText) return isText ? 1 : -1;
  return x < y ? -1 : x > y ? 1 : 0;
}

function comparable(value: JsonValue, dtype: string): number | bigint | string {
  const amount = amountOf(value, dtype);
  if (amount !== null) return amount;
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A cell's number, also one that no JSON has: endless, too long for a double, or a decimal. */
export function amountOf(value: JsonValue, dtype: string): number | bigint | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  if (value === "∞" || value === "-∞") return endless(value);
  if (/^u?int/i.test(dtype) && /^-?\d+$/.test(value)) return BigInt(value);
  return /^decimal/i.test(dtype) && value !== "" && !Number.isNaN(Number(value))
    ? Number(value)
    : null;
}

/** `∞`, or `-∞`. */
export function endless(text: string): number {
  return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}
