import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { fold, ROOT, Sample } from "../../sample-run";
import { mountSaved } from "..";
import { fakeNotebook } from "../fake-notebook";
import { drawn, FakePage, rows } from "../fake-page";
import { untilEnd } from "../until-end";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(2000);
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** So many calls, of two tools in turn. */
function calls(many: number): Sample {
  const sample = new Sample().start();
  for (let at = 0; at < many; at++) {
    const tool_name = `tool${at % 2}`;
    sample.tool(`c${at}`, { tool_name, arguments: { city: `City ${at}` } });
    sample.ended(`c${at}`, { tool_name });
  }
  return sample;
}

async function press(key: string, on: Element | null = document.activeElement): Promise<void> {
  on?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  await drawn();
}

function button(el: Element, name: string): HTMLButtonElement | undefined {
  return [...el.querySelectorAll("button")].find(
    (one) => (one.getAttribute("aria-label") ?? one.textContent) === name,
  );
}

function opened(el: Element): number {
  return rows(el).filter((row) => row.getAttribute("aria-expanded") === "true").length;
}

async function type(box: HTMLInputElement | null, text: string): Promise<void> {
  if (!box) throw new Error("there is no box");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
  await drawn();
}

describe("open all", () => {
  test("opens and closes every row, by the button and by e", async () => {
    const { el } = page.view();
    await page.tell(calls(4).phase("completed"));
    button(el, "Open all")?.click();
    await drawn();
    expect(opened(el)).toBe(4);
    expect(el.querySelectorAll(".nba-details .nba-section").length).toBeGreaterThan(3);
    rows(el)[0]?.focus();
    await press("e");
    expect(opened(el)).toBe(0);
    expect(button(el, "Open all")).toBeDefined();
  });
});

describe("the filter", () => {
  test("is there with more than twenty calls, also of a list that is folded; / goes to it, and Esc empties it and goes back", async () => {
    const { el } = page.view();
    await page.tell(calls(21).phase("completed"));
    const box = el.querySelector<HTMLInputElement>(".nba-query");
    expect(box?.placeholder).toBe("Filter 21 calls");
    expect(rows(el)).toHaveLength(0);
    el.querySelector<HTMLElement>(".nba-happened .nba-fold-button")?.click();
    await drawn();
    rows(el)[0]?.focus();
    await press("/");
    expect(document.activeElement).toBe(box);
    await type(box, "city 20");
    expect(rows(el)).toHaveLength(1);
    expect(el.querySelector(".nba-finder")?.textContent).toBe("1 of 21 calls");
    await press("Escape");
    expect(rows(el).length).toBeGreaterThan(1);
    await press("Escape");
    expect(document.activeElement).toBe(rows(el)[0]);
  });

  test("with fewer calls comes when asked for, and no key is taken from what is typed", async () => {
    const { el } = page.view();
    await page.tell(calls(2).phase("completed"));
    expect(el.querySelector(".nba-query")).toBeNull();
    button(el, "Filter")?.click();
    await drawn();
    const box = el.querySelector<HTMLInputElement>(".nba-query");
    expect(document.activeElement).toBe(box);
    await press("e");
    await press("?");
    expect(opened(el)).toBe(0);
    expect(el.querySelector(".nba-keys")).toBeNull();
    await press("ArrowDown");
    expect(document.activeElement).toBe(rows(el)[0]);
  });

  test("shows a call in another run inside the call that holds it", async () => {
    const { el } = page.view();
    const below = { run_id: "run-2", parent_run_id: "run-1" };
    const sample = new Sample().start().tool("c1", { tool_name: "ask" }).tool("c2");
    const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "B" };
    sample.add("child_run_linked", child);
    sample.add("run_start", { ...runStart(), ...below });
    sample.tool("d1", { arguments: { query: "fjord" }, ...below }).ended("d1", below);
    await page.tell(sample);
    button(el, "Filter")?.click();
    await drawn();
    await type(el.querySelector<HTMLInputElement>(".nba-query"), "fjord");
    expect(rows(el).map((row) => row.dataset.call)).toEqual(["run-1/c1", "run-2/d1"]);
  });
});

function runStart() {
  return { agent_name: "Agent", model: "offline", tools: [], ...ROOT };
}

describe("a call that waits for the person", () => {
  test("is reached from the header, also out of a closed group", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 9; at++) sample.tool(`c${at}`);
    const asked = { await_id: "a", title: "Sure?", prompt: "Sure?", arguments: {} };
    await page.tell(sample.add("await_confirmation", { tool_call_id: "c4", ...asked }));
    rows(el)[0]?.click();
    await drawn();
    expect(rows(el).map((row) => row.dataset.call)).toEqual([undefined, "run-1/c4"]);
    Element.prototype.scrollIntoView = () => {};
    button(el, "Review (1)")?.click();
    await drawn();
    expect(document.activeElement?.getAttribute("data-await")).toBe("a");
    const said = { outcome: "denied", answer: null, answered_by: "you" } as const;
    await page.tell(sample.add("await_resolved", { await_id: "a", ...said }), 11);
    expect(button(el, "Review (1)")).toBeUndefined();
  });
});

