import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, Sample } from "../../sample-run";
import type { ForkedFrom, RunNode, Tree } from "../../tree";
import { mountSaved } from "..";
import { fakeNotebook } from "../fake-notebook";
import { drawn, rows } from "../fake-page";

let done: string[] = [];
let ends: AbortController[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  done = [];
  ends = [];
  Element.prototype.scrollIntoView = () => {}; // jsdom has no layout
});

afterEach(async () => {
  for (const end of ends) end.abort();
  await vi.advanceTimersByTimeAsync(500);
  document.body.replaceChildren();
  vi.useRealTimers();
});

const LEFT: ForkedFrom = {
  run_id: "run-1",
  origin_id: "run-1",
  step: 1,
  call_id: "c1",
  call_number: 1,
  tool_name: "weather",
  edited: ["result"],
  message: null,
  inside_id: null,
  is_whole: false,
};

/** A saved run of one call; of a branch, one that is kept. */
function tree(id: string, from: ForkedFrom | null, other: Partial<RunNode>): Tree {
  const sample = new Sample().start().add("user_message", { text: "How warm?", shared: [] });
  sample
    .tool("c1", { arguments: { city: "Oslo" } })
    .ended("c1")
    .phase("completed");
  const made = fold(sample.events);
  const [run] = Object.values(made.runs);
  if (!run) throw new Error("there is no run");
  const calls = Object.fromEntries(
    Object.entries(run.calls).map(([key, one]) => [key, from ? { ...one, kept: true } : one]),
  );
  return {
    ...made,
    root_ids: [id],
    runs: { [id]: { ...run, id, forked_from: from, calls, ...other } },
  };
}

async function shown(
  id: string,
  from: ForkedFrom | null,
  other: Partial<RunNode> = {},
): Promise<HTMLElement> {
  const el = document.createElement("div");
  document.body.append(el);
  const door: Door = {
    isLive: false,
    load: () => Promise.reject(new Error("no kernel")),
    emit: () => {},
    ask: () => Promise.reject(new Error("no kernel")),
    resolve: () => Promise.reject(new Error("no kernel")),
    stop: () => {},
    notebook: fakeNotebook({}, done),
  };
  const end = new AbortController();
  ends.push(end);
  mountSaved(el, end.signal, tree(id, from, other), door, []);
  await drawn();
  return el;
}

/** Open all calls of a card, and press the button that forks at the first. */
async function forkFromHere(el: HTMLElement): Promise<void> {
  for (const row of rows(el)) if (row.getAttribute("aria-expanded") === "false") row.click();
  await drawn();
  await drawn();
  const all = [...el.querySelectorAll("button")];
  all.find((one) => one.textContent === "Fork from here")?.click();
}

function branches(el: HTMLElement): HTMLElement | null {
  return el.querySelector<HTMLElement>(".nba-branches");
}

test("a run that is no branch lists none", async () => {
  expect(branches(await shown("run-1", null))).toBeNull();
});

test("a branch lists the run that it comes from and its like, and compare inserts a cell", async () => {
  await shown("run-1", null);
  const second = await shown("run-2", LEFT);
  await shown("run-9", null);
  await drawn();
  expect(branches(second)?.textContent).toBe(
    "Branchesforked at call 1 (weather): other resultOriginalcompare",
  );
  branches(second)?.querySelector<HTMLElement>("[aria-label='Compare with Original']")?.click();
  expect(done).toEqual(['import nbagents\n\nnbagents.compare("run-1", "run-2")']);
  const third = await shown("run-3", { ...LEFT, call_number: 2 });
  await drawn();
  expect(branches(second)?.textContent).toContain("at call 2 (weather)");
  expect(branches(third)?.textContent).toContain("at call 1 (weather)");
});

test("a run lists its branches, whichever of them comes first, and each but once", async () => {
  await shown("run-2", LEFT);
  const run = await shown("run-1", null);
  await shown("run-2", LEFT);
  const other = await shown("run-9", null);
  await drawn();
  expect(branches(run)?.textContent).toBe(
    "BranchesOriginalforked at call 1 (weather): other resultcompare",
  );
  expect(branches(other)).toBeNull();
  ends.splice(0, 1)[0]?.abort();
  ends.splice(1, 1)[0]?.abort();
  await vi.advanceTimersByTimeAsync(500);
  expect(branches(run)?.hidden).toBe(true);
});

test("a branch leads to the call where it leaves the other run, once that is there", async () => {
  const branch = await shown("run-2", LEFT);
  expect(branches(branch)?.querySelector("button")).toBeNull();
  const run = await shown("run-1", null);
  await drawn();
  branches(branch)?.querySelector<HTMLElement>("button[aria-current]")?.click();
  await drawn();
  await drawn();
  const row = rows(run).find((one) => one.dataset.call === "run-1/c1");
  expect(row?.getAttribute("aria-expanded")).toBe("true");
  expect(document.activeElement).toBe(row);
});

test("a kept call says so, and a call is forked from by a cell", async () => {
  const el = await shown("run-2", LEFT);
  expect(el.querySelector(".nba-kept")?.textContent).toBe("kept");
  await forkFromHere(el);
  expect(done).toEqual([`%agent --fork run-2 --at 1 --arguments '{"city":"Oslo"}'`]);
});

test("a call of a run that goes on with another is named by its id: numbers begin there", async () => {
  await forkFromHere(await shown("run-3", null, { resumed_from: "run-1" }));
  expect(done).toEqual([`%agent --fork run-3 --at c1 --arguments '{"city":"Oslo"}'`]);
});
