import { expect, test } from "vitest";
import { fold, Sample } from "../../sample-run";
import { callsOf, entry, type RunNode } from "../../tree";
import {
  callsIn,
  groupSign,
  groupSpan,
  groupStatus,
  groupWords,
  isUrgent,
  linesOf,
  moreWords,
  previews,
  subjects,
} from "./groups";

function runOf(sample: Sample): RunNode {
  const run = entry(fold(sample.events).runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return run;
}

function shape(run: RunNode, standsAlone = (_id: string) => false): string[] {
  return linesOf(run, null, ({ id }) => standsAlone(id)).map((row) =>
    row.type === "group" ? `${row.name} ×${row.calls.length}` : row.type,
  );
}

const CITIES = new Sample().start();
for (const [at, city] of ["Paris", "Oslo", "Rome"].entries()) {
  CITIES.tool(`c${at}`, { arguments: { days: 3, city } });
}

test("neighbouring calls of one tool are a group; other tools, words and thoughts begin anew", () => {
  const sample = new Sample().start().tool("a1").tool("a2").tool("b1", { tool_name: "plot" });
  sample.tool("a3").add("thought", { step: 1, text: "Hm" }).tool("a4").tool("a5");
  sample.add("assistant_delta", { step: 2, text: "So" }).tool("a6");
  expect(shape(runOf(sample))).toEqual([
    "weather ×2",
    "call",
    "call",
    "thought",
    "weather ×2",
    "text",
    "call",
  ]);
});

test("a call with something of its own to show is in no group", () => {
  const sample = new Sample().start().tool("c1").tool("c2").tool("c3").tool("c4").tool("c5");
  expect(shape(runOf(sample), (id) => id === "c3")).toEqual(["weather ×2", "call", "weather ×2"]);
});

test("the key of a group stays when a call joins it", () => {
  const sample = new Sample().start().tool("c1").tool("c2");
  const [before] = linesOf(runOf(sample), null, () => false);
  const [after] = linesOf(runOf(sample.tool("c3")), null, () => false);
  expect(after?.key).toBe(before?.key);
});

test("a group is about the words in which its calls differ, each once", () => {
  expect(subjects(callsOf(runOf(CITIES)))).toBe("Paris, Oslo, Rome");
  const places = new Sample().start();
  places.tool("c1", { arguments: { lon: 1, note: "same" } });
  places.tool("c2", { arguments: { lon: 2.5, note: "same" } }).tool("c3", { arguments: "{bad" });
  expect(subjects(callsOf(runOf(places)))).toBe("lon 1, 2.5");
});

test("a group says what it hides: how many are open or went wrong", () => {
  const sample = new Sample().start().tool("c1").ended("c1", { preview: "9 °C" });
  sample.tool("c2").ended("c2", { preview: "9 °C" });
  const done = callsOf(runOf(sample));
  expect([groupWords(done), groupStatus(done), isUrgent(done)]).toEqual(["Done", "done", false]);
  expect(previews(done)).toBe("9 °C");
  sample.tool("c3").ended("c3", { status: "failed" }).tool("c4").tool("c5");
  const mixed = callsOf(runOf(sample));
  expect(groupWords(mixed)).toBe("2 running, 1 failed");
  expect([groupStatus(mixed), isUrgent(mixed)]).toEqual(["running", true]);
  expect(groupWords(mixed.slice(-2))).toBe("Running");
});

test("what a button hides is counted, with what somebody should see", () => {
  const sample = new Sample().start().tool("c1").tool("c2").ended("c2", { status: "denied" });
  const rows = linesOf(runOf(sample), null, () => false);
  expect(moreWords(callsIn(rows))).toBe("… 2 more calls, 1 running, 1 denied");
  expect(moreWords([])).toBe("… More");
});

test("a group lasts from its first call to the end of its last, while none is open", () => {
  const sample = new Sample().start().tool("c1").tool("c2");
  const { started_at } = runOf(sample);
  const open = groupSpan(callsOf(runOf(sample)));
  expect(open).toEqual({ from_s: started_at + 0.5, length_s: null });
  sample.ended("c1", { duration_ms: 3000 }).ended("c2", { duration_ms: 1000 });
  expect(groupSpan(callsOf(runOf(sample))).length_s).toBe(3);
});

test("the sign of a group is a cross only where nothing went well, and a tick only where all did", () => {
  const endings = ["done", "failed", "timed_out", "denied", "cancelled", "skipped"] as const;
  for (const one of endings) {
    for (const other of endings) {
      const sample = new Sample().start().tool("c1").tool("c2");
      sample.ended("c1", { status: one }).ended("c2", { status: other });
      const calls = callsOf(runOf(sample));
      const isMixed = (one === "done") !== (other === "done");
      expect([one, other, groupSign(calls, "") === "partly"]).toEqual([one, other, isMixed]);
      expect(groupSign(calls, "") === "done").toBe(one === "done" && other === "done");
    }
  }
  const inside = new Sample().start().tool("c1").ended("c1").tool("c2").ended("c2");
  expect(groupSign(callsOf(runOf(inside)), "1 failed inside")).toBe("partly");
  const going = inside.tool("c3").ended("c3", { status: "failed" }).tool("c4");
  expect(groupSign(callsOf(runOf(going)), "")).toBe("running");
});
