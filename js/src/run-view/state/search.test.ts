import { expect, test } from "vitest";
import { fold, ROOT, Sample } from "../../sample-run";
import { callCount, find } from "./search";

const below = { run_id: "run-2", parent_run_id: "run-1" };
const SAMPLE = new Sample().start().tool("c1", { arguments: { city: "Paris" } });
SAMPLE.ended("c1", { content: "Nine degrees", preview: "9 °C" });
SAMPLE.tool("c2", { tool_name: "ask", arguments: {} });
SAMPLE.add("child_run_linked", {
  tool_call_id: "c2",
  child_run_id: "run-2",
  child_agent_name: "B",
});
SAMPLE.add("run_start", { agent_name: "B", model: "m", tools: [], ...ROOT, ...below });
SAMPLE.tool("d1", { tool_name: "search", arguments: { query: "Fjord" }, ...below });
SAMPLE.ended("d1", { status: "failed", content: "No hits", tool_name: "search", ...below });
const TREE = fold(SAMPLE.events);

test.each([
  ["PARIS", ["run-1/c1"]],
  ["nine", ["run-1/c1"]],
  ["weather done", ["run-1/c1"]],
  ["fjord", ["run-2/d1", "run-1/c2"]],
  ["failed", ["run-2/d1", "run-1/c2"]],
  ["weather fjord", []],
])("%s is in the rows %j, and in those that hold them", (query, keys) => {
  expect([...find(TREE, query).keys]).toEqual(keys);
});

test("it counts what matches, and names what only holds a match", () => {
  const { matching, all, above } = find(TREE, "fjord");
  expect([matching, all, [...above]]).toEqual([1, 3, ["run-1/c2", "run-2"]]);
  expect(callCount(TREE)).toBe(3);
});

test("it counts the results of which only the beginning is looked through", () => {
  const sample = new Sample()
    .start()
    .tool("c1")
    .ended("c1", { content: "w".repeat(20_000) });
  expect(find(fold(sample.events), "x").cut).toBe(0);
  sample.tool("c2").ended("c2", { content: `${"w".repeat(20_000)}needle` });
  const { cut, matching } = find(fold(sample.events), "needle");
  expect([cut, matching]).toEqual([1, 0]);
});
