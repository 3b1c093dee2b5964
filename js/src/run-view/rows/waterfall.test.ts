import { expect, test } from "vitest";
import { fold, Sample } from "../../sample-run";
import { entry, type RunNode, type Tree } from "../../tree";
import { barsOf, joined, phasesOf, phaseWords, type Scale, secondsAt, tickOf } from "./waterfall";

function sampled(sample: Sample): { tree: Tree; run: RunNode } {
  const tree = fold(sample.events);
  const run = entry(tree.runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return { tree, run };
}

/** The phases of the call `c1`, in seconds from the beginning of its run. */
function drawn(sample: Sample): string[] {
  const { tree, run } = sampled(sample);
  const call = entry(run.calls, "c1");
  if (!call) throw new Error("the sample has no call");
  const from = (at_s: number | null) => (at_s === null ? "…" : (at_s - run.started_at).toFixed(1));
  return phasesOf(tree, run, call).map(
    ({ kind, from_s, to_s }) => `${kind} ${from(from_s)}–${from(to_s)}`,
  );
}

/** A model is asked and asks for a call, which a person is asked about: an event each half second. */
function asked(): Sample {
  const prompt = { step: 1, message_count: 1, messages: [], tools: [], schemas: null };
  const calls = [{ id: "c1", name: "weather", arguments: "{}" }];
  const turn = { step: 1, text: "", calls, citations: [], refused: false };
  const sample = new Sample().start().add("prompt_rendered", prompt).add("assistant_turn", turn);
  sample.add("thought", { step: 1, text: "It waits for its slot." });
  const confirmation = { title: "Sure?", prompt: "Sure?", arguments: {}, await_id: "a" };
  return sample.add("await_confirmation", { tool_call_id: "c1", ...confirmation });
}

const said = { await_id: "a", answer: null, answered_by: "you" } as const;

test("a call waits for the model, for its slot and for a person, and then runs", () => {
  expect(drawn(asked())).toEqual(["model 0.5–1.0", "slot 1.0–2.0", "you 2.0–…"]);
  const sample = asked()
    .add("await_resolved", { ...said, outcome: "answered" })
    .tool("c1");
  expect(drawn(sample)).toEqual([
    "model 0.5–1.0",
    "slot 1.0–2.0",
    "you 2.0–2.5",
    "slot 2.5–3.0",
    "running 3.0–…",
  ]);
  expect(drawn(sample.ended("c1", { duration_ms: 700 })).at(-1)).toBe("running 3.0–3.7");
});

test("of a call that was denied the waiting is told, and that it never ran", () => {
  const sample = asked().add("await_resolved", { ...said, outcome: "denied" });
  sample.ended("c1", { status: "denied", duration_ms: 0 });
  expect(drawn(sample)).toEqual(["model 0.5–1.0", "slot 1.0–2.0", "you 2.0–2.5"]);
});

test("waiting in the midst of a call is no running", () => {
  const sample = new Sample().start().tool("c1");
  const confirmation = { title: "Sure?", prompt: "Sure?", arguments: {}, await_id: "a" };
  sample.add("await_confirmation", { tool_call_id: "c1", ...confirmation });
  sample.add("await_resolved", { ...said, outcome: "answered" });
  expect(drawn(sample.ended("c1", { duration_ms: 2000 }))).toEqual([
    "running 0.5–1.0",
    "you 1.0–1.5",
    "running 1.5–2.5",
  ]);
});

test("spans that overlap are one", () => {
  expect(
    joined([
      [3, 4],
      [0, 2],
      [1, 3],
      [6, null],
      [8, 9],
    ]),
  ).toEqual([
    [0, 4],
    [6, null],
  ]);
});

test("with waiting left out, what comes after it stands where it would have been", () => {
  const scale: Scale = { from_s: 10, gaps: [[12, 15]] };
  expect([11, 12, 13, 15, 16].map((at_s) => secondsAt(scale, at_s))).toEqual([1, 2, 2, 2, 3]);
  const phases = [
    { kind: "you" as const, from_s: 12, to_s: 15 },
    { kind: "running" as const, from_s: 15, to_s: 17 },
    { kind: "running" as const, from_s: 16, to_s: null },
  ];
  expect(barsOf(phases, scale)).toEqual([
    { kind: "running", start_s: 2, length_s: 2 },
    { kind: "running", start_s: 3, length_s: null },
  ]);
  expect(barsOf(phases, { from_s: 10, gaps: [] })[0]).toEqual({
    kind: "you",
    start_s: 2,
    length_s: 3,
  });
});

test.each([
  [0.3, 0.1],
  [1, 0.5],
  [7, 2],
  [61, 20],
  [600, 200],
])("an axis of %d seconds has a tick each %d", (total_s, tick_s) => {
  expect(tickOf(total_s)).toBeCloseTo(tick_s);
});

test("the phases are said in words, with what was waited for first", () => {
  const phases = [
    { kind: "model" as const, from_s: 0, to_s: 1.2 },
    { kind: "you" as const, from_s: 2, to_s: 5 },
    { kind: "running" as const, from_s: 5, to_s: null },
  ];
  expect(phaseWords(phases, 7.3)).toBe("Waiting for the model 1.2 s, for you 3.0 s; running 2.3 s");
});

test("what several calls did at once is told with the time that it took, not with the sum", () => {
  const running = { kind: "running", from_s: 10, to_s: 12 } as const;
  const later = { kind: "running", from_s: 11, to_s: 13 } as const;
  const asked = { kind: "you", from_s: 12, to_s: null } as const;
  const before = { kind: "you", from_s: 11, to_s: 14 } as const;
  expect(phaseWords([running, running, later], 99)).toBe("Running 3.0 s");
  expect(phaseWords([asked, running, before], 15)).toBe("Waiting for you 4.0 s; running 2.0 s");
});

test("a clock that was set back makes no time negative", () => {
  const back = [{ kind: "running", from_s: 10, to_s: 4 } as const];
  expect(phaseWords(back, 99)).toBe("Running 0 s");
});
