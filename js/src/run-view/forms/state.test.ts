import { describe, expect, test } from "vitest";
import { parsedJson } from "../../numbers";
import type { JsonValue } from "../../tree";
import { FormState, WHOLE } from "./state";

const FORM = {
  type: "object",
  properties: {
    id: { type: "integer" },
    euros: { type: "number" },
    label: { type: "string" },
    passes: { type: "integer", default: 3 },
    deep: { type: "object", properties: { a: { type: "number" }, b: { type: "string" } } },
    sizes: { type: "array", items: { type: "number" } },
  },
  required: ["id"],
};
const GIVEN = parsedJson(
  '{"id": 9007199254740993, "euros": 1.0, "label": " x ", "deep": {"a": 2.0, "b": "c"}, "sizes": [1.0, 9007199254740993], "passes": 3}',
);

function form(): FormState {
  return new FormState(FORM, GIVEN, ["passes"]);
}

describe("what was changed in a form", () => {
  test("is nothing where nothing was", () => {
    expect(form().changes()).toEqual({ changes: {}, left_out: [] });
  });

  test.each<[string, string, JsonValue]>([
    ["id", "9007199254740995", { $number: "9007199254740995" }],
    ["euros", "2.0", { $number: "2.0" }],
    ["label", "y", "y"],
    ["passes", "9", 9],
  ])("is %s alone", (name, text, value) => {
    const one = form();
    one.set(`/${name}`, text);
    expect(one.changes()).toEqual({ changes: { [name]: value }, left_out: [] });
  });

  test("of what is nested is all of its field, each number as it was", () => {
    const one = form();
    one.set("/deep/b", "d");
    expect(one.changes()).toEqual({
      changes: { deep: { a: { $number: "2.0" }, b: "d" } },
      left_out: [],
    });
  });

  test("is that a field is left out, and a default is not", () => {
    const one = form();
    one.set("/label", "");
    expect(one.changes()).toEqual({ changes: {}, left_out: ["label"] });
  });

  test("is the same as JSON, which shows the defaults, too", () => {
    const one = form();
    one.flip();
    expect(one.textOf(WHOLE)).toContain('"id": 9007199254740993,\n  "euros": 1.0');
    expect(one.textOf(WHOLE)).toContain('"passes": 3');
    expect(one.changes()).toEqual({ changes: {}, left_out: [] });
    one.set(WHOLE, one.textOf(WHOLE).replace('"passes": 3', '"passes": 4'));
    expect(one.changes()).toEqual({ changes: { passes: 4 }, left_out: [] });
    one.flip();
    expect(one.changes()).toEqual({ changes: { passes: 4 }, left_out: [] });
  });

  test("is nothing that is no number", () => {
    const one = form();
    for (const text of ["NaN", "Infinity", "1e999", "1.5"]) {
      one.set("/id", text);
      expect(one.changes()).toBeNull();
    }
  });
});
