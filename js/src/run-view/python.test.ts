import { expect, test } from "vitest";
import type { JsonValue } from "../events";
import { fold } from "../fold";
import { ROOT, Sample } from "../sample-events";
import { entry } from "../tree";
import { callInPython, cellAgain, literal } from "./python";

function call(name: string, given: JsonValue): string {
  const { events } = new Sample().start().tool("c1", { tool_name: name, arguments: given });
  const node = entry(entry(fold(events).runs, "run-1")?.calls ?? {}, "c1");
  return node ? callInPython(node) : "";
}

test.each([
  ["area", { r: 2 }, "area(r=2)"],
  ["area", {}, "area()"],
  ["area", null, "area()"],
  ["maps--setCenter", { lon: -9.1, zoom: 3 }, "maps.setCenter(lon=-9.1, zoom=3)"],
  ["my-tool", { text: 'a "b"\n' }, 'my_tool(text="a \\"b\\"\\n")'],
  ["2d", { class: 1, "a b": null }, '_2d(**{"class": 1, "a b": None})'],
  ["f", "{broken", 'f("{broken")'],
] as const)("%s with %j is %s", (name, given, written) => {
  expect(call(name, given as JsonValue)).toBe(written);
});

test("JSON is written as Python writes it", () => {
  expect(literal({ a: [true, false, null, 1.5, "é"] })).toBe(
    '{"a": [True, False, None, 1.5, "é"]}',
  );
});

test("the cell that asks again keeps its chat, and braces as they were", () => {
  const asked = (chat: string | null) => {
    const about = { agent_name: "A", model: "m", tools: [], ...ROOT, chat };
    const sample = new Sample().add("run_start", about);
    sample.add("user_message", { text: "What is {{x}}?", shared: [] });
    const run = entry(fold(sample.events).runs, "run-1");
    return run && cellAgain(run);
  };
  expect(asked(null)).toBe("%%agent\nWhat is \\{{x}}?");
  expect(asked("trip")).toBe("%%agent -c trip\nWhat is \\{{x}}?");
  expect(asked('my "trip"')).toBe('%%agent -c "my \\"trip\\""\nWhat is \\{{x}}?');
});
