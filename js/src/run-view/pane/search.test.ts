import { expect, test } from "vitest";
import { fold, Sample } from "../../sample-run";
import type { JsonValue } from "../../tree";
import { partialTables, search } from "./search";

function found(sample: Sample, query: string): string[] {
  return [...search(fold(sample.events), query)];
}

test.each([[String.raw`C:\temp\new`], ['"hi"'], ['city="Oslo'], ["dry=True"], ["2.50"], ["née"]])(
  "%s is found as it is read",
  (query) => {
    const text = String.raw`open C:\temp\new, say "hi", née`;
    const given = { text, city: "Oslo", dry: true, price: "2.50" };
    const sample = new Sample().start().tool("c1", { arguments: given }).tool("c2");
    expect(found(sample, query)).toEqual(["run-1/c1"]);
  },
);

function table(value: JsonValue): Sample {
  const payload = { kind: "table", value, text: null, audience: "timeline" } as const;
  const sample = new Sample().start().tool("c1");
  return sample.add("tool_data", { tool_call_id: "c1", payload_id: "p1", payload });
}

test("tables of which rows are elsewhere are counted, whole ones are not", () => {
  const rows = [["Oslo"], ["Rome"]];
  const value = { columns: ["city"], rows };
  expect(partialTables(fold(table({ ...value, total: 1000 }).events))).toBe(1);
  expect(partialTables(fold(table({ ...value, total: 2 }).events))).toBe(0);
  expect(partialTables(fold(table(value).events))).toBe(0);
});
