// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, Sample } from "../../sample-run";
import type { JsonValue } from "../../tree";
import { mountSaved } from "..";
import { fakeNotebook } from "../fake-notebook";
import { drawn } from "../fake-page";

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = vi.fn();
});

let end: AbortController;

afterEach(() => {
  end.abort();
  document.body.replaceChildren();
  vi.useRealTimers();
});

const CUTS = [{ text: "result of weather: 2 kB of 9 kB left out" }];

function sample(): Sample {
  const told = { message_count: 2, tools: [], messages: [], schemas: null };
  const made = new Sample().start().add("user_message", { text: "How warm?", shared: [] });
  made.add("workflow", { phase: "planning", step: 1, failure: null });
  made.add("prompt_rendered", { step: 1, ...told });
  made.tool("c1", { step: 1, arguments: { city: "Oslo", days: 1 }, defaults: ["days"] });
  made.ended("c1", { content: "9 °C … [7 kB left out]" });
  made.add("workflow", { phase: "planning", step: 2, failure: null });
  made.add("prompt_rendered", {
    step: 2,
    ...told,
    messages: [{ role: "user", text: "Be quick.", parts: [], calls: [], call_id: null }],
  });
  made
    .tool("c2", { step: 2, arguments: { city: "Rome" }, source_hash: "abc", cell_id: "cell-7" })
    .ended("c2");
  return made.phase("completed");
}

async function opened(own: Partial<Door> = {}, cuts = CUTS): Promise<HTMLElement> {
  const el = document.createElement("div");
  document.body.append(el);
  const door: Door = {
    isLive: false,
    load: () => Promise.reject(new Error("no module")),
    emit() {},
    ask: () => Promise.reject(new Error("no kernel")),
    stop() {},
    resolve: () => Promise.reject(new Error("no kernel")),
    notebook: fakeNotebook(),
    ...own,
  };
  end = new AbortController();
  mountSaved(el, end.signal, fold(sample().events), door, cuts);
  await drawn();
  button(el, "Full screen").focus();
  button(el, "Full screen").click();
  await drawn();
  return el;
}

function button(el: Element, label: string): HTMLElement {
  const all = [...el.querySelectorAll<HTMLElement>("button")];
  const found = all.find(
    (one) =>
      one.ariaLabel === label ||
      one.getAttribute("aria-label") === label ||
      one.textContent === label,
  );
  if (!found) throw new Error(`there is no ${label}`);
  return found;
}

const rows = (el: Element) => [...el.querySelectorAll<HTMLElement>('[role="treeitem"]')];
const tabs = (el: Element) => [...el.querySelectorAll<HTMLElement>('[role="tab"]')];
const panel = (el: Element) =>
  el.querySelector<HTMLElement>('[role="tabpanel"]')?.textContent ?? "";

async function press(key: string): Promise<void> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(event);
  await drawn();
}

test("the arrow keys move what is selected, and the pane and its tab follow", async () => {
  const el = await opened();
  expect(rows(el).map(({ dataset }) => dataset.key)).toEqual([
    "run-1",
    "run-1//1",
    "run-1/c1",
    "run-1//2",
    "run-1/c2",
  ]);
  expect(document.activeElement).toBe(rows(el)[0]);
  expect(tabs(el)[0]?.textContent).toBe("Answer");
  await press("ArrowDown");
  await press("ArrowDown");
  expect(document.activeElement?.getAttribute("aria-selected")).toBe("true");
  tabs(el)[0]?.focus();
  await press("ArrowRight");
  expect(document.activeElement?.textContent).toBe("Arguments");
  expect(panel(el)).toContain("days1 (default)");
  rows(el)[2]?.focus();
  await press("End");
  expect(el.querySelector('[aria-selected="true"][role="tab"]')?.textContent).toBe("Arguments");
  expect(panel(el)).toContain("Rome");
});

