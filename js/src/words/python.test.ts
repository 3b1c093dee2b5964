import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parsedJson } from "../numbers";
import { fold, ROOT, Sample } from "../sample-run";
import { entry } from "../tree";
import { plain } from "../visible-text";
import { argumentWords, callInPython, cellAgain, type Given, literal } from "./python";

const FIXTURE = path.join(import.meta.dirname, "../../../tests/fixtures/python.json");

interface Sampled {
  name: string;
  arguments: string;
  defaults?: string[];
  objects?: Record<string, string>;
  taken?: NonNullable<Given["taken"]>;
  python: string;
  words: string;
}

const CALLS: Sampled[] = JSON.parse(fs.readFileSync(FIXTURE, "utf8")).calls;

describe("both languages write a call in the same way", () => {
  test.each(CALLS.map((one) => [one.python, one] as const))("%s", (_, one) => {
    const given = { ...one, arguments: parsedJson(one.arguments) };
    expect(callInPython(given)).toBe(one.python);
    expect(argumentWords(given, plain).join(", ")).toBe(one.words);
  });
});

test("JSON is written as Python writes it", () => {
  expect(literal({ a: [true, false, null, 1.5, "é"] })).toBe(
    '{"a": [True, False, None, 1.5, "é"]}',
  );
});

test("the cell that asks again keeps its chat, and braces as they were", () => {
  const asked = (chat: string | null) => {
    const about = { agent_name: "A", model: "m", tools: [], ...ROOT, chat };
    const sample = new Sample().add("run_start", about);
    sample.add("user_message", { text: "What is {{x}}?", shared: [] });
    const run = entry(fold(sample.events).runs, "run-1");
    return run && cellAgain(run);
  };
  expect(asked(null)).toBe("%%agent\nWhat is \\{{x}}?");
  expect(asked("trip")).toBe("%%agent -c trip\nWhat is \\{{x}}?");
  expect(asked('my "trip"')).toBe('%%agent -c "my \\"trip\\""\nWhat is \\{{x}}?');
});
