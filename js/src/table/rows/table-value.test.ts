import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import { type Column, cellText, sortedRows, tableFrom } from "./table-value";

const KIND = { isNumeric: false, isIndex: false, isDay: false };
const COLUMN: Column = { name: "c", dtype: "", ...KIND, format: {} };

function text(value: JsonValue, dtype = ""): string | null {
  return cellText(value, { ...COLUMN, dtype });
}

describe("a table is read", () => {
  test("from lists, with its types and how much of it is there", () => {
    const table = tableFrom({
      columns: ["", "city", "celsius"],
      dtypes: ["index", "object", "float64"],
      rows: [["a", "Oslo", 9], ["b"]],
      total: 1000,
      total_columns: 7,
      source: "s",
    });
    expect(table?.columns.map(({ isIndex, isNumeric }) => [isIndex, isNumeric])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(table?.rows[1]).toEqual(["b", null, null]);
    expect([table?.total, table?.totalColumns, table?.source]).toEqual([1000, 7, "s"]);
  });

  test("from mappings, by their own keys alone", () => {
    const table = tableFrom({ rows: [{ a: 1 }, { b: "x", toString: "t" }] });
    expect(table?.columns.map(({ name }) => name)).toEqual(["a", "b", "toString"]);
    expect(table?.rows).toEqual([
      [1, null, null],
      [null, "x", "t"],
    ]);
  });

  test("with numbers where all that is there is one", () => {
    const table = tableFrom({ columns: ["a", "b", "c"], rows: [[1, null, "1"]] });
    expect(table?.columns.map(({ isNumeric }) => isNumeric)).toEqual([true, false, false]);
  });

  test("by its types where they are known", () => {
    const dtypes = ["Int64", "interval", "Decimal(38, 2)", "uint8", "str"];
    const table = tableFrom({ columns: ["a", "b", "c", "d", "e"], dtypes, rows: [] });
    expect(table?.columns.map(({ isNumeric }) => isNumeric)).toEqual([
      ...[true, false, true, true, false],
    ]);
  });

  test.each([null, [], {}, { rows: [] }, { columns: 1, rows: [] }, { columns: ["a"], rows: [1] }])(
    "and %j is none",
    (value) => {
      expect(tableFrom(value)).toBeNull();
    },
  );

  test("with as many columns as it has", () => {
    const columns = Array.from({ length: 400 }, (_, at) => `c${at}`);
    const table = tableFrom({ columns, rows: [columns] });
    expect([table?.columns.length, table?.rows[0]?.length, table?.totalColumns]).toEqual([
      ...[400, 400, 400],
    ]);
  });
});

describe("a cell", () => {
  test.each<[JsonValue, string, string | null]>([
    [null, "", null],
    [true, "bool", "True"],
    [9, "float64", "9.0"],
    [9, "int64", "9"],
    [0.30000000000000004, "float64", "0.3"],
    [1 / 7, "float64", "0.1428571"],
    [12.345, "", "12.345"],
    ["2024-01-01T00:00:00", "datetime64[ns]", "2024-01-01 00:00:00"],
    ["2024-01-01T10:30:00", "datetime64[ns]", "2024-01-01 10:30:00"],
    ["2024-01-01T10:30:00", "str", "2024-01-01T10:30:00"],
    [["a"], "object", '["a"]'],
  ])("%j of type %s is %s", (value, dtype, said) => {
    expect(text(value, dtype)).toBe(said);
  });
});

test("days are days where all are, and times where one is", () => {
  const value = (...rows: JsonValue[]) => {
    const dtypes = ["datetime64[ns]"];
    const table = tableFrom({ columns: ["d"], dtypes, rows: rows.map((one) => [one]) });
    return table?.rows.map(([one]) => table.columns[0] && cellText(one ?? null, table.columns[0]));
  };
  expect(value("2024-01-01T00:00:00", null)).toEqual(["2024-01-01", null]);
  expect(value("2024-01-01T00:00:00", "2024-01-01T01:00:00")).toEqual([
    "2024-01-01 00:00:00",
    "2024-01-01 01:00:00",
  ]);
});

describe("rows are sorted", () => {
  const sorted = (values: JsonValue[], descending = false) =>
    sortedRows(
      values.map((value) => [value]),
      0,
      descending,
    ).map(([value]) => value);

  test("by size and by characters, what is missing last, either way", () => {
    expect(sorted([3, null, 20, 1])).toEqual([1, 3, 20, null]);
    expect(sorted([3, null, 20, 1], true)).toEqual([20, 3, 1, null]);
    expect(sorted(["b", "a", "B"])).toEqual(["B", "a", "b"]);
    expect(sorted([true, false])).toEqual([false, true]);
    expect(sorted(["∞", 5, "-∞"])).toEqual(["-∞", 5, "∞"]);
    expect(sorted([{ a: 1 }, "x", 2])).toEqual([2, "x", { a: 1 }]);
  });

  test("so that equal ones stay as they were", () => {
    const rows = [
      [1, "a"],
      [0, "b"],
      [1, "c"],
    ];
    expect(sortedRows(rows, 0, true).map(([, name]) => name)).toEqual(["a", "c", "b"]);
  });
});
