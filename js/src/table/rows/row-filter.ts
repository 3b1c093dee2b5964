/**
 * Which rows a person wants to see, where no kernel has them: as `nbagents/tools/values/tables/
 * row_filter.py` does it. `tests/fixtures/table-filters.json` holds the two together.
 */
import type { JsonValue } from "../../tree";
import { amountOf, type Column, endless, plainText } from "./table-value";

const TOKEN = /(?:"[^"]*"?|[^\s"])+/g;
/** Before a condition that must not be met; `-5` is a number. */
const NOT = /^[-!](?![\d.=])/;
const SIGN = /^:?(>=|<=|!=|>|<|=)?([\s\S]*)$/;
const COLUMN = /^("[^"]+"|[^:<>=!"]+)(?=:|>|<|=|!=)/;
const MISSING_WORDS = new Set(["none", "nan", "null", "missing"]);

interface Term {
  /** Its name in small letters; `null`: any column. */
  column: string | null;
  sign: string;
  /** In small letters. */
  value: string;
  isNot: boolean;
}

/** The rows that meet every condition of a query. */
export function filteredRows(rows: JsonValue[][], columns: Column[], query: string): JsonValue[][] {
  const terms = termsOf(query, new Set(columns.map(({ name }) => name.toLowerCase())));
  if (!terms.length) return rows;
  return rows.filter((row) => terms.every((term) => meets(row, columns, term)));
}

function meets(row: JsonValue[], columns: Column[], term: Term): boolean {
  const isFound = columns.some(
    (column, at) =>
      (term.column === null || column.name.toLowerCase() === term.column) &&
      isHit(row[at] ?? null, column, term),
  );
  return isFound !== term.isNot;
}

function isHit(value: JsonValue, column: Column, { sign, value: wanted }: Term): boolean {
  const text = plainText(value, column)?.toLowerCase() ?? null;
  if (text === null) return sign === "=" && MISSING_WORDS.has(wanted);
  if (!sign) return text.includes(wanted);
  const number = /^-?∞$/.test(wanted) ? endless(wanted) : Number(wanted);
  const isByNumber = !Number.isNaN(number);
  const amount = amountOf(value, column.dtype);
  if (sign === "=")
    return isByNumber && typeof amount === "number" ? amount === number : text === wanted;
  if (isByNumber) return amount !== null && isInOrder(amount, sign, number);
  return amount === null && isInOrder(text, sign, wanted);
}

function isInOrder<T extends number | bigint | string>(a: T, sign: string, b: T): boolean {
  if (sign === ">") return a > b;
  if (sign === ">=") return a >= b;
  return sign === "<" ? a < b : a <= b;
}

function termsOf(query: string, known: Set<string>): Term[] {
  const tokens: string[] = query.match(TOKEN) ?? [];
  return tokens.map((token) => termOf(token, known)).filter((one) => one !== null);
}

function termOf(token: string, known: Set<string>): Term | null {
  const isNot = NOT.test(token);
  const body = isNot ? token.slice(1) : token;
  const named = COLUMN.exec(body)?.[1];
  const name = named?.replaceAll('"', "").toLowerCase() ?? "";
  const column = named !== undefined && known.has(name) ? name : null;
  const rest = column === null ? body : body.slice(named?.length ?? 0);
  const [, sign = "", after = ""] = SIGN.exec(rest) ?? [];
  const given = sign || column !== null ? after : rest;
  const value = given.replaceAll('"', "").trim().toLowerCase();
  if (!value) return null; // it is still being written
  return {
    column,
    sign: sign === "!=" ? "=" : sign,
    value,
    isNot: isNot !== (sign === "!="),
  };
}
