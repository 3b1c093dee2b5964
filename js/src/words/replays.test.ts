import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { fold, Sample } from "../sample-run";
import { entry, type RunNode, type Tree } from "../tree";
import { chipsOf } from "./chips";
import { replayedInWords } from "./replays";

interface Case {
  runs: { requests: number; replayed: [number, string, string] | null; inside: string[] }[];
  words: string;
}

const FIXTURE = path.join(import.meta.dirname, "../../../tests/fixtures/replayed.json");
const CASES: Case[] = JSON.parse(fs.readFileSync(FIXTURE, "utf8"));

function treeOf({ runs }: Case): [Tree, RunNode] {
  const samples = runs.map(({ inside }, at) => {
    const sample = new Sample(`run-${at + 1}`).start();
    for (const child_run_id of inside) {
      sample.tool("c1").ended("c1");
      sample.add("child_run_linked", { tool_call_id: "c1", child_run_id, child_agent_name: "B" });
    }
    return sample;
  });
  const tree = fold(samples.flatMap(({ events }) => events));
  const nodes = runs.map(({ requests, replayed }, at): [string, RunNode] => {
    const node = entry(tree.runs, `run-${at + 1}`);
    if (!node) throw new Error("a run is missing");
    const usage = { ...node.usage, requests };
    if (!replayed) return [node.id, { ...node, usage }];
    const [answers, since, until] = replayed;
    return [node.id, { ...node, usage, replayed: { answers, since, until } }];
  });
  const made = { ...tree, runs: Object.fromEntries(nodes) };
  const root = entry(made.runs, "run-1");
  if (!root) throw new Error("the root is missing");
  return [made, root];
}

test.each(CASES)("a run says what of it was replayed: $words", (one) => {
  const [tree, run] = treeOf(one);
  expect(replayedInWords(tree, run)).toBe(one.words);
  expect(chipsOf(run, tree).map(({ text }) => text)).toEqual(one.words ? [one.words] : []);
});
