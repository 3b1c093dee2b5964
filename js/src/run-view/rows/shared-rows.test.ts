import fs from "node:fs";
import path from "node:path";
import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import type { CallNode, RunNode, Tree } from "../../tree";
import { askedIn, shownStatus } from "../state";
import {
  callsIn,
  groupStatus,
  groupWords,
  howMany,
  isUrgent,
  type Line,
  linesOf,
  moreWords,
  previews,
  subjects,
} from "./groups";
import { answerOf } from "./rows";
import { type Phase, phasesOf, phasesOfRun, phaseWords, tickOf } from "./waterfall";

interface Times {
  phases: [string, number, number | null][];
  words: string;
}

/** A run, which calls stand alone, and what `nbagents/runs/wording` says of it. */
interface Case {
  name: string;
  runs: RunNode[];
  alone: string[];
  says: {
    lines: object[];
    more: string;
    calls: Record<string, Times>;
    runs: Record<string, Times>;
  };
}

const FIXTURE = path.join(import.meta.dirname, "../../../../tests/fixtures/rows.json");
const TOLD: { now_s: number; ticks: Record<string, number>; cases: Case[] } = JSON.parse(
  fs.readFileSync(FIXTURE, "utf8"),
);

test.each(TOLD.cases)("Python's rows: $name", ({ runs, alone, says }) => {
  const [run] = runs;
  if (!run) throw new Error("the case has no run");
  const byId = Object.fromEntries(runs.map((one) => [one.id, one]));
  const tree: Tree = { version: 1, root_ids: [run.id], runs: byId };
  const lines = linesOf(run, answerOf(run), ({ id }) => alone.includes(id));
  const calls = callsIn(lines);
  const shown = shownIn(tree, run);
  const said = (of: CallNode[]) => of.map((one) => [one.id, times(phasesOf(tree, run, one))]);
  expect({
    lines: lines.map((line) => told(tree, run, line)),
    more: moreWords(calls.map(shown)),
    calls: Object.fromEntries(said(calls)),
    runs: Object.fromEntries(runs.map((one) => [one.id, times(phasesOfRun(tree, one))])),
  }).toEqual(says);
});

test.each(Object.entries(TOLD.ticks))("Python's axis of %s seconds", (total_s, tick_s) => {
  expect(tickOf(Number(total_s))).toBeCloseTo(tick_s, 12);
});

function told(tree: Tree, run: RunNode, line: Line): object {
  if (line.type === "call") return { type: "call", ids: [line.call.id] };
  if (line.type !== "group") return { type: line.type };
  const { calls } = line;
  const shown = calls.map(shownIn(tree, run));
  const words = groupWords(shown);
  return {
    type: "group",
    ids: calls.map(({ id }) => id),
    status: groupStatus(shown),
    words: words.charAt(0).toLowerCase() + words.slice(1), // a sheet of style does this in Python's
    kept: howMany(calls, ({ kept }) => kept, "kept"),
    is_urgent: isUrgent(calls),
    subjects: subjects(calls),
    gave: previews(calls),
    when: phaseWords(
      calls.flatMap((one) => phasesOf(tree, run, one)),
      TOLD.now_s,
    ),
  };
}

/** Calls with the states that they are shown with. */
function shownIn(tree: Tree, run: RunNode): (call: CallNode) => CallNode {
  const asked = askedIn(signal(tree)).value;
  return (call) => ({ ...call, status: shownStatus(asked, run.id, call) });
}

function times(phases: Phase[]): Times {
  return {
    phases: phases.map(({ kind, from_s, to_s }) => [kind, from_s, to_s]),
    words: phaseWords(phases, TOLD.now_s),
  };
}
