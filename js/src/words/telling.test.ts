import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { type Telling, tellingArguments } from "./telling";
import { argumentsLine } from "./words";

interface Case {
  about: string;
  calls: Telling[];
  telling: Record<string, string[]>;
  words: string[];
}

const FIXTURE = path.join(import.meta.dirname, "../../../tests/fixtures/telling.json");
const CASES: Case[] = JSON.parse(fs.readFileSync(FIXTURE, "utf8"));

test.each(CASES)("calls are told apart as Python does: $about", ({ calls, telling, words }) => {
  const told = tellingArguments(calls);
  expect(Object.fromEntries(told)).toEqual(telling);
  expect(calls.map((call) => argumentsLine(call, told.get(call.name) ?? []))).toEqual(words);
});
