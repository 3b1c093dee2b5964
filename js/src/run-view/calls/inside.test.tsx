import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, ROOT, Sample, settle } from "../../sample-run";
import type { GuardrailNode } from "../../tree";
import { mountSaved } from "..";
import { fakeNotebook } from "../fake-notebook";
import { callRows, drawn, FakePage, rows } from "../fake-page";
import { act, answered, confirmation, question } from "../fake-person";
import { untilEnd } from "../until-end";

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

const at = (depth: number) => ({
  run_id: `run-${depth}`,
  parent_run_id: depth === 1 ? null : `run-${depth - 1}`,
  parent_tool_call_id: depth === 1 ? null : "c1",
});

/** A call that starts a run, whose call starts another one, whose call is prepared. */
function threeDeep(): Sample {
  const sample = new Sample().start();
  for (const depth of [1, 2]) {
    const child = { child_run_id: `run-${depth + 1}`, child_agent_name: `agent${depth + 1}` };
    sample.tool("c1", { tool_name: `ask${depth}`, ...at(depth) });
    sample.add("child_run_linked", { tool_call_id: "c1", ...child, ...at(depth) });
    const agent = { agent_name: `agent${depth + 1}`, model: "m", tools: [] };
    sample.add("run_start", { ...agent, ...ROOT, ...at(depth + 1) });
  }
  return sample.add("tool_args_delta", { tool_call_id: "c1", text: "", ...at(3) });
}

/** Both runs around the innermost call end well. */
function endAbove(sample: Sample): Sample {
  for (const depth of [3, 2]) {
    sample.add("workflow", { phase: "completed", step: 1, failure: null, ...at(depth) });
    const length = { duration_ms: 5000, ...at(depth - 1) };
    sample.ended("c1", { tool_name: `ask${depth - 1}`, ...length });
  }
  return sample.phase("completed");
}

const word = (row: Element | undefined) => row?.querySelector(".nba-word")?.textContent;
const inside = (row: Element | undefined) => row?.querySelector(".nba-inside")?.textContent;
const states = (el: Element) =>
  [...el.querySelectorAll(".nba-state")].map(({ textContent }) => textContent);

describe("what waits deep inside", () => {
  test("is said on each row and header above it while it does", async () => {
    const { el } = page.view();
    const sample = threeDeep();
    await page.tell(confirmation(sample, "c1", at(3)));
    expect(states(el)).toEqual(["Waiting for you"]);
    expect(callRows(el).map(word)).toEqual(Array(3).fill("Waiting for you"));
    expect(el.querySelector(".nba-spinner")).toBeNull();
    expect(el.querySelector("section")?.getAttribute("aria-label")).toContain("waiting for you");
    expect(rows(el)[0]?.getAttribute("aria-label")).toContain("waiting for you");
    const told = sample.events.length;
    await page.tell(answered(sample, "c1", at(3)), told);
    expect(states(el)).toEqual(["Running"]);
    expect(callRows(el).map(word)).toEqual(["Running", "Running", "Preparing"]);
  });

  test("is said of a group as of the call that holds it", async () => {
    const { el } = page.view();
    const sample = threeDeep().tool("c2", { tool_name: "ask1" });
    await page.tell(confirmation(sample, "c1", at(3)));
    expect(word(rows(el)[0])).toBe("1 waiting for you, 1 running");
  });

  test("of a run whose kernel has died is shown with the line that goes on", async () => {
    const el = document.createElement("div");
    document.body.append(el);
    const done: string[] = [];
    const gone = () => Promise.reject(new Error("no kernel"));
    const notebook = fakeNotebook({}, done);
    const door: Door = {
      isLive: false,
      load: gone,
      emit() {},
      ask: gone,
      stop() {},
      resolve: gone,
      notebook,
    };
    const tree = settle(fold(confirmation(threeDeep(), "c1", at(3)).events));
    mountSaved(el, untilEnd(), tree, door);
    await drawn();
    expect(states(el)[0]).toBe("Outcome unknown, all 3 calls have no known outcome");
    expect(el.querySelector(".nba-header .nba-time")).toBeNull();
    expect(question(el, "await c1").textContent).toContain("Waits for an answer.");
    expect(el.textContent).not.toContain("Was not answered");
    expect(el.querySelectorAll(".nba-resume")).toHaveLength(1);
    el.querySelector<HTMLElement>(".nba-resume button")?.click();
    expect(done).toEqual(["%agent --resume run-1"]);
  });

  test("is no line to go on with where nothing was asked", async () => {
    const el = document.createElement("div");
    const gone = () => Promise.reject(new Error("no kernel"));
    const door: Door = {
      isLive: false,
      load: gone,
      emit() {},
      ask: gone,
      stop() {},
      resolve: gone,
    };
    mountSaved(el, untilEnd(), settle(fold(threeDeep().events)), door);
    await drawn();
    expect(el.querySelector(".nba-resume")).toBeNull();
  });
});

