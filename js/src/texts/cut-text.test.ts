import { describe, expect, test } from "vitest";
import { fold, ROOT, Sample } from "../sample-run";
import { callsOf } from "../tree";
import { wholeCallInPython } from "./cut-text";

const CUT = { text: "xx… [9.8 MB of 10.0 MB left out]" };

/** As the kernel tells it of arguments that are too long. */
const LACKING = { arguments: CUT, left_out_bytes: 9.8e6 };

describe("a call of whose arguments the page has only the beginning", () => {
  test("knows how much it lacks, until it is told other ones", () => {
    const sample = new Sample().start().tool("c1", LACKING);
    expect(fold(sample.events).runs["run-1"]?.calls.c1?.left_out_bytes).toBe(9.8e6);
    sample.add("tool_authorization", {
      tool_call_id: "c1",
      approved: true,
      approved_by: "you",
      summary: "",
      edited: true,
      arguments: { text: "short" },
      remembered: false,
      under_grant: false,
    });
    const call = fold(sample.events).runs["run-1"]?.calls.c1;
    expect(call?.arguments).toEqual({ text: "short" });
    expect(call).not.toHaveProperty("left_out_bytes");
  });

  test("is copied as a call with all of them, never with what is shown", () => {
    const sample = new Sample().start().tool("c0").tool("c1", LACKING);
    const tree = fold(sample.events);
    const [, call] = tree.runs["run-1"] ? callsOf(tree.runs["run-1"]) : [];
    expect(call && wholeCallInPython(tree, call)).toBe("weather(**run.calls[1].arguments)");
  });

  test("of a run inside another one names no place that is not there", () => {
    const below = { run_id: "run-2", parent_run_id: "run-1" };
    const sample = new Sample().start();
    sample.add("run_start", { agent_name: "low", model: "m", tools: [], ...ROOT, ...below });
    const tree = fold(sample.tool("d1", { ...below, ...LACKING }).events);
    const call = tree.runs["run-2"]?.calls.d1;
    expect(call && wholeCallInPython(tree, call)).toBe("weather(**arguments)");
  });
});