describe("keys", () => {
  test("? lists them; left goes from a closed row to the row that holds it", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").tool("c2").ended("c1").ended("c2"));
    rows(el)[1]?.focus();
    await press("?");
    expect(el.querySelector(".nba-keys")?.textContent).toContain("open all, close all");
    await press("ArrowLeft");
    expect(document.activeElement).toBe(rows(el)[0]);
  });
});

describe("full screen", () => {
  test("is left by Esc, and the focus goes back to its button", async () => {
    const { el } = page.view();
    await page.tell(calls(2));
    const root = el.querySelector(".nba-run");
    const full = button(el, "Full screen");
    full?.focus();
    full?.click();
    await drawn();
    expect(root?.classList.contains("nba-overlay")).toBe(true);
    rows(el)[0]?.focus();
    await press("Escape");
    expect(root?.classList.contains("nba-overlay")).toBe(false);
    expect(document.activeElement).toBe(full);
    expect(full?.getAttribute("aria-label")).toBe("Full screen");
  });
});

describe("copies", () => {
  test("of a call are Python or JSON, and those who listen hear of it", async () => {
    const written: string[] = [];
    vi.stubGlobal("navigator", {
      clipboard: { writeText: async (text: string) => written.push(text) },
    });
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").ended("c1").phase("completed"));
    rows(el)[0]?.click();
    await drawn();
    button(el, "Copy as Python")?.click();
    await drawn();
    button(el, "Copy JSON")?.click();
    await vi.advanceTimersByTimeAsync(1100);
    expect(written[0]).toBe('weather(city="Paris")');
    expect(JSON.parse(written[1] ?? "")).toMatchObject({ name: "weather", content: "9 °C" });
    expect(el.querySelector('[role="status"]')?.textContent).toBe("Copied");
  });

  test("are still possible where the page has no clipboard", async () => {
    vi.stubGlobal("navigator", {});
    const copied: string[] = [];
    document.execCommand = () => {
      if (document.activeElement instanceof HTMLTextAreaElement) {
        copied.push(document.activeElement.value);
      }
      return true;
    };
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").ended("c1"));
    rows(el)[0]?.click();
    await drawn();
    button(el, "Copy as Python")?.click();
    await drawn();
    expect(copied).toEqual(['weather(city="Paris")']);
    expect(el.querySelector("textarea")).toBeNull();
  });
});

describe("arguments", () => {
  test("are a list or JSON, as somebody likes", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").ended("c1"));
    rows(el)[0]?.click();
    await drawn();
    button(el, "JSON")?.click();
    await drawn();
    expect(el.querySelector(".nba-details pre")?.textContent).toBe('{\n  "city": "Paris"\n}');
    button(el, "List")?.click();
    await drawn();
    expect(el.querySelector(".nba-details dt")?.textContent).toBe("city");
  });
});

describe("what the model saw", () => {
  test("is a list of steps, whose new messages are marked", async () => {
    const { el } = page.view();
    const told = (role: "system" | "user", text: string) => ({
      role,
      text,
      parts: [],
      calls: [],
      call_id: null,
      failed: false,
      shared: "",
      is_notice: false,
    });
    const schemas = [{ name: "weather", description: "The weather.", parameters: {} }];
    const sample = new Sample().start().add("prompt_rendered", {
      step: 1,
      message_count: 2,
      tools: ["weather"],
      messages: [told("system", "Be brief."), told("user", "How warm?")],
      schemas,
    });
    const calls = [{ id: "c1", name: "weather", arguments: "{}" }];
    sample.add("assistant_turn", { step: 1, text: "", calls, citations: [], refused: false });
    sample.tool("c1").ended("c1");
    const second = { step: 2, message_count: 4, tools: [], messages: [], schemas: [] };
    await page.tell(sample.add("prompt_rendered", second));
    button(el, "What the model saw")?.click();
    await drawn();
    const steps = [...el.querySelectorAll<HTMLElement>(".nba-seen .nba-fold-button")];
    expect(steps.map((step) => step.textContent)).toEqual([
      expect.stringContaining("Step 1: 2 messages · "),
      expect.stringContaining("Step 2: 4 messages, 2 new · "),
    ]);
    for (const step of steps) step.click();
    await drawn();
    const [one, two] = el.querySelectorAll(".nba-seen-step");
    expect(one?.querySelector(".nba-new")).toBeNull();
    expect(one?.textContent).toContain("1 tool offered");
    expect(two?.textContent).toContain("2 messages as before");
    expect(two?.textContent).toContain("Result of weathernew4 characters9 °C");
    expect(two?.textContent).toContain("Tools removed: weather");
  });
});

