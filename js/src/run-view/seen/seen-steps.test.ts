import { expect, test } from "vitest";
import { fold, Sample } from "../../sample-run";
import type { ShownMessage, ShownTool } from "../../tree";
import { entry } from "../../tree";
import { aboutTokens, seenSteps, toolChanges } from "./seen-steps";

function message(role: ShownMessage["role"], text: string): ShownMessage {
  return {
    role,
    text,
    parts: [],
    calls: [],
    call_id: null,
  };
}

function tool(name: string, description = ""): ShownTool {
  return { name, description, parameters: { type: "object" } };
}

function asked(
  sample: Sample,
  step: number,
  message_count: number,
  messages: ShownMessage[],
  schemas: ShownTool[] | null,
): Sample {
  sample.add("workflow", { phase: "planning", step, failure: null });
  return sample.add("prompt_rendered", { step, message_count, tools: [], messages, schemas });
}

function steps(sample: Sample) {
  const run = entry(fold(sample.events).runs, "run-1");
  return run ? seenSteps(run) : [];
}

/** Two steps: a question, and the same with two calls, their results and a correction. */
function twoSteps(): Sample {
  const sample = asked(
    new Sample().start(),
    1,
    2,
    [message("system", "Be brief."), message("user", "How warm?")],
    [tool("weather")],
  );
  const calls = ["c1", "c2"].map((id) => ({ id, name: "weather", arguments: '{"city": "Paris"}' }));
  sample.add("assistant_turn", { step: 1, text: "I look.", calls, citations: [], refused: false });
  sample.tool("c1").tool("c2").ended("c2", { content: "13 °C" }).ended("c1");
  return asked(sample, 2, 6, [message("user", "Hurry.")], null);
}

test("a step saw what the one before did, its answer, the results in order, and what is new", () => {
  const [first, second] = steps(twoSteps());
  expect(first?.messages.map(({ text }) => text)).toEqual(["Be brief.", "How warm?"]);
  expect(first?.newFrom).toBe(0);
  const told = second?.messages.map(({ role, text, call_id }) => [role, text, call_id]);
  expect(told?.slice(2)).toEqual([
    ["assistant", "I look.", null],
    ["tool", "9 °C", "c1"],
    ["tool", "13 °C", "c2"],
    ["user", "Hurry.", null],
  ]);
  expect(second?.messages[2]?.calls.map(({ id }) => id)).toEqual(["c1", "c2"]);
  expect([second?.newFrom, second?.sent, second?.messages.length]).toEqual([2, 6, 6]);
});

test("sizes are of all messages and the tools", () => {
  const [first, second] = steps(twoSteps());
  const schemas = JSON.stringify([tool("weather")]).length;
  expect(first?.characters).toBe("Be brief.How warm?".length + schemas);
  const answer = `I look.${'weather{"city":"Paris"}'.repeat(2)}`;
  const added = `${answer}9 °C13 °CHurry.`.length;
  expect(second?.characters).toBe((first?.characters ?? 0) + added);
  expect(aboutTokens(401)).toBe(101);
});

test("the tools of a step are those of the one before, unless it names its own", () => {
  const sample = asked(twoSteps(), 3, 6, [], [tool("weather", "New."), tool("tides")]);
  const all = steps(asked(sample, 4, 6, [], []));
  expect(all.map(({ tools }) => tools.length)).toEqual([1, 1, 2, 0]);
  expect(all.map(({ changes }) => changes)).toEqual([
    { added: [], removed: [], changed: [] },
    { added: [], removed: [], changed: [] },
    { added: ["tides"], removed: [], changed: ["weather"] },
    { added: [], removed: ["weather", "tides"], changed: [] },
  ]);
  expect(toolChanges([tool("a")], [tool("a")]).changed).toEqual([]);
});

test("a call that the provider made itself told nobody a result", () => {
  const sample = asked(new Sample().start(), 1, 1, [message("user", "Search.")], []);
  sample.tool("ws_1", { tool_name: "web_search" });
  sample.ended("ws_1", { tool_name: "web_search", content: "" }).said("Found.");
  const roles = steps(asked(sample, 2, 3, [message("user", "More.")], null))[1]?.messages;
  expect(roles?.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
});

test("a run of which no request was written down has no steps to show", () => {
  expect(steps(new Sample().start())).toEqual([]);
});
