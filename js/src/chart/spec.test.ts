import { describe, expect, test } from "vitest";
import type { JsonValue } from "../tree";
import { slim } from "./picture";
import { chartFrom } from "./spec";
import { linesOf } from "./tooltip";

const X = { field: "a", type: "quantitative" };

function specOf(spec: JsonValue, data?: JsonValue): Record<string, unknown> {
  return chartFrom(data === undefined ? { spec } : { spec, data }).spec;
}

describe("a chart is read", () => {
  test("with its named data in their place, so that other data change no name", () => {
    const spec = specOf({
      data: { name: "d1", format: { type: "json" } },
      datasets: { d1: [{ a: 1 }], unused: [1] },
      layer: [
        { mark: "bar" },
        { mark: "rule", data: { name: "d1" } },
        { mark: "tick", transform: [{ lookup: "a", from: { data: { name: "d1" }, key: "a" } }] },
      ],
      usermeta: { embedOptions: {} },
    });
    expect(spec).toMatchObject({
      data: { values: [{ a: 1 }], format: { type: "json" } },
      datasets: { unused: [1] },
      layer: [
        { mark: "bar" },
        { data: { values: [{ a: 1 }] } },
        { transform: [{ from: { data: { values: [{ a: 1 }] } } }] },
      ],
    });
    expect(spec.usermeta).toBeUndefined();
  });

  test("with rows beside it instead of its own", () => {
    const spec = specOf({ data: { url: "x.csv", format: { parse: {} } }, mark: "bar" }, [{ a: 1 }]);
    expect(spec.data).toEqual({ values: [{ a: 1 }], format: { parse: {} } });
    expect(specOf({ mark: "bar" }, [1]).data).toEqual({ values: [1] });
  });

  test("as a copy, because drawing writes into its rows", () => {
    const rows = [{ a: 1 }];
    const spec = specOf({ data: { values: rows }, mark: "bar" });
    expect((spec.data as { values: unknown[] }).values[0]).not.toBe(rows[0]);
  });

  test.each<[string, JsonValue, boolean]>([
    ["a number", { mark: "line", encoding: { x: X } }, true],
    ["a binned one", { mark: "bar", encoding: { x: { field: "a", bin: true } } }, true],
    ["words", { mark: "bar", encoding: { x: { field: "a", type: "nominal" } } }, false],
    ["what has no type", { mark: "bar", encoding: { x: { field: "a" } } }, false],
    ["a count", { mark: "bar", encoding: { x: { aggregate: "count" } } }, true],
    ["words in a layer", { layer: [{ encoding: { x: { field: "a", type: "ordinal" } } }] }, false],
    ["several parts", { hconcat: [] }, false],
    ["facets", { mark: "line", encoding: { x: X, row: { field: "b" } } }, false],
    ["a width of its own", { mark: "line", width: 90, encoding: { x: X } }, false],
    [
      "the width of its place",
      { mark: "bar", width: "container", encoding: { x: { field: "a" } } },
      true,
    ],
  ])("and follows the width of its place or not: %s", (_, spec, isResponsive) => {
    expect(chartFrom({ spec }).isResponsive).toBe(isResponsive);
  });

  test("with a background of its own, on which light colours would be lost", () => {
    expect(chartFrom({ spec: { mark: "bar" } }).hasBackground).toBe(false);
    expect(chartFrom({ spec: { mark: "bar", background: "white" } }).hasBackground).toBe(true);
    const config = { background: "#fff" };
    expect(chartFrom({ spec: { mark: "bar", config } }).hasBackground).toBe(true);
  });

  test.each<[JsonValue, RegExp]>([
    [null, /a Vega-Lite specification/],
    [{ spec: "bar" }, /a Vega-Lite specification/],
    [{ spec: { $schema: "https://vega.github.io/schema/vega/v6.json" } }, /of Vega/],
    [{ spec: { mark: "bar", data: { sequence: { start: 0, stop: 1e12 } } } }, /more than 200,000/],
    [{ spec: { mark: "bar", data: { sequence: { stop: 9, step: 0 } } } }, /more than 200,000/],
    [{ spec: { layer: [{ data: { sequence: { stop: "x" } } }] } }, /more than 200,000/],
  ])("and %j is none", (value, words) => {
    expect(() => chartFrom(value)).toThrow(words);
  });
});

test("short words below columns stand upright, others are sloped", () => {
  const angle = (...words: JsonValue[]) => {
    const data = words.map((city) => ({ city }));
    return chartFrom({ spec: { mark: "bar", encoding: { x: { field: "city" } } }, data })
      .labelAngle;
  };
  expect([angle(1, 12), angle("Oslo", "Reykjavík"), angle()]).toEqual([0, -40, -40]);
});

test("a chart is called by its description, or else by its title", () => {
  expect(specOf({ mark: "bar" }).description).toBe("Chart");
  expect(specOf({ mark: "bar", title: { text: ["Rain", "in May"] } }).description).toBe(
    "Rain in May",
  );
  expect(specOf({ mark: "bar", title: "Rain", description: "Bars" }).description).toBe("Bars");
});

test("a picture keeps what is drawn, and nothing that only a live page needs", () => {
  const svg =
    '<svg class="marks"><g role="graphics-object" aria-label="&lt;b&gt;"><a xlink:href="x">' +
    '<path d="M0.123456,-7.98765L1e-7,2" fill="#f00" tabindex="0"/></a></g></svg>';
  expect(slim(svg)).toBe('<svg><g><path d="M0.12,-7.99L1e-7,2" fill="#f00"/></g></svg>');
});

test("a tooltip is lines of text", () => {
  expect(linesOf({ city: "Oslo", mm: 52, when: [1] })).toEqual([
    ["city", "Oslo"],
    ["mm", "52"],
    ["when", "[1]"],
  ]);
  expect(linesOf("<b>x</b>")).toEqual([["", "<b>x</b>"]]);
  expect(linesOf(new Date(0))[0]?.[1]).toContain("1970");
  expect(linesOf({ a: "x".repeat(900) })[0]?.[1]).toHaveLength(200);
  for (const nothing of [null, undefined, ""]) expect(linesOf(nothing)).toEqual([]);
});
