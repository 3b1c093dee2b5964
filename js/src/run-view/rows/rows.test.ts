import { expect, test } from "vitest";
import { fold, ROOT, Sample } from "../../sample-run";
import { entry, type Tree } from "../../tree";
import { type Folding, type Row, rowsOf } from "./rows";

const OPEN: Folding = {
  isFolded: false,
  isOpen: () => true,
  isWhole: () => true,
  standsAlone: () => false,
  stays: () => false,
  found: null,
  askedIn: () => [],
};

function list(tree: Tree, folding: Partial<Folding> = {}): Row[] {
  const run = entry(tree.runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return rowsOf(tree, run, { ...OPEN, ...folding });
}

/** Each row as its kind, as far in as it stands. */
function drawn(rows: Row[]): string[] {
  return rows.map((row) => {
    const name = row.type === "call" ? row.call.id : row.type === "group" ? row.group.name : "";
    return `${"  ".repeat(row.depth)}${row.type} ${name}`.trimEnd();
  });
}

const at = (depth: number) => ({
  run_id: `run-${depth}`,
  parent_run_id: depth === 1 ? null : `run-${depth - 1}`,
  parent_tool_call_id: depth === 1 ? null : `c${depth - 1}`,
});

/** Each run calls the next one; all have ended with an answer. */
function nested(levels: number): Sample {
  const sample = new Sample().start();
  for (let depth = 1; depth < levels; depth++) {
    const child = { child_run_id: `run-${depth + 1}`, child_agent_name: "B" };
    sample.tool(`c${depth}`, { tool_name: "ask", ...at(depth) });
    sample.add("child_run_linked", { tool_call_id: `c${depth}`, ...child, ...at(depth) });
    sample.add("run_start", { agent_name: "B", model: "m", tools: [], ...ROOT, ...at(depth + 1) });
  }
  const turn = { step: 1, text: "Yes.", calls: [], citations: [], refused: false };
  for (let depth = levels; depth > 0; depth--) {
    sample.add("assistant_turn", { ...turn, ...at(depth) });
    sample.add("workflow", { phase: "completed", step: 1, failure: null, ...at(depth) });
    if (depth > 1) sample.ended(`c${depth - 1}`, { tool_name: "ask", ...at(depth - 1) });
  }
  return sample;
}

test("six levels are one list: each row one further in than the one that holds it", () => {
  const rows = list(fold(nested(6).events));
  expect(drawn(rows).slice(0, 5)).toEqual([
    "call c1",
    "  call c2",
    "    call c3",
    "      call c4",
    "        call c5",
  ]);
  expect(Math.max(...rows.map(({ depth }) => depth))).toBe(5);
  expect(drawn(rows).at(-1)).toBe("  end");
  const byKey = new Map(rows.map((row) => [row.key, row]));
  expect(byKey.size).toBe(rows.length);
  for (const { above, depth } of rows) {
    expect(above === null ? -1 : byKey.get(above)?.depth).toBe(depth - 1);
  }
});

test("what is under a closed row is not there", () => {
  const rows = list(fold(nested(6).events), { isOpen: (_, { run }) => run.id === "run-1" });
  expect(drawn(rows)).toEqual(["call c1", "  call c2", "  end"]);
});

test("several runs of one call are a row each", () => {
  const sample = new Sample().start().tool("c1", { tool_name: "map" });
  for (const id of ["a", "b"]) {
    const child = { child_run_id: id, child_agent_name: "B" };
    sample.add("child_run_linked", { tool_call_id: "c1", ...child });
    const place = { run_id: id, parent_run_id: "run-1", parent_tool_call_id: "c1" };
    sample.add("run_start", { agent_name: "B", model: "m", tools: [], ...ROOT, ...place });
    sample.tool(`${id}1`, place);
  }
  const rows = list(fold(sample.events), { isOpen: (key) => key !== "b" });
  expect(drawn(rows)).toEqual(["call c1", "  run", "    call a1", "    end", "  run"]);
});

test("a closed group, and a list of many rows, leave in sight what must be seen", () => {
  const sample = new Sample().start();
  for (let number = 0; number < 40; number++)
    sample.tool(`c${number}`, { tool_name: `tool${number % 2}` });
  for (let number = 0; number < 9; number++) sample.tool(`g${number}`).ended(`g${number}`);
  const folded: Partial<Folding> = {
    isOpen: () => false,
    isWhole: () => false,
    stays: (_run, { id }) => ["c20", "g4"].includes(id),
  };
  const rows = list(fold(sample.phase("completed").events), folded);
  const calls = drawn(rows).slice(0, 6);
  expect(calls).toEqual(["call c0", "call c1", "call c2", "call c3", "more", "call c20"]);
  expect(drawn(rows).slice(-2)).toEqual(["group weather", "  call g4"]);
  const [more] = rows.flatMap((row) => (row.type === "more" ? [row.hidden.length] : []));
  expect(more).toBe(41 - 4 - 7 - 1);
});

test("of a list that is folded what must be seen is in sight, and nothing else", () => {
  const sample = new Sample().start().tool("c1").tool("c2", { tool_name: "b" }).tool("c3");
  const stays: Folding["stays"] = (_run, { id }) => id === "c2";
  expect(drawn(list(fold(sample.events), { isFolded: true, stays }))).toEqual(["call c2"]);
  const found = new Set(["run-1/c1"]);
  expect(drawn(list(fold(sample.events), { isFolded: true, found }))).toEqual(["call c1"]);
});

test("of what is looked for only the calls are there, each in its place", () => {
  const found = new Set(["run-1/c1", "run-2/c2"]);
  expect(drawn(list(fold(nested(3).events), { found }))).toEqual(["call c1", "  call c2"]);
});
