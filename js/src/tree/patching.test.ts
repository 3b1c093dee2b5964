import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { fold, Sample } from "../sample-run";
import type { NodePatch } from ".";
import { EMPTY, patched } from "./patching";

const FIXTURES = path.join(import.meta.dirname, "../../../tests/fixtures/events");
const NAMES = fs
  .readdirSync(FIXTURES)
  .filter((file) => file.endsWith(".patches.json"))
  .map((file) => file.slice(0, -".patches.json".length));

function fixture(name: string, of: string) {
  return JSON.parse(fs.readFileSync(path.join(FIXTURES, `${name}.${of}.json`), "utf8"));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}

describe("patches come to the tree that Python folded", () => {
  test("there are fixtures", () => {
    expect(NAMES.length).toBeGreaterThan(10);
  });

  test.each(NAMES)("%s", (name) => {
    expect(patched(EMPTY, fixture(name, "patches").flat())).toEqual(fixture(name, "tree"));
  });

  test.each(NAMES)("%s, unit by unit, and no tree changes once it was handed out", (name) => {
    const units: NodePatch[][] = fixture(name, "patches");
    const tree = units.reduce((before, unit) => frozen(patched(before, frozen(unit))), EMPTY);
    expect(tree).toEqual(fixture(name, "tree"));
  });
});

test("a batch leaves alone the calls it does not touch", () => {
  const { events } = new Sample().start().tool("c1").tool("c2").ended("c2");
  const before = patched(EMPTY, events.slice(0, 3).flat());
  const after = patched(before, events.slice(3).flat());
  expect(after.runs["run-1"]?.calls.c1).toBe(before.runs["run-1"]?.calls.c1);
  expect(after.runs["run-1"]?.calls.c2).not.toBe(before.runs["run-1"]?.calls.c2);
});

test("ids that mean something to JavaScript are ids like others", () => {
  const tree = fold(new Sample("__proto__").start().tool("constructor").tool("__proto__").events);
  expect(Object.keys(tree.runs)).toEqual(["__proto__"]);
  const run = Object.values(tree.runs)[0];
  expect(Object.keys(run?.calls ?? {})).toEqual(["constructor", "__proto__"]);
  expect(JSON.stringify(tree)).toContain('"constructor":{"id":"constructor"');
});

test("a patch of a newer kernel stops nothing", () => {
  const tree = fold(new Sample().start().said("Hello").events);
  const newer = JSON.parse('{"run": "run-1", "at": 9, "moods": ["good"], "set": {"mood": "good"}}');
  expect(patched(tree, [newer]).runs["run-1"]).toEqual({ ...tree.runs["run-1"], mood: "good" });
});

test("a patch of a run that never began changes nothing", () => {
  const splice = { field: "items", at: 0, drop: 0, add: [] };
  expect(patched(EMPTY, [{ run: "run-9", at: 1, splices: [splice] }])).toEqual(EMPTY);
});

test.each([
  ["is longer", { drop: 0, add: "c" }, "abc"],
  ["goes back on its end, by JavaScript's characters", { drop: 1, add: "" }, "a"],
])("a text %s", (_, { drop, add }, expected) => {
  const tree = fold(new Sample().start().said("ab").events);
  const texts = [{ field: "items", index: 0, drop, add }];
  const [item] = patched(tree, [{ run: "run-1", at: 1, texts }]).runs["run-1"]?.items ?? [];
  expect(item).toEqual({ type: "text", step: 1, text: expected });
});
