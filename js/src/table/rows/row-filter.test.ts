import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { filteredRows } from "./row-filter";
import { sortedRows, tableFrom } from "./table-value";

const FIXTURE = path.join(import.meta.dirname, "../../../../tests/fixtures/table-filters.json");
const said = JSON.parse(fs.readFileSync(FIXTURE, "utf8"));

describe("a filter finds what the kernel's finds", () => {
  test.each(said.cases as { query: string; kept: number[] }[])("$query", ({ query, kept }) => {
    const table = tableFrom(said);
    if (!table) throw new Error("no table");
    const found = filteredRows(table.rows, table.columns, query);
    expect(found.map((row) => table.rows.indexOf(row))).toEqual(kept);
  });
});

describe("numbers that no JSON has are numbers all the same", () => {
  const columns = ["n", "x", "price"];
  const rows = [
    [1, 1.5, "2.50"],
    ["9007199254740993", "∞", "10.00"],
    ["10000000000000000000", "-∞", "9.99"],
    ["-9007199254740993", null, "-1.00"],
  ];
  const dtypes = ["int64", "float64", "decimal128(4, 2)"];
  const table = tableFrom({ columns, dtypes, rows, total: 4 });
  if (!table) throw new Error("no table");
  const at = (found: unknown[]) => found.map((row) => table.rows.indexOf(row as never));

  test.each([
    ["n>5", [1, 2]],
    ["n=9007199254740992", []],
    ["n=9007199254740993", [1]],
    ["x>0", [0, 1]],
    ["x=∞", [1]],
    ["x>-∞", [0, 1]],
    ["price>=9.99", [1, 2]],
    ["price<0", [3]],
  ])("%s", (query, kept) => {
    expect(at(filteredRows(table.rows, table.columns, query))).toEqual(kept);
  });

  test("also where they are sorted", () => {
    const sorted = (column: number) => at(sortedRows(table.rows, column, false, dtypes[column]));
    expect(sorted(0)).toEqual([3, 0, 1, 2]);
    expect(sorted(1)).toEqual([2, 0, 1, 3]);
    expect(sorted(2)).toEqual([3, 0, 2, 1]);
  });
});
