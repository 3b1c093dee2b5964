import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, ROOT, Sample, type Unit } from "../../sample-run";
import { mountSaved } from "..";
import { fakeNotebook } from "../fake-notebook";
import { drawn, FakePage, rows } from "../fake-page";
import { answered, confirmation, question } from "../fake-person";
import { untilEnd } from "../until-end";

const EVENTS = path.join(import.meta.dirname, "../../../../tests/fixtures/events");

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = () => {};
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(2000);
  document.body.replaceChildren();
  vi.useRealTimers();
});

function fixture(name: string): Unit[] {
  return JSON.parse(fs.readFileSync(path.join(EVENTS, `${name}.patches.json`), "utf8"));
}

async function shown(name: string, to?: number): Promise<Element> {
  const { el } = page.view();
  page.model.tellUnits(fixture(name).slice(0, to));
  await drawn();
  return el;
}

function row(el: Element, key: string): HTMLElement {
  const found = rows(el).find(({ dataset }) => dataset.call === key);
  if (!found) throw new Error(`there is no row ${key}`);
  return found;
}

/** What stands below a call's row of what was decided. */
function decided(el: Element, key: string): string[] {
  const lines = row(el, key)
    .closest("li")
    ?.querySelectorAll(":scope > .nba-decided > :not(.nba-when)");
  return [...(lines ?? [])].map((line) => line.textContent ?? "");
}

/** A call that starts a run, whose call starts another one. */
function threeDeep(): Sample {
  const sample = new Sample().start();
  for (const depth of [1, 2]) {
    const at = above(depth);
    sample.tool("c1", { tool_name: `ask${depth}`, ...at });
    const child = { child_run_id: `run-${depth + 1}`, child_agent_name: `agent${depth + 1}` };
    sample.add("child_run_linked", {
      tool_call_id: "c1",
      tool_name: `ask${depth}`,
      ...child,
      ...at,
    });
    const agent = { agent_name: `agent${depth + 1}`, model: "m", tools: [] };
    sample.add("run_start", { ...agent, ...ROOT, ...above(depth + 1) });
  }
  return sample.tool("c1", above(3));
}

function above(depth: number) {
  const isRoot = depth === 1;
  return {
    run_id: `run-${depth}`,
    parent_run_id: isRoot ? null : `run-${depth - 1}`,
    parent_tool_call_id: isRoot ? null : "c1",
  };
}

describe("what is asked deep inside", () => {
  test("is open without unfolding anything, also where somebody had closed it", async () => {
    const { el } = page.view();
    const sample = threeDeep();
    await page.tell(sample);
    const told = sample.events.length;
    for (const open of [false, true, false]) {
      row(el, "run-1/c1").click();
      await drawn();
      expect(row(el, "run-1/c1").getAttribute("aria-expanded")).toBe(String(open));
    }
    await page.tell(confirmation(sample, "c1", above(3)), told);
    await drawn();
    const box = question(el, "await c1");
    expect(box.closest("[hidden]")).toBeNull();
    expect(box.closest("li")?.getAttribute("aria-level")).toBe("3");
    expect(el.querySelector(".nba-review")?.textContent).toBe("Review (1)");
  });

  test("is not hidden behind the rows that a long run does not show, nor in a closed group", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 9; at++) sample.tool(`c${at}`);
    await page.tell(confirmation(sample, "c4"));
    expect(rows(el)).toHaveLength(1 + 4 + 1 + 1); // the group, its ends, the one that asks, more
    expect(el.querySelector(".nba-more")?.textContent).toContain("4 more calls");
    rows(el)[0]?.click();
    await drawn();
    expect(rows(el).map(({ dataset }) => dataset.call)).toEqual([undefined, "run-1/c4"]);
    expect(question(el, "await c4").closest("[hidden]")).toBeNull();
  });
});

