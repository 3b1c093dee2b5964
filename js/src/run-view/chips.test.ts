import { expect, test } from "vitest";
import { fold } from "../fold";
import { ROOT, Sample } from "../sample-events";
import { entry, type RunNode } from "../tree";
import { chipsOf } from "./chips";
import { metersOf } from "./meters";

function runOf(sample: Sample): RunNode {
  const run = entry(fold(sample.events).runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return run;
}

function chips(sample: Sample): string[] {
  return chipsOf(runOf(sample), 0).map(({ text }) => text);
}

function limited(limits: Partial<RunNode["limits"]>, chat: string | null = null): Sample {
  const about = { agent_name: "A", model: "m", tools: [], ...ROOT, chat };
  return new Sample().add("run_start", { ...about, limits: { ...ROOT.limits, ...limits } });
}

test("a run of which nothing special is to be said has no chips and no meters", () => {
  const sample = new Sample().start().tool("c1").ended("c1").said("Hi").phase("completed");
  expect(chips(sample)).toEqual([]);
  expect(metersOf(runOf(sample), 3, 100)).toEqual([]);
});

test("a chip names the chat, an interrupt and how much it cut off, and a refusal", () => {
  const sample = limited({}, "trip").tool("c1").ended("c1", { status: "cancelled" });
  sample.add("assistant_turn", { step: 1, text: "No.", calls: [], citations: [], refused: true });
  const said = ["chat trip", "interrupted in 1 call", "refused"];
  expect(chips(sample.phase("cancelled"))).toEqual(said);
});

test("a tool that changed in mid-run is said, two tools are not", () => {
  const sample = new Sample().start().tool("c1", { source_hash: "a" });
  sample.tool("c2", { source_hash: "b", tool_name: "other" });
  expect(chips(sample)).toEqual([]);
  expect(chips(sample.tool("c3", { source_hash: "b" }))).toEqual(["tool changed"]);
});

test("the limit that ended a run is named", () => {
  const sample = limited({ max_steps: 3, max_calls: 9 });
  sample.add("workflow", { phase: "synthesizing", step: 4, failure: null }).phase("limit");
  expect(chips(sample)).toEqual(["limit: 3 of 3 steps"]);
});

test("each limit that is set has a meter in words", () => {
  const sample = limited({ max_steps: 10, max_calls: 1, max_tokens: 50_000, timeout_s: 300 });
  sample.tool("c1").add("workflow", { phase: "planning", step: 2, failure: null });
  expect(metersOf(runOf(sample), 12.34, 1900).map(({ words }) => words)).toEqual([
    "2 of 10 steps",
    "1 of 1 call",
    "1.9k of 50k tokens",
    "12.3 s of 5 min",
  ]);
});
