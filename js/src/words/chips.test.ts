import { expect, test } from "vitest";
import { fold, ROOT, Sample } from "../sample-run";
import { entry, type RunNode } from "../tree";
import { chipsOf } from "./chips";
import { metersOf } from "./meters";

function runOf(sample: Sample): RunNode {
  const run = entry(fold(sample.events).runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return run;
}

function chips(sample: Sample): string[] {
  return chipsOf(runOf(sample), fold(sample.events)).map(({ text }) => text);
}

const NOTHING = { calls: 0, made: 0, input: 0, output: 0, cached: 0, cost: null, waits: [] };

function limited(limits: Partial<RunNode["limits"]>, chat: string | null = null): Sample {
  const about = { agent_name: "A", model: "m", tools: [], ...ROOT, chat };
  return new Sample().add("run_start", { ...about, limits: { ...ROOT.limits, ...limits } });
}

test("a run of which nothing special is to be said has no chips and no meters", () => {
  const sample = new Sample().start().tool("c1").ended("c1").said("Hi").phase("completed");
  expect(chips(sample)).toEqual([]);
  expect(metersOf(runOf(sample), 3, NOTHING)).toEqual([]);
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

test.each([
  ["max_calls=1", "limit: 1 of 1 call"],
  ["max_steps=3", "limit: 3 of 3 steps"],
  ["max_failed_batches=3", "limit"],
])("the limit that was met is named, also where another one is full: %s", (met, text) => {
  const sample = limited({ max_steps: 3, max_calls: 1 }).tool("c1").ended("c1");
  const message = `Stopped at a limit: ${met}.`;
  const failure = { kind: "unavailable", recovery: "finish", message } as const;
  sample.add("workflow", { phase: "synthesizing", step: 4, failure: null });
  sample.phase("limit", { ...failure, issues: [], debug_message: null });
  expect(chips(sample)).toEqual([text]);
});

test("each limit that is set has a meter in words", () => {
  const limits = { max_steps: 10, max_calls: 1, max_tokens: 50_000, timeout_s: 300, max_cost: 2 };
  const sample = limited({ ...limits, max_failed_batches: 3 });
  sample.tool("c1").add("workflow", { phase: "planning", step: 2, failure: null });
  const used = { ...NOTHING, calls: 2, made: 1, input: 1500, output: 400, cost: 0.03125 };
  expect(metersOf(runOf(sample), 12.34, used).map(({ words }) => words)).toEqual([
    "2 of 10 steps",
    "1 of 1 call",
    "1.9k of 50k tokens",
    "12.3 s of 5 min",
    "cost 0.031 of 2",
  ]);
});

test("a chip tells a run that goes on with another, and a policy that is not the usual", () => {
  const about = { agent_name: "A", model: "m", tools: [], ...ROOT };
  const resumed = { ...about, resumed_from: "run-0", approval: "never" } as const;
  const sample = new Sample().add("run_start", resumed);
  expect(chips(sample)).toEqual(["resumed", "approval: never"]);
  const below = { run_id: "run-2", parent_run_id: "run-1", parent_tool_call_id: "c1" };
  const tree = fold(sample.add("run_start", { ...about, approval: "never", ...below }).events);
  const child = entry(tree.runs, "run-2");
  expect(child && chipsOf(child, tree)).toEqual([]);
});

test("a chip names the tools that are not asked about any more, and how that is taken back", () => {
  const sample = new Sample().start().tool("c1", { tool_name: "wipe" }).tool("c2");
  sample.tool("c3", { tool_name: "p\u0430y" });
  const verdict = { approved: true, approved_by: "you", summary: "allowed" };
  const plain = { ...verdict, note: null, edited: false, arguments: null };
  const said = { ...plain, remembered: false, under_grant: false };
  sample.add("tool_authorization", { ...said, tool_call_id: "c1", remembered: true });
  sample.add("tool_authorization", { ...said, tool_call_id: "c2" });
  sample.add("tool_authorization", { ...said, tool_call_id: "c3", under_grant: true });
  expect(chips(sample)).toEqual(["not asked about: wipe, p\\u0430y"]);
  const [chip] = chipsOf(runOf(sample), fold(sample.events));
  expect(chip?.title).toContain("%nbagents approvals --revoke wipe");
});