describe("stopping a part", () => {
  test("is a button on each running call and each running run inside", async () => {
    const { el } = page.view();
    const sample = threeDeep();
    await page.tell(confirmation(sample, "c1", above(3)));
    const labels = () =>
      [...el.querySelectorAll(".nba-stop-part")].map((one) => one.getAttribute("aria-label"));
    expect(labels()).toEqual(["Stop ask1", "Stop ask2", "Stop weather"]);
    el.querySelector<HTMLElement>(".nba-about-run")?.click();
    await drawn();
    expect(labels()).toEqual(["Stop ask1", "Stop agent2", "Stop ask2", "Stop weather"]);
    const [, child, call] = el.querySelectorAll<HTMLElement>(".nba-stop-part");
    child?.click();
    call?.click();
    await drawn();
    expect(page.model.sentOf("stop")).toEqual([
      { type: "stop", run_id: "run-2" },
      { type: "stop", run_id: "run-2", call_id: "c1" },
    ]);
    expect(labels().slice(0, 3)).toEqual(["Stop ask1", "Stopping agent2", "Stopping ask2"]);
    expect(child?.textContent).toBe("Stopping…");
  });

  test("goes when the part has ended", async () => {
    const el = await shown("family");
    expect(el.querySelector(".nba-stop-part")).toBeNull();
  });
});

describe("what was decided", () => {
  test("stands in a line below its call: who, what and why", async () => {
    const el = await shown("awaits");
    rows(el)[3]?.click(); // of what was sent; that of what was removed is open, for one was denied
    await drawn();
    expect(decided(el, "run-1/c1")).toEqual(["Approved by you, with other arguments"]);
    expect(decided(el, "run-1/c2")).toEqual(["Denied by you", "Keep that one"]);
    expect(decided(el, "run-1/c5")).toEqual(["Denied by the earlier denial"]);
    expect(decided(el, "run-1/c6")).toEqual([
      'When, and where to? Answered by you: day="2026-01-02", city="Oslo"',
      "Answered by you: Window or aisle? windowWhat else? bike, a pillowIn which name? Ada",
      "As last time",
    ]);
    expect(decided(el, "run-1/c7")).toEqual([
      "Answered by the caller: 12",
      "How many do you want? No longer asked",
    ]);
    expect(decided(el, "run-1/c9")).toEqual(["Sure? No longer asked"]);
    expect(decided(el, "run-1/c3")).toEqual([
      "Approved by typing; not asked again for this tool in this session",
    ]);
    expect(decided(el, "run-1/c4")).toEqual([]); // nobody was asked, and it was allowed
  });

  test("of arguments that were changed keeps both versions", async () => {
    const el = await shown("awaits");
    await drawn();
    row(el, "run-1/c1").click();
    await drawn();
    const details = row(el, "run-1/c1").closest("li")?.querySelector(".nba-details");
    expect(details?.querySelector(".nba-diff del")?.textContent).toContain('"path": "a.txt"');
    expect(details?.querySelector(".nba-diff ins")?.textContent).toContain('"path": "old/a.txt"');
    expect(details?.textContent).toContain("Changed argumentsby you");
  });

  test("by guardrails is named, with its message, on the call or on the run", async () => {
    const el = await shown("handed_over");
    const lines = [...el.querySelectorAll(".nba-came > .nba-decided")].map(
      (one) => one.textContent,
    );
    expect(lines).toEqual([
      "Changed the prompt: no_namesA name was left out.",
      "Refused the answer: no_promisesNo sums may be promised.",
    ]);
    await drawn();
    expect(row(el, "run-1/c1").closest("li")?.textContent).toContain(
      "Changed the arguments: plain_ordersOnly the number.",
    );
    expect(row(el, "run-1/c2").closest("li")?.textContent).toContain("Refused the arguments");
    expect(el.querySelector(".nba-handed")?.textContent).toBe("Handed over to refunds gpt-large");
  });
});

test("a run says how many of its children have ended; its time limit stands still while it waits", async () => {
  const events = fixture("family");
  const asked = events.findIndex((unit) => JSON.stringify(unit).includes('"kind":"confirmation"'));
  const el = await shown("family", asked + 1);
  expect(el.querySelector(".nba-facts")?.textContent).toContain("0 of 4 children");
  expect(el.querySelector(".nba-activity")?.textContent).toBe("0 of 3 children");
  const facts = () => el.querySelector(".nba-facts")?.textContent;
  expect(facts(), "a limit that is far needs no word").toContain("4 calls");
  el.querySelector<HTMLElement>('[aria-label="About this run"]')?.click();
  await drawn();
  const limits = () => el.querySelector(".nba-limits")?.textContent;
  expect(limits()).toContain("4 of 10 calls");
  const limit = limits()?.match(/[\d.]+ s of 5 min/)?.[0];
  expect(limit).toBeDefined();
  await vi.advanceTimersByTimeAsync(30_000);
  expect(limits()).toContain(limit);
  expect(facts()).toMatch(/30\.\d s of it waiting/);
});