describe("what came to nothing deep inside", () => {
  test("is said on the rows and headers above, which went well", async () => {
    const { el } = page.view();
    const sample = confirmation(threeDeep(), "c1", at(3));
    answered(sample, "c1", { outcome: "denied", ...at(3) });
    await page.tell(endAbove(sample.ended("c1", { status: "denied", ...at(3) })));
    expect(word(rows(el)[0])).toBe("Done");
    expect(rows(el)[0]?.getAttribute("aria-label")).toContain(", 1 denied, done");
    expect(callRows(el).map(inside)).toEqual(["1 denied", "1 denied", undefined]);
    for (const about of el.querySelectorAll<HTMLElement>(".nba-about-run")) about.click();
    await drawn();
    const facts = [...el.querySelectorAll(".nba-facts")].map(({ textContent }) => textContent);
    expect(facts.map((one) => one?.split(" was denied")[0])).toEqual([
      "Denied: 1 of 3 calls",
      "Denied: 1 of 2 calls",
      "Denied: its only call",
    ]);
  });

  test("is said of a closed group, as is what a guardrail refused", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (const id of ["c1", "c2"]) sample.tool(id).ended(id);
    const refusal: GuardrailNode = {
      name: "plain",
      stage: "tool_output",
      outcome: "refuse",
      message: "no tens",
    };
    await page.tell(sample.add("guardrail", { tool_call_id: "c2", ...refusal }).phase("completed"));
    expect(word(rows(el)[0])).toBe("Done");
    expect(inside(rows(el)[0])).toBe("1 refused");
    expect(rows(el)[0]?.dataset.status).toBe("partly");
    expect(rows(el)[0]?.getAttribute("aria-label")).toContain("1 refused, done");
  });
});

test("header and row say one time, and how much of it was waiting", async () => {
  const { el } = page.view();
  const sample = threeDeep(); // an event each half second
  confirmation(sample, "c1", at(3));
  answered(sample, "c1", at(3)).tool("c1", at(3)).ended("c1", at(3));
  await page.tell(endAbove(sample));
  const times = () => [...el.querySelectorAll(".nba-time")].map(({ textContent }) => textContent);
  expect(times().slice(0, 2)).toEqual(["8.0 s, 0.5 s of it waiting", "5.0 s, 0.5 s of it waiting"]);
  el.querySelector<HTMLElement>(".nba-about-run")?.click();
  await drawn();
  expect(times()[2]).toBe("5.5 s, 0.5 s of it waiting");
});

describe("calls that were not made", () => {
  test("are not counted against the limit", async () => {
    const { el } = page.view();
    const limits = { ...ROOT.limits, max_calls: 1 };
    const sample = new Sample().add("run_start", {
      ...ROOT,
      agent_name: "A",
      model: "m",
      tools: [],
      limits,
    });
    const prompt = { message_count: 1, messages: [], tools: [], schemas: null };
    sample.add("prompt_rendered", { step: 1, ...prompt });
    const calls = ["c1", "c2"].map((id) => ({ id, name: "weather", arguments: "{}" }));
    const turn = { text: "", citations: [], refused: false };
    sample.add("assistant_turn", { step: 1, calls, ...turn });
    sample.tool("c1").ended("c1").ended("c2", { status: "skipped", duration_ms: 0 });
    const last = [{ id: "c3", name: "finish", arguments: "{}" }];
    sample.add("assistant_turn", { step: 2, calls: last, ...turn });
    await page.tell(sample.tool("c3", { tool_name: "finish" }).ended("c3").phase("limit"));
    const facts = el.querySelector(".nba-facts")?.textContent;
    expect(facts).toContain("1 of 1 call");
    expect(el.querySelector(".nba-chip")?.textContent).toBe("limit: 1 of 1 call");
  });
});

describe("the focus after an answer", () => {
  async function answeredFirst() {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1");
    await page.tell(confirmation(sample, "c1"));
    await act(el, "await c1", "approve");
    const told = sample.events.length;
    await page.tell(answered(sample, "c1"), told);
    expect(document.activeElement).toBe(rows(el)[0]);
    return { el, sample };
  }

  const again = (sample: Sample) => confirmation(sample, "c1", { ...at(1), await_id: "again" });

  test("goes on to what is asked shortly after", async () => {
    const { el, sample } = await answeredFirst();
    const told = sample.events.length;
    await page.tell(again(sample), told);
    await drawn();
    expect(document.activeElement).toBe(question(el, "again"));
  });

  test("stays where somebody has put it meanwhile, and after a while", async () => {
    const { el, sample } = await answeredFirst();
    await vi.advanceTimersByTimeAsync(6000);
    const told = sample.events.length;
    await page.tell(again(sample), told);
    await drawn();
    expect(document.activeElement).toBe(rows(el)[0]);
  });
});

test("a closed call that goes on says once what several calls inside it do", async () => {
  const { el } = page.view();
  const sample = threeDeep();
  for (const id of ["d1", "d2"]) sample.tool(id, { tool_name: "watch", ...at(2) });
  await page.tell(sample);
  rows(el)[0]?.click();
  await drawn();
  expect(el.querySelector(".nba-activity")?.textContent).toBe("ask2, watch ×2");
});
