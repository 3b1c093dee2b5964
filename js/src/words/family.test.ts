import { expect, test } from "vitest";
import { fold, ROOT, Sample } from "../sample-run";
import { entry, type Tree } from "../tree";
import { activeTime, childrenOf, childrenWords, usedBy, waited } from "./family";

const BELOW = { run_id: "run-2", parent_run_id: "run-1", parent_tool_call_id: "c1" };
const USAGE = { step: 1, model: "m", input_tokens: 10, output_tokens: 2, cached_tokens: 4 };

function rootOf(tree: Tree) {
  const run = entry(tree.runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return run;
}

function family(): Sample {
  const sample = new Sample()
    .start()
    .add("usage", { ...USAGE, cost: 0.5 })
    .tool("c1");
  const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "B" };
  sample.add("child_run_linked", child);
  sample.add("run_start", { agent_name: "B", model: "m", tools: [], ...ROOT, ...BELOW });
  return sample.add("usage", { ...USAGE, ...BELOW }).tool("d1", BELOW);
}

test("calls, tokens and cost are those of the run and of all runs inside it", () => {
  const tree = fold(family().events);
  const used = usedBy(tree, rootOf(tree));
  expect(used).toMatchObject({ calls: 2, input: 20, output: 4, cached: 8, cost: 0.5 });
});

test("a cost is not known where no run has one", () => {
  const tree = fold(new Sample().start().add("usage", USAGE).events);
  expect(usedBy(tree, rootOf(tree)).cost).toBeNull();
});

test.each([
  [[], 0],
  [[[10, 14]], 4],
  [[[10, null]], 10],
  [
    [
      [10, 14],
      [12, 16],
    ],
    6,
  ],
  [
    [
      [12, 13],
      [10, 16],
    ],
    6,
  ],
  [
    [
      [1, 2],
      [18, null],
      [30, null],
    ],
    3,
  ],
] satisfies [[number, number | null][], number][])(
  "questions of %j wait %d seconds",
  (waits, total_s) => {
    expect(waited(waits, 20)).toBe(total_s);
  },
);

test("the time of a run stands still while a run inside it waits for a person", () => {
  const sample = family(); // half a second an event
  const { events } = sample.add("await_questions", {
    await_id: "a1",
    title: "Sure?",
    questions: [],
    tool_call_id: "d1",
    ...BELOW,
  });
  const tree = fold(events);
  const run = rootOf(tree);
  expect(activeTime(run, usedBy(tree, run), run.started_at + 60)).toBe((events.length - 1) / 2);
});

test("children are those that were started, or that a call expects", () => {
  const call = { tool_call_id: "c1", child_run_id: "run-3", child_agent_name: "C" };
  const sample = family().add("child_run_linked", call);
  sample.add("run_start", {
    agent_name: "C",
    model: "m",
    tools: [],
    ...ROOT,
    ...BELOW,
    run_id: "run-3",
  });
  const told = () => {
    const tree = fold(sample.events);
    return childrenWords(childrenOf(tree, Object.values(rootOf(tree).calls)));
  };
  expect(told()).toBe("0 of 2 children");
  sample.add("workflow", { phase: "completed", step: 1, failure: null, ...BELOW, run_id: "run-3" });
  const update = { tool_call_id: "c1", message: "", fraction: null, expected_children: 5 };
  sample.add("tool_update", update);
  expect(told()).toBe("1 of 5 children");
});
