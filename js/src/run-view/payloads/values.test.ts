import { expect, test } from "vitest";
import { code, diff, json, log, markdown, progress, textOf } from "./values";

test("a text is one, or lines", () => {
  expect(textOf("a")).toBe("a");
  expect(textOf(["a\n", "b"])).toBe("a\nb");
  for (const odd of [null, 1, { text: "a" }, ["a", 1]]) expect(textOf(odd)).toBeNull();
});

test("prose and code are their text, and what is said of it", () => {
  expect(markdown({ text: "**a**" })).toEqual({ type: "markdown", text: "**a**" });
  expect(code({ text: "x", filename: "a\nb.py", language: "python" })).toEqual({
    type: "code",
    text: "x",
    name: "a b.py",
    language: "python",
  });
  expect(code({ text: "x", filename: 1 })).toMatchObject({ name: "", language: "" });
  expect(markdown({ text: 1 })).toBeNull();
  expect(code({})).toBeNull();
});

test("JSON may be anything, also null", () => {
  expect(json({ value: null })).toEqual({ type: "json", value: null });
  expect(json({})).toBeNull();
});

test("a log is a text, or lines with levels of their own or of all", () => {
  expect(log({ text: "a\r\nb\n", level: "info" })).toEqual({
    type: "log",
    lines: [
      { level: "INFO", text: "a" },
      { level: "INFO", text: "b" },
    ],
    levels: ["INFO"],
  });
  expect(log({ lines: ["a\n", { level: "warn", text: "b" }, { text: "c" }] })).toEqual({
    type: "log",
    lines: [
      { level: "", text: "a" },
      { level: "WARNING", text: "b" },
      { level: "", text: "c" },
    ],
    levels: ["WARNING"],
  });
  expect(log({ lines: [1] })).toBeNull();
  expect(log({ lines: [{ level: "constructor", text: "x" }] })).toMatchObject({
    levels: ["CONSTRUCTOR"],
  });
});

test("progress is a fraction and words, within bounds", () => {
  expect(progress({ value: 3, max: 10, label: "Reading" })).toEqual({
    type: "progress",
    fraction: 0.3,
    words: "Reading: 3 of 10 (30%)",
    isDone: false,
  });
  expect(progress({ fraction: 7 })).toMatchObject({ fraction: 1, words: "100%" });
  expect(progress({ value: 0.25 })).toMatchObject({ words: "25%" });
  expect(progress({ label: "Waiting" })).toMatchObject({ fraction: null, words: "Waiting" });
  expect(progress({ label: "Read", done: true })).toMatchObject({
    fraction: 1,
    words: "Read: 100% done",
    isDone: true,
  });
  expect(progress({ value: "3" })).toBeNull();
});

test("a diff needs both texts", () => {
  expect(diff({ before: "", after: "a", name: "x" })).toEqual({
    type: "diff",
    before: "",
    after: "a",
    name: "x",
  });
  expect(diff({ before: "a" })).toBeNull();
});
