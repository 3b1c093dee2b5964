/** Cells as a text to be pasted elsewhere, where no kernel writes it. */
import type { JsonValue } from "../../tree";
import type { Block } from "./selection";
import { type Column, plainText } from "./table-value";

/** `tsv` is what tables of other programs take. */
export type Kind = "csv" | "tsv";

/** Rows as text: nothing where a value is missing, and no number rounded. */
export function copyOf(
  rows: JsonValue[][],
  columns: Column[],
  { top, bottom, left, right }: Block,
  kind: Kind,
  hasHeads: boolean,
): string {
  const mark = kind === "csv" ? "," : "\t";
  const heads = columns.slice(left, right + 1).map(({ name }) => name);
  const lines = rows
    .slice(top, bottom + 1)
    .map((row) =>
      columns
        .slice(left, right + 1)
        .map((column, at) => plainText(row[left + at] ?? null, column) ?? ""),
    );
  const all = hasHeads ? [heads, ...lines] : lines;
  return all.map((line) => `${line.map((text) => quoted(text, mark)).join(mark)}\n`).join("");
}

function quoted(text: string, mark: string): string {
  const needsQuotes = text.includes(mark) || /["\r\n]/.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
