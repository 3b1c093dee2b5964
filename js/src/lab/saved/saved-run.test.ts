import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import { Misfit } from "./reader";
import { readRun } from "./saved-run";

const EVENTS = path.join(import.meta.dirname, "../../../../tests/fixtures/events");
const TREES = fs.readdirSync(EVENTS).filter((name) => name.endsWith(".tree.json"));

/** A tree of the fixtures, as often as it is asked for. */
function treeOf(name: string) {
  return JSON.parse(fs.readFileSync(path.join(EVENTS, name), "utf8"));
}

/** A saved run, with what a test changes in its JSON. */
// biome-ignore lint/suspicious/noExplicitAny: the test writes what does not fit
function savedWith(change: (run: any, saved: any) => void, name = "answer.tree.json"): JsonValue {
  const tree = treeOf(name);
  const root_id = tree.root_ids[0];
  const saved = { version: 1, root_id, tree, cuts: [] };
  change(tree.runs[root_id], saved);
  return saved;
}

const CALL = {
  id: "c1",
  name: "weather",
  arguments: {},
  status: "done",
  output: [],
  payloads: [],
  child_run_ids: [],
};

test("there are fixtures", () => {
  expect(TREES.length).toBeGreaterThan(4);
});

test.each(TREES)("%s is read as it was written, but for what was going on", (name) => {
  const tree = treeOf(name);
  const before = structuredClone(tree);
  for (const run of Object.values<{ status: string; calls: Record<string, { status: string }> }>(
    before.runs,
  )) {
    if (run.status !== "running") continue;
    run.status = "unknown";
    for (const call of Object.values(run.calls)) {
      if (["preparing", "waiting", "running"].includes(call.status)) call.status = "unknown";
    }
  }
  const read = readRun({ version: 1, root_id: tree.root_ids[0], tree, cuts: [{ text: "a: b" }] });
  expect(read.tree).toEqual(before);
  expect(read.cuts).toEqual([{ text: "a: b" }]);
});

test("what an older version did not write yet is taken as nothing", () => {
  const old = savedWith((run) => {
    for (const key of ["limits", "chat", "requests"]) delete run[key];
    run.calls = { c1: CALL };
  });
  const run = Object.values(readRun(old).tree.runs)[0];
  expect(run?.requests).toEqual([]);
  expect(run?.chat).toBeNull();
  expect(run?.limits.max_steps).toBeNull();
  expect(run?.calls.c1?.step).toBe(0);
});

test("what a newer version writes beside is left out", () => {
  const run = Object.values(readRun(savedWith((run) => (run.mood = "good"))).tree.runs)[0];
  expect(run).not.toHaveProperty("mood");
});

test("an id may be any word", () => {
  const named = savedWith((run) => {
    run.calls = JSON.parse(
      `{"__proto__": ${JSON.stringify(CALL)}, "constructor": ${JSON.stringify(CALL)}}`,
    );
  });
  const calls = Object.values(readRun(named).tree.runs)[0]?.calls ?? {};
  expect(Object.keys(calls)).toEqual(["__proto__", "constructor"]);
  expect(Object.getPrototypeOf(calls)).toBe(Object.prototype);
});

test.each<[string, JsonValue | undefined]>([
  ["nothing", undefined],
  ["a text", "run"],
  ["a list", []],
  ["a newer version", savedWith((_, saved) => (saved.version = 2))],
  ["a newer tree", savedWith((_, saved) => (saved.tree.version = 2))],
  ["no run", savedWith((_, saved) => (saved.tree.root_ids = []))],
  ["a run that is not there", savedWith((_, saved) => (saved.tree.root_ids = ["__proto__"]))],
  ["an unknown state", savedWith((run) => (run.status = "<img src=x>"))],
  ["a number for a text", savedWith((run) => (run.text = 7))],
  ["a text for a list", savedWith((run) => (run.items = "none"))],
  ["a call without a state", savedWith((run) => (run.calls = { c1: { ...CALL, status: null } }))],
  [
    "a run inside itself",
    savedWith((run) => (run.calls = { c1: { ...CALL, child_run_ids: [run.id] } })),
  ],
  [
    "JSON nested without end",
    savedWith((run) => {
      let deep: JsonValue = 0;
      for (let level = 0; level < 5000; level++) deep = [deep];
      run.calls = { c1: { ...CALL, arguments: deep } };
    }),
  ],
])("%s is refused as a whole", (_, value) => {
  expect(() => readRun(value)).toThrow(Misfit);
});

test("arguments stand in the order in which they were written, though a notebook sorts them", () => {
  const sorted = { euros: 900, more: 1, to: "Eve" };
  const { tree } = readRun(
    savedWith((run) => {
      const names = ["to", "euros", "gone"];
      run.calls.c1 = { ...CALL, arguments: sorted, proposed: sorted, argument_names: names };
    }),
  );
  const call = Object.values(tree.runs)[0]?.calls.c1;
  expect(Object.keys(call?.arguments ?? {})).toEqual(["to", "euros", "more"]);
  expect(Object.keys(call?.proposed ?? {})).toEqual(["to", "euros", "more"]);
  expect(call).not.toHaveProperty("argument_names");
});
