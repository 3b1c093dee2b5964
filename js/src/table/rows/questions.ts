/** What a kernel is asked of a table, and what its answers add to what is there. */
import { isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import { columnOf, rowsFrom, type TableValue } from "./table-value";

export interface Sort {
  column: number;
  descending: boolean;
}

/** Which rows are shown, in which order. */
export interface Arrangement {
  sort: Sort | null;
  query: string;
}

/** An arrangement as part of a question. */
export function asked({ sort, query }: Arrangement): Record<string, JsonValue> {
  const by = sort && { column: sort.column, descending: sort.descending };
  return { sort: by, ...(query ? { query } : {}) };
}

/**
 * Rows as the kernel gave them, each cell at its place; of other columns nothing is there.
 *
 * @param names What was asked for, with the columns that name the rows.
 * @param levels How many those are.
 * @param start Before the others so many were left out.
 */
export function placedRows(
  answer: JsonValue,
  names: unknown[],
  levels: number,
  start: number,
): JsonValue[][] {
  const given = isRecord(answer) && Array.isArray(answer.rows) ? answer.rows : null;
  const rows = given && rowsFrom(given, names);
  if (!rows) throw new Error("The kernel answered with no rows.");
  if (!start) return rows;
  return rows.map((row) => {
    const placed = row.slice(0, levels);
    row.slice(levels).forEach((value, at) => {
      placed[levels + start + at] = value;
    });
    return placed;
  });
}

/** A table with further columns from a place on, as the kernel describes them. */
export function withColumns(
  table: TableValue,
  start: number,
  heads: JsonValue,
  cells: JsonValue[][],
): TableValue {
  if (!isRecord(heads) || !Array.isArray(heads.columns)) return table;
  const dtypes: unknown[] = Array.isArray(heads.dtypes) ? heads.dtypes : [];
  const formats: unknown[] = Array.isArray(heads.formats) ? heads.formats : [];
  const columns = table.columns.slice();
  heads.columns.forEach((name, at) => {
    const values = cells.map((row) => row[at] ?? null);
    columns[start + at] = columnOf(name, dtypes[at], formats[at], values);
  });
  return { ...table, columns };
}

/** Rows with further cells from a column on. */
export function withCells(rows: JsonValue[][], start: number, cells: JsonValue[][]): JsonValue[][] {
  return rows.map((row, at) => {
    const whole = row.slice();
    cells[at]?.forEach((value, place) => {
      whole[start + place] = value ?? null;
    });
    return whole;
  });
}

export function range(start: number, stop: number): number[] {
  return Array.from({ length: Math.max(0, stop - start) }, (_, at) => start + at);
}
