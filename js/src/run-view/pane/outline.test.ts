import { expect, test } from "vitest";
import { fold, ROOT, Sample } from "../../sample-run";
import { entry, type Tree } from "../../tree";
import { firstOf, nameOf, pathTo, placeAt } from "./node";
import { moveFrom, type OutlineRow, outlineOf, rowKeyOf } from "./outline";
import { search, withHolders } from "./search";

const INSIDE = { run_id: "run-2", parent_run_id: "run-1", parent_tool_call_id: "c2" };

function asked(sample: Sample, step: number, place = {}): Sample {
  const told = { step, message_count: step, tools: [], messages: [], schemas: null };
  sample.add("workflow", { phase: "planning", step, failure: null, ...place });
  return sample.add("prompt_rendered", { ...told, ...place });
}

/** Two calls in two steps, the second by an agent, whose own call fails. */
function tree(): Tree {
  const sample = asked(new Sample().start(), 1).tool("c1", { step: 1 }).ended("c1");
  asked(sample, 2).tool("c2", { tool_name: "ask", step: 2 });
  sample.add("child_run_linked", {
    tool_call_id: "c2",
    child_run_id: "run-2",
    child_agent_name: "B",
  });
  sample.add("run_start", { agent_name: "B", model: "m", tools: [], ...ROOT, ...INSIDE });
  sample.add("user_message", { text: "Of Atlantis?", shared: [], ...INSIDE });
  asked(sample, 1, INSIDE).tool("d1", { step: 1, ...INSIDE });
  sample.add("tool_output_delta", {
    tool_call_id: "d1",
    stream: "stdout",
    text: "looking below the SEA",
    ...INSIDE,
  });
  sample.ended("d1", { status: "failed", ...INSIDE }).ended("c2", { tool_name: "ask" });
  return asked(sample, 3) && fold(sample.events);
}

function rowsOf(of: Tree, found: ReadonlySet<string> | null = null, closed = ""): OutlineRow[] {
  const run = entry(of.runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return outlineOf(of, run, { isOpen: (key) => key !== closed, found });
}

const drawn = (rows: OutlineRow[]) =>
  rows.map(({ place, level }) => `${"  ".repeat(level - 1)}${place.type} ${place.key}`);

test("a run, its steps and its calls stand below each other, agents with theirs inside", () => {
  expect(drawn(rowsOf(tree()))).toEqual([
    "run run-1",
    "  step run-1//1",
    "  call run-1/c1",
    "  step run-1//2",
    "  call run-1/c2",
    "    step run-2//1",
    "    call run-2/d1",
    "  step run-1//3",
  ]);
  expect(drawn(rowsOf(tree(), null, "run-1/c2"))).not.toContain("    call run-2/d1");
});

test("of what is looked for only the calls are there, with those that hold them", () => {
  const all = tree();
  expect([...search(all, "sea below")]).toEqual(["run-2/d1"]);
  expect([...search(all, "atlantis")]).toEqual(["run-1/c2"]);
  expect(search(all, "nowhere").size).toBe(0);
  const found = withHolders(all, search(all, "sea below"));
  expect(drawn(rowsOf(all, found))).toEqual(["run run-1", "  call run-1/c2", "    call run-2/d1"]);
});

test("the arrow keys go from row to row, into what is open, and out to what holds it", () => {
  const rows = rowsOf(tree());
  expect(moveFrom(rows, "ArrowDown", "run-1")).toEqual({ to: "run-1//1" });
  expect(moveFrom(rows, "ArrowUp", "run-1")).toEqual({ to: "run-1" });
  expect(moveFrom(rows, "End", "run-1")).toEqual({ to: "run-1//3" });
  expect(moveFrom(rows, "ArrowRight", "run-1/c2")).toEqual({ to: "run-2//1" });
  expect(moveFrom(rows, "ArrowLeft", "run-2/d1")).toEqual({ to: "run-1/c2" });
  expect(moveFrom(rows, "ArrowLeft", "run-1/c2")).toEqual({ open: "run-1/c2", isOpen: false });
  expect(moveFrom(rows, "ArrowRight", "run-1/c1")).toBeNull();
  expect(moveFrom(rows, "x", "run-1")).toBeNull();
  const closed = rowsOf(tree(), null, "run-1/c2");
  expect(moveFrom(closed, "ArrowRight", "run-1/c2")).toEqual({ open: "run-1/c2", isOpen: true });
  expect(moveFrom(closed, "ArrowLeft", "run-1/c2")).toEqual({ to: "run-1" });
});

test("every place is found again by its key, with the way to it", () => {
  const all = tree();
  for (const { place } of rowsOf(all)) expect(placeAt(all, place.key)?.key).toBe(place.key);
  const place = placeAt(all, "run-2/d1");
  expect(place && pathTo(all, place).map(nameOf)).toEqual(["Agent", "ask", "B", "weather"]);
  expect([placeAt(all, "run-9"), placeAt(all, "run-1/x"), placeAt(all, "run-1//9")]).toEqual([
    null,
    null,
    null,
  ]);
});

test.each(["failed", "timed_out", "denied", "unknown"] as const)(
  "of a run one first looks at the call that is %s",
  (status) => {
    const sample = new Sample().start().tool("c1").ended("c1").tool("c2").ended("c2", { status });
    const all = fold(sample.events);
    const run = entry(all.runs, "run-1");
    expect(run && firstOf(all, run)).toBe("run-1/c2");
  },
);

test("what went wrong is looked at first; an agent's run has the row of its call", () => {
  const all = tree();
  const run = entry(all.runs, "run-1");
  expect(run && firstOf(all, run)).toBe("run-2/d1");
  expect(rowKeyOf(rowsOf(all), "run-2")).toBe("run-1/c2");
  expect(rowKeyOf(rowsOf(all), "gone")).toBe("run-1");
});
