import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fold, Sample } from "../sample-run";
import { entry } from "../tree";
import {
  argumentsLine,
  callSentence,
  count,
  duration,
  money,
  namedOnce,
  plural,
  runSentence,
  size,
  textSize,
  took,
} from "./words";

function runOf(sample: Sample) {
  const run = entry(fold(sample.events).runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return run;
}

test.each([
  [0, ""],
  [0.00004, "0.1 ms"],
  [0.0034, "3.4 ms"],
  [0.0854, "85 ms"],
  [0.9994, "999 ms"],
  [0.9996, "1.0 s"],
  [4.25, "4.3 s"],
  [59.97, "1 min 0 s"],
  [125, "2 min 5 s"],
])("%d seconds are %s", (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test.each([
  [0, "0"],
  [999, "999"],
  [1900, "1.9k"],
  [9949, "9.9k"],
  [9950, "10k"],
  [999_499, "999k"],
  [1_234_567, "1.2M"],
])("%d is counted as %s", (many, words) => {
  expect(count(many)).toBe(words);
});

const AMOUNTS = path.join(import.meta.dirname, "../../../tests/fixtures/amounts.json");
const SAID: Record<string, [number, string][]> = JSON.parse(fs.readFileSync(AMOUNTS, "utf8"));

test.each<[string, (value: number) => string]>([
  ["counted", (value) => plural(value, "call")],
  ["duration", (value) => duration(value / 1000)],
  ["money", money],
  ["size", size],
  ["thousands", count],
])("%s: the page says what Python says", (way, say) => {
  const said = SAID[way] ?? [];
  expect(said.length).toBeGreaterThan(5);
  expect(said.map(([value]) => [value, say(value)])).toEqual(said);
});

test("a size is in bytes", () => {
  expect(textSize("é")).toBe("2 bytes");
  expect(textSize("x".repeat(12_340))).toBe("12.3 kB");
  expect(textSize("x".repeat(2_000_000))).toBe("2.0 MB");
});

test("arguments stand on one line as in Python, long ones cut", () => {
  const value = { city: "Paris", days: 3, dry: true, deep: { a: [1, null] } };
  expect(argumentsLine({ arguments: value })).toBe(
    'city="Paris", days=3, dry=True, deep={"a": [1, None]}',
  );
  expect(argumentsLine({ arguments: "{broken\n" })).toBe('"{broken\\n"');
  expect(argumentsLine({ arguments: null })).toBe("");
  expect(argumentsLine({ arguments: { text: "x".repeat(5000) } })).toHaveLength(
    "text=".length + 60,
  );
});

test("a call is a sentence for those who listen", () => {
  const run = runOf(new Sample().start().tool("c1").ended("c1", { preview: "24 rows" }));
  const call = entry(run.calls, "c1");
  if (!call) throw new Error("the sample has no call");
  const said = { gave: "24 rows", inside: "1 denied", status: call.status, time: "500 ms" };
  expect(callSentence(call, said)).toBe('weather, city="Paris", 24 rows, 1 denied, done, 500 ms');
});

test("waiting for people is said where it is worth a word", () => {
  expect(took(4.6, 4.5)).toBe("4.6 s, 4.5 s of it waiting");
  expect(took(4.6, 0.4)).toBe("4.6 s");
  expect(took(0, 0.6)).toBe("");
});

test("names that are there several times are said once", () => {
  expect(namedOnce(["watch", "look", "watch"])).toBe("watch ×2, look");
});

test("a run says what it does, and how it ended", () => {
  const sample = new Sample().start().phase("planning");
  expect(runSentence(runOf(sample), [], 2, "Done, 1 call")).toBe("Thinking");
  sample.tool("c1");
  expect(runSentence(runOf(sample), [], 2, "Done, 1 call")).toBe("Calling weather");
  sample.ended("c1", { status: "failed" });
  expect(runSentence(runOf(sample), [], 2, "Done, 1 call")).toBe("weather failed. Thinking");
  sample.phase("completed");
  expect(runSentence(runOf(sample), [], 0.4, "Done, 1 call")).toBe("Done, 1 call, 2 seconds");
  expect(runSentence(runOf(sample), [], 1, "Done, 1 call")).toBe(
    "Done, 1 call, 2 seconds, 1 of them waiting",
  );
});
