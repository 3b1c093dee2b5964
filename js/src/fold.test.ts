import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { AnyEvent } from "./events";
import { fold, settle, TreeFold } from "./fold";
import { Sample } from "./sample-events";

const FIXTURES = path.join(import.meta.dirname, "../../tests/fixtures/events");
const NAMES = fs
  .readdirSync(FIXTURES)
  .filter((file) => file.endsWith(".jsonl"))
  .map((file) => file.slice(0, -".jsonl".length));

function eventsOf(name: string): AnyEvent[] {
  const lines = fs
    .readFileSync(path.join(FIXTURES, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const one of Object.values(value)) frozen(one);
  }
  return value;
}

describe("both languages fold the same", () => {
  test("there are fixtures", () => {
    expect(NAMES.length).toBeGreaterThan(3);
  });

  test.each(NAMES)("%s", (name) => {
    const expected = JSON.parse(fs.readFileSync(path.join(FIXTURES, `${name}.tree.json`), "utf8"));
    expect(fold(eventsOf(name))).toEqual(expected);
  });

  test.each(NAMES)("%s, event by event, and no tree changes once it was handed out", (name) => {
    const folding = new TreeFold();
    for (const event of eventsOf(name)) {
      folding.take([frozen(event)]);
      frozen(folding.tree);
    }
    expect(folding.tree).toEqual(fold(eventsOf(name)));
  });
});

test("the same event twice changes nothing", () => {
  const { events } = new Sample().start().tool("c1").said("Hello").ended("c1");
  const folding = new TreeFold();
  folding.take(events);
  const before = JSON.stringify(folding.tree);
  folding.take(events);
  expect(JSON.stringify(folding.tree)).toBe(before);
});

test("a batch leaves alone the calls it does not touch", () => {
  const folding = new TreeFold();
  const { events } = new Sample().start().tool("c1").tool("c2").ended("c2");
  folding.take(events.slice(0, 3));
  const before = folding.tree.runs["run-1"]?.calls;
  folding.take(events.slice(3));
  const after = folding.tree.runs["run-1"]?.calls;
  expect(after?.c1).toBe(before?.c1);
  expect(after?.c2).not.toBe(before?.c2);
});

test("ids that mean something to JavaScript are ids like others", () => {
  const sample = new Sample("__proto__").start().tool("constructor").tool("__proto__");
  const tree = fold(sample.events);
  expect(Object.keys(tree.runs)).toEqual(["__proto__"]);
  const run = Object.values(tree.runs)[0];
  expect(Object.keys(run?.calls ?? {})).toEqual(["constructor", "__proto__"]);
  expect(JSON.stringify(tree)).toContain('"constructor":{"id":"constructor"');
});

test("an event of a newer kernel shows nothing and stops nothing", () => {
  const { events } = new Sample().start().said("Hello");
  const newer = { ...events[1], type: "telepathy", seq: 7 };
  const tree = fold([...events, JSON.parse(JSON.stringify(newer))]);
  expect(tree).toEqual(fold(events));
});

test("an event of a run that never began changes nothing", () => {
  expect(fold(new Sample().tool("c1").events)).toEqual(fold([]));
});

test("of a log whose writer is gone, what was open is unknown and what ended stays", () => {
  const { events } = new Sample().start().tool("c1").ended("c1").tool("c2");
  const tree = fold(events);
  const run = settle(tree).runs["run-1"];
  expect(run?.status).toBe("unknown");
  expect(run?.calls.c1?.status).toBe("done");
  expect(run?.calls.c2?.status).toBe("unknown");
  expect(tree.runs["run-1"]?.status).toBe("running");
});