describe("a saved run", () => {
  function saved(notebook: Door["notebook"]) {
    const el = document.createElement("div");
    document.body.append(el);
    const door: Door = {
      isLive: false,
      load: () => Promise.reject(new Error("no module")),
      emit() {},
      ask: () => Promise.reject(new Error("no kernel")),
      stop() {},
      resolve: () => Promise.reject(new Error("no kernel")),
      ...(notebook && { notebook }),
    };
    const sample = new Sample().start().add("user_message", { text: "How warm?", shared: [] });
    sample.tool("c1", { cell_id: "cell-1" }).ended("c1").tool("c2", { cell_id: "gone" });
    const cuts = [{ text: "result of weather: 2 kB of 9 kB left out" }];
    mountSaved(el, untilEnd(), fold(sample.events), door, cuts);
    return el;
  }

  test("has no Stop, names what it lacks, and outside of JupyterLab touches no cell", async () => {
    const el = saved(undefined);
    await drawn();
    expect(el.querySelector(".nba-stop")).toBeNull();
    expect(el.textContent).toContain("Shortened in 1 place");
    expect(button(el, "Edit and re-run")).toBeUndefined();
    for (const row of rows(el).slice(1)) row.click();
    await drawn();
    expect(button(el, "Show cell")).toBeUndefined();
  });

  test("in JupyterLab shows the cells that there are, and asks again in a new one", async () => {
    const done: string[] = [];
    const el = saved(fakeNotebook({ hasCell: (id) => id === "cell-1" }, done));
    await drawn();
    for (const row of rows(el).slice(1)) row.click();
    await drawn();
    expect(el.querySelectorAll(".nba-details:not([hidden])")).toHaveLength(2);
    button(el, "Show cell")?.click();
    button(el, "Edit and re-run")?.click();
    expect(done).toEqual(["cell-1", "%%agent\nHow warm?"]);
  });
});

test("a stateful payload's row takes its view back to that step, and to the newest again", async () => {
  const { el } = page.view();
  const sample = new Sample().start();
  for (const [id, zoom] of [
    ["c1", 3],
    ["c2", 9],
  ] as const) {
    sample.tool(id);
    const payload = { kind: "map", version: 1, audience: "timeline", value: { zoom } } as const;
    sample.add("tool_data", { tool_call_id: id, payload_id: id, payload }).ended(id);
  }
  await page.tell(sample);
  expect(page.maps).toEqual([{ zoom: 3 }, { zoom: 9 }]);
  page.maps.length = 0;
  button(el, "Show this step")?.click();
  await drawn();
  expect(page.maps).toEqual([{ zoom: 3 }]);
  button(el, "Show the newest")?.click();
  await drawn();
  expect(page.maps.slice(1)).toEqual([{ zoom: 3 }, { zoom: 9 }]);
});

test("a closed group goes through its steps, each as its call left it", async () => {
  const { el } = page.view();
  const sample = new Sample().start();
  for (const [at, zoom] of [3, 5, 9].entries()) {
    sample.tool(`c${at}`, { name: "setCenter", arguments: { zoom } });
    const payload = { kind: "map", version: 1, audience: "timeline", value: { zoom } } as const;
    sample.add("tool_data", { tool_call_id: `c${at}`, payload_id: `p${at}`, payload });
    sample.ended(`c${at}`);
  }
  await page.tell(sample.said("There.").phase("completed"));
  expect(rows(el)).toHaveLength(1);
  const shown = async (name: string) => {
    page.maps.length = 0;
    button(el, name)?.click();
    await drawn();
    return [page.maps.at(-1), el.querySelector(".nba-steps .nba-small")?.textContent];
  };
  expect(await shown("Show each step")).toEqual([{ zoom: 3 }, "Step 1 of 3"]);
  expect(await shown("Next step")).toEqual([{ zoom: 5 }, "Step 2 of 3"]);
  expect(await shown("Next step")).toEqual([{ zoom: 9 }, "Step 3 of 3"]);
  expect(await shown("Step before")).toEqual([{ zoom: 5 }, "Step 2 of 3"]);
  expect(await shown("Show the newest")).toEqual([{ zoom: 9 }, undefined]);
});

test("every button has a name", async () => {
  const { el } = page.view();
  await page.tell(calls(30).phase("completed"));
  button(el, "Open all")?.click();
  await drawn();
  const nameless = [...el.querySelectorAll("button")].filter(
    (one) => !(one.getAttribute("aria-label") ?? one.textContent?.trim()),
  );
  expect(nameless).toEqual([]);
});
