import { describe, expect, test } from "vitest";
import { entriesOf, exactText, jsonText, numberOf, parsedJson, plainNumbers } from "./numbers";
import type { JsonValue } from "./tree";

/** Numbers as Python writes them, and as JavaScript cannot keep some. */
const TOKENS = [
  ...["0", "-1", "7", "9007199254740991", "9007199254740992", "9007199254740993"],
  ...["-9007199254740993", "123456789012345678901234567890", "0.1", "-2.5", "1e-07"],
  ...["1.0", "-0.0", "1e+22", "1e22", "12345678901234567.0", "5e-324", "1.7976931348623157e+308"],
];

describe("numbers that are not JavaScript's", () => {
  test.each(TOKENS)("%s is written as it was read", (token) => {
    const [first] = [parsedJson(`[${token}, {"a": ${token}}]`)];
    const written = jsonText(first);
    const same = (text: string) => [...text.matchAll(/-?\d[\d.e+-]*/g)].map(([one]) => one);
    const exact = exactText((first as JsonValue[])[0]) !== null;
    expect(same(written)).toEqual(
      exact ? [token, token] : same(JSON.stringify(JSON.parse(written))),
    );
    expect(same(written).map(Number)).toEqual([Number(token), Number(token)]);
  });

  test("one that is JavaScript's stays one", () => {
    expect(parsedJson('[1, -2.5, "9007199254740993", 1e-7]')).toEqual([
      1,
      -2.5,
      "9007199254740993",
      1e-7,
    ]);
  });

  test("whole numbers and others stay apart", () => {
    expect(jsonText(parsedJson('{"a": 1, "b": 1.0}'))).toBe('{"a":1,"b":1.0}');
  });

  test("texts with numbers, quotes and backslashes in them stay as they are", () => {
    const text = '{"a \\" 9007199254740993: ": "\\\\9007199254740993\\"1.0"}';
    expect(jsonText(parsedJson(text))).toBe(JSON.stringify(JSON.parse(text)));
  });

  test("a key of somebody's own is taken for no number", () => {
    const text = '{"$number":"5","$$number":{"$number":9007199254740993}}';
    const value = parsedJson(text);
    expect(exactText(value)).toBeNull();
    expect(jsonText(value)).toBe(text);
    expect(entriesOf(value as object).map(([name]) => name)).toEqual(["$number", "$$number"]);
  });

  test("JSON on several lines is as JavaScript writes it", () => {
    const value = { a: [1, { b: [] }], c: {}, d: "x" };
    expect(jsonText(value, "  ")).toBe(JSON.stringify(value, null, 2));
  });

  test("who reckons gets numbers", () => {
    expect(plainNumbers(parsedJson('[1.0, {"$number": 9007199254740993}]'))).toEqual([
      1,
      { $number: 9007199254740992 },
    ]);
  });

  test.each(["", "x", "1e999", "Infinity", "NaN", "0x10", "1 2", "--1"])("%s is none", (text) => {
    expect(numberOf(text)).toBeNull();
  });

  test.each([
    ["7", 7],
    [" +7 ", 7],
    ["007", 7],
    ["1.5", 1.5],
    ["9007199254740993", { $number: "9007199254740993" }],
    ["1.0", { $number: "1.0" }],
  ])("%s is filled in as it was written", (text, value) => {
    expect(numberOf(text)).toEqual(value);
  });
});
