import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isRecord } from "../bridge";
import { fold, Sample, type Unit } from "../sample-run";
import { type CallStatus, entry, type RunNode, type RunStatus, type Tree } from "../tree";
import { outcomeOf, staysIn } from "./outcome";

interface Case {
  runs: {
    id: string;
    status: RunStatus;
    refused: boolean;
    unmet: string[];
    /** How it ended, the runs it started, and how many such calls there are. */
    calls: [CallStatus | "refused", string[], number][];
  }[];
  sign: string;
  words: string;
  calls: string;
}

const FIXTURE = path.join(import.meta.dirname, "../../../tests/fixtures/outcomes.json");
const CASES: Case[] = JSON.parse(fs.readFileSync(FIXTURE, "utf8"));

function treeOf({ runs }: Case): Tree {
  const events: Unit[] = [];
  for (const { id, calls } of runs) {
    const sample = new Sample(id).start();
    let at = 0;
    for (const [kind, children, many] of calls) {
      for (let one = 0; one < many; one++) {
        const call = `${id}-${at++}`;
        sample.tool(call).ended(call, { status: kind === "refused" ? "done" : kind });
        for (const child_run_id of children)
          sample.add("child_run_linked", {
            tool_call_id: call,
            child_run_id,
            child_agent_name: "B",
          });
        if (kind === "refused")
          sample.add("guardrail", {
            name: "pii",
            stage: "tool_output",
            outcome: "refuse",
            message: "",
            tool_call_id: call,
          });
      }
    }
    events.push(...sample.events);
  }
  const tree = fold(events);
  const nodes = runs.map(({ id, status, refused, unmet }): [string, RunNode] => {
    const node = entry(tree.runs, id);
    if (!node) throw new Error(`${id} is missing`);
    return [id, { ...node, status, refused, unmet }];
  });
  return { ...tree, root_ids: ["run-1"], runs: Object.fromEntries(nodes) };
}

function rootOf(tree: Tree): RunNode {
  const run = entry(tree.runs, "run-1");
  if (!run) throw new Error("There is no root");
  return run;
}

describe("the page says of a run what Python says", () => {
  test("there are cases of all kinds", () => {
    expect(CASES.length).toBeGreaterThan(500);
    expect(CASES.every(isRecord)).toBe(true);
  });

  test.each(CASES.map((one) => [`${one.words} #${JSON.stringify(one.runs)}`.slice(0, 160), one]))(
    "%s",
    (_, one) => {
      if (typeof one === "string") return;
      const tree = treeOf(one);
      const run = rootOf(tree);
      const { sign, words, calls } = outcomeOf(tree, run, run.status);
      expect({ sign, words: words[0]?.toLowerCase() + words.slice(1), calls }).toEqual({
        sign: one.sign,
        words: one.words,
        calls: one.calls,
      });
    },
  );
});

test("a call in whose run something failed stays in sight", () => {
  const one = CASES.find(({ words }) => words === "failed: 3 of 4 calls failed, 1 came to nothing");
  if (!one) throw new Error("There is no such case");
  const tree = treeOf(one);
  const run = rootOf(tree);
  expect(Object.values(run.calls).map((call) => staysIn(tree)(run, call))).toEqual([true]);
});