test("tabs name their panels, and only the chosen one takes the keyboard", async () => {
  const el = await opened();
  rows(el)[4]?.click();
  await drawn();
  expect(tabs(el).map(({ textContent }) => textContent)).toEqual([
    "Result",
    "Arguments",
    "What the model saw",
    "No output",
    "Timing",
    "Source",
  ]);
  expect(tabs(el).map(({ tabIndex }) => tabIndex)).toEqual([0, -1, -1, -1, -1, -1]);
  const box = el.querySelector('[role="tabpanel"]');
  expect(tabs(el)[0]?.getAttribute("aria-controls")).toBe(box?.id);
  expect(box?.getAttribute("aria-labelledby")).toBe(tabs(el)[0]?.id);
});

test("what the model saw in a step can be seen as what differs from the one before", async () => {
  const el = await opened();
  rows(el)[3]?.click();
  await drawn();
  button(el, "Only what differs from step 1").click();
  await drawn();
  const changes = [...el.querySelectorAll(".nba-diff ins")].map(({ textContent }) => textContent);
  expect(changes.join("")).toContain("+Be quick.");
});

test("Esc leaves, and the focus goes back to what asked for it", async () => {
  const el = await opened();
  await press("Escape");
  expect(el.querySelector(".nba-panes")).toBeNull();
  expect(document.activeElement).toBe(button(el, "Full screen"));
});

test("with a kernel a call is whole, its code is there, and the search goes through all of it", async () => {
  const asked: string[] = [];
  const ask = async (kind: string, question: JsonValue): Promise<JsonValue> => {
    asked.push(`${kind} ${JSON.stringify(question)}`);
    if (kind === "run:search") return ["run-1/c1", "run-9/other"];
    if (kind === "run:source") return "def weather(city): ...";
    return { content: "9 °C and all the rest", output: [{ stream: "stdout", text: "printed" }] };
  };
  const notebook = fakeNotebook({ cellName: (id) => (id === "cell-7" ? "In [7]" : null) });
  const el = await opened({ canAsk: () => true, ask, notebook });
  rows(el)[2]?.click();
  await drawn();
  expect(panel(el)).toContain("9 °C and all the rest");
  rows(el)[4]?.click();
  await drawn();
  tabs(el)[5]?.click();
  await drawn();
  expect(panel(el)).toContain("def weather(city): ...");
  expect(panel(el)).toContain("Defined in cellIn [7]");
  const query = el.querySelector<HTMLInputElement>(".nba-query");
  if (query) query.value = "all the rest";
  query?.dispatchEvent(new Event("input", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(400);
  expect(rows(el).map(({ dataset }) => dataset.key)).toEqual(["run-1", "run-1/c1"]);
  expect(el.querySelector(".nba-pane-search")?.textContent).toBe("1 of 2 calls");
  expect(asked.at(-1)).toBe('run:search {"query":"all the rest"}');
});

test("without a kernel it is said what could not be searched, and that there is no code", async () => {
  const el = await opened();
  const query = el.querySelector<HTMLInputElement>(".nba-query");
  if (query) query.value = "rome";
  query?.dispatchEvent(new Event("input", { bubbles: true }));
  await drawn();
  expect(rows(el).map(({ dataset }) => dataset.key)).toEqual(["run-1", "run-1/c2"]);
  const said = el.querySelector(".nba-pane-search")?.textContent ?? "";
  expect(said).toContain("1 of 2 calls");
  expect(said).toContain("not searched");
  rows(el)[1]?.click();
  await drawn();
  tabs(el)[5]?.click();
  await drawn();
  expect(panel(el)).toContain("none is here");
});

test("a link of a call is selected when it is opened while the panes are there", async () => {
  const el = await opened();
  const { showPlace } = await import("../../bridge");
  showPlace("run-1/c2");
  const selected = () => el.querySelector('[role="treeitem"][aria-selected="true"]');
  await vi.waitFor(() => expect(selected()).toBe(rows(el)[4]), 20_000);
});

test("the time of a call is told in words and as a bar against the run", async () => {
  const el = await opened();
  rows(el)[4]?.click();
  await drawn();
  tabs(el)[4]?.click();
  await drawn();
  expect(panel(el)).toMatch(/Began[\d.]+ s after the run.*Running500 ms/);
  expect(el.querySelectorAll(".nba-phases > i").length).toBeGreaterThan(0);
});