test("each of several runs leads to what it asks itself", async () => {
  const el = await shown("suspended");
  const cards = [...el.querySelectorAll(".nba-card")];
  const reviews = cards.map((card) => card.querySelector(".nba-review")?.textContent);
  expect(reviews).toEqual(["Review (2)", undefined]);
});

describe("a suspended run that was saved", () => {
  function saved(notebook: Door["notebook"], resumed_by?: string): HTMLElement {
    const el = document.createElement("div");
    document.body.append(el);
    const gone = () => Promise.reject(new Error("no kernel"));
    const door: Door = {
      isLive: false,
      load: gone,
      emit() {},
      ask: gone,
      stop() {},
      resolve: gone,
      ...(notebook && { notebook }),
    };
    const events = fixture("suspended").filter(([patch]) => patch?.run !== "run-3");
    const tree = fold(events);
    if (resumed_by && tree.runs["run-1"]) tree.runs["run-1"].resumed_by = resumed_by;
    mountSaved(el, untilEnd(), tree, door);
    return el;
  }

  test("says where it went on, and offers nothing that would be refused", async () => {
    const el = saved(fakeNotebook(), "run-9");
    await drawn();
    expect(el.querySelector(".nba-resume")?.textContent).toContain("it went on as run-9");
    expect(el.querySelectorAll(".nba-await, .nba-resume button, .nba-review")).toHaveLength(0);
  });

  test("leads from Review to what goes on with it", async () => {
    const el = saved(fakeNotebook());
    await drawn();
    el.querySelector<HTMLElement>(".nba-review")?.click();
    await drawn();
    const root = el.querySelector(".nba-resume button")?.getRootNode() as Document | ShadowRoot;
    expect(root.activeElement?.textContent).toBe("Resume in a new cell");
  });

  test("shows what waits, at any depth, and has nothing to press but what inserts a cell", async () => {
    const done: string[] = [];
    const el = saved(fakeNotebook({}, done));
    await drawn();
    expect(el.querySelectorAll(".nba-await")).toHaveLength(2);
    expect(el.querySelectorAll(".nba-await [data-act]")).toHaveLength(0);
    expect(question(el, "a2").closest("li")?.getAttribute("aria-level")).toBe("2");
    expect(question(el, "a1").textContent).toContain("Waits for an answer.");
    expect(el.querySelector(".nba-stop-part")).toBeNull();
    el.querySelector<HTMLElement>(".nba-resume button")?.click();
    expect(done).toEqual(["%agent --resume run-1"]);
  });

  test("says how to go on where no cell can be inserted", async () => {
    const el = saved(undefined);
    await drawn();
    expect(el.querySelector(".nba-resume")?.textContent).toContain("%agent --resume run-1");
    expect(el.querySelector(".nba-resume button")).toBeNull();
  });
});

test("an await that its kernel did not live to hear answered was not answered", async () => {
  const { el } = page.view();
  const sample = new Sample().start().add("tool_args_delta", { tool_call_id: "c1", text: "" });
  confirmation(sample, "c1").phase("cancelled");
  await page.tell(sample);
  expect(el.querySelector(".nba-await")).toBeNull();
  expect(decided(el, "run-1/c1")).toEqual(["Was not answered"]);
});

test("an await that was answered elsewhere goes, whatever was written in it", async () => {
  const { el } = page.view();
  const sample = new Sample().start().add("tool_args_delta", { tool_call_id: "c1", text: "" });
  await page.tell(confirmation(sample, "c1"));
  question(el, "await c1").querySelector<HTMLElement>('[data-act="edit"]')?.click();
  await drawn();
  await page.tell(answered(sample, "c1", { answered_by: "typing" }), sample.events.length - 1);
  expect(el.querySelector(".nba-await")).toBeNull();
});
