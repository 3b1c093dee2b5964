import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Library } from "../bridge";
import type { Failure, JsonValue } from "../events";
import { FakeModel } from "../fake-model";
import { Sample } from "../sample-events";
import { attach, mount } from "./index";

/** A page with one model: what it would show, and what its kernel says. */
class Stage {
  readonly model = new FakeModel();
  readonly maps: JsonValue[] = [];
  readonly #end = new AbortController();
  readonly #state = attach(this.model, this.#end.signal, { load: () => this.#mapModule() });
  drag: (value: JsonValue) => void = () => {};

  view() {
    const end = new AbortController();
    this.#end.signal.addEventListener("abort", () => end.abort());
    const el = document.createElement("div");
    document.body.append(el);
    mount(this.model, el, end.signal, this.#state);
    return { el, end: () => end.abort() };
  }

  /** Tell events and let them be drawn. */
  async tell(sample: Sample, from = 0, to?: number): Promise<void> {
    this.model.tellEvents(sample.events.slice(from, to), from);
    await drawn();
  }

  close(): void {
    this.#end.abort();
  }

  async #mapModule(): Promise<Library> {
    return {
      renderMap: ({ value, emit }) => {
        this.maps.push(value);
        this.drag = emit;
        return { update: (next) => this.maps.push(next) };
      },
    };
  }
}

async function drawn(): Promise<void> {
  await vi.advanceTimersByTimeAsync(50);
}

const FAILURE: Failure = {
  kind: "internal",
  recovery: "replan",
  message: "The city is unknown.",
  issues: [],
  debug_message: "Traceback: here",
};

function rows(el: Element): HTMLElement[] {
  return [...el.querySelectorAll<HTMLElement>(".nba-row")];
}

/** What `aria-controls` of a button names. */
function controlled(button: Element | undefined): Element | null {
  return document.getElementById(button?.getAttribute("aria-controls") ?? "");
}

let page: Stage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new Stage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(500); // what is still to be drawn must not wait for ever
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("events", () => {
  test("a new model asks for all of them, and again while none comes", async () => {
    const { el } = page.view();
    expect(page.model.sentOf("sync")).toEqual([{ type: "sync", from: 0 }]);
    await vi.advanceTimersByTimeAsync(1100);
    expect(page.model.sentOf("sync")).toHaveLength(2);
    expect(el.textContent).toContain("Waiting for the kernel");
    await page.tell(new Sample().start());
    await vi.advanceTimersByTimeAsync(20_000);
    expect(page.model.sentOf("sync")).toHaveLength(2);
    expect(el.textContent).not.toContain("Waiting");
  });

  test("a gap is asked for once, and filled", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").ended("c1").tool("c2").ended("c2");
    await page.tell(sample, 0, 1);
    await page.tell(sample, 3, 4);
    await page.tell(sample, 4, 5);
    expect(page.model.sentOf("sync").slice(1)).toEqual([{ type: "sync", from: 1 }]);
    expect(rows(el)).toHaveLength(0);
    await page.tell(sample, 1);
    expect(rows(el)).toHaveLength(2);
  });

  test("a batch is drawn once, in the next frame", async () => {
    const { el } = page.view();
    page.model.tellEvents(new Sample().start().tool("c1").events);
    expect(rows(el)).toHaveLength(0);
    await drawn();
    expect(rows(el)).toHaveLength(1);
  });

  test("a second view shows the same, and outlives the first", async () => {
    const first = page.view();
    await page.tell(new Sample().start().tool("c1"));
    const second = page.view();
    await drawn();
    first.end();
    expect(first.el.textContent).toBe("");
    expect(rows(second.el)).toHaveLength(1);
    expect(page.model.sentOf("sync")).toHaveLength(1);
  });

  test("a closed model hears and ticks no more", () => {
    page.close();
    expect(page.model.listeners).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("header", () => {
  test("says how it goes in words, counts, and ticks while the run goes on", async () => {
    const { el } = page.view();
    const usage = { step: 1, model: "m", input_tokens: 1500, output_tokens: 400, cached_tokens: 0 };
    const sample = new Sample().start().tool("c1").add("usage", usage);
    await page.tell(sample);
    const header = el.querySelector(".nba-header");
    expect(header?.textContent).toContain("Agent");
    expect(header?.textContent).toContain("offline");
    expect(header?.textContent).toContain("Running");
    expect(header?.textContent).toContain("1 call");
    expect(header?.textContent).toContain("1.9k tokens");
    const before = el.querySelector(".nba-header .nba-time")?.textContent;
    await vi.advanceTimersByTimeAsync(2000);
    expect(el.querySelector(".nba-header .nba-time")?.textContent).not.toBe(before);
    sample.ended("c1").phase("completed");
    await page.tell(sample, 3);
    expect(header?.textContent).toContain("Done");
    expect(header?.textContent).toContain("2.0 s");
  });

  test("Stop asks the kernel to stop, and is there only while the run goes on", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    await page.tell(sample);
    const stop = el.querySelector<HTMLButtonElement>(".nba-stop");
    stop?.click();
    await drawn();
    expect(page.model.sentOf("stop")).toEqual([{ type: "stop" }]);
    expect(stop?.textContent).toBe("Stopping…");
    await page.tell(sample.phase("cancelled"), 1);
    expect(el.querySelector(".nba-stop")).toBeNull();
    expect(el.querySelector(".nba-header")?.textContent).toContain("Cancelled");
  });
});

describe("rows", () => {
  test("a call that went well is a closed button in a list, and opens and stays open", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").ended("c1", { preview: "24 rows" });
    await page.tell(sample);
    const [row] = rows(el);
    expect(row?.tagName).toBe("BUTTON");
    expect(row?.closest("li")?.parentElement?.tagName).toBe("UL");
    expect(row?.getAttribute("aria-expanded")).toBe("false");
    expect(row?.getAttribute("aria-label")).toBe('weather, city="Paris", done, 500 ms, 24 rows');
    expect(controlled(row)?.childElementCount).toBe(0);
    row?.click();
    await page.tell(sample.said("Hello").phase("completed"), 3);
    expect(row?.getAttribute("aria-expanded")).toBe("true");
    expect(controlled(row)?.querySelector("dt")?.textContent).toBe("city");
    expect(controlled(row)?.textContent).toContain("9 °C");
    row?.click();
    await drawn();
    expect(controlled(row)?.childElementCount).toBe(0);
  });

  test("a failure is open, with its message, and its traceback folded; it may be closed", async () => {
    const { el } = page.view();
    const ended = { status: "failed", content: FAILURE.message, failure: FAILURE } as const;
    await page.tell(new Sample().start().tool("c1").ended("c1", ended));
    const [row] = rows(el);
    const details = controlled(row);
    expect(row?.getAttribute("aria-expanded")).toBe("true");
    expect(details?.textContent).toContain("The city is unknown.");
    expect(details?.textContent).not.toContain("Traceback: here");
    expect(details?.textContent).not.toContain("Result as the model saw it");
    details?.querySelector<HTMLElement>(".nba-failure .nba-fold-button")?.click();
    await drawn();
    expect(details?.textContent).toContain("Traceback: here");
    row?.click();
    await drawn();
    expect(row?.getAttribute("aria-expanded")).toBe("false");
  });

  test("arguments are a list where flat, JSON where nested, text where they are no JSON", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    sample.tool("c1", { arguments: { deep: { a: 1 } } }).tool("c2", { arguments: "{broken" });
    await page.tell(sample);
    for (const row of rows(el)) row.click();
    await drawn();
    const [deep, broken] = rows(el).map(
      (row) => controlled(row)?.querySelector("pre")?.textContent,
    );
    expect(deep).toBe('{\n  "deep": {\n    "a": 1\n  }\n}');
    expect(broken).toBe("{broken");
  });

  test("what a call printed, its progress and its data are shown; data for tools is not", async () => {
    const { el } = page.view();
    const call = { tool_call_id: "c1" };
    const sample = new Sample().start().tool("c1");
    sample.add("tool_update", { ...call, message: "Reading", fraction: 0.5 });
    sample.add("tool_output_delta", { ...call, stream: "stdout", text: "\u001b[31mhi\u001b[0m\n" });
    for (const audience of ["timeline", "internal"] as const) {
      const payload = { kind: `${audience}-kind`, version: 1, audience, value: { n: 1 } };
      sample.add("tool_data", { ...call, payload_id: audience, payload });
    }
    await page.tell(sample);
    expect(el.querySelector(".nba-activity")?.textContent).toBe("Reading");
    expect(el.querySelector("progress")?.getAttribute("value")).toBe("0.5");
    rows(el)[0]?.click();
    await drawn();
    const details = controlled(rows(el)[0]);
    expect(details?.querySelector(".nba-stdout")?.textContent).toBe("hi\n");
    expect(details?.textContent).toContain("timeline-kind");
    expect(details?.textContent).not.toContain("internal-kind");
  });

  test("a child run is nested in its call, with its own calls", async () => {
    const { el } = page.view();
    const below = { run_id: "run-2", parent_run_id: "run-1" };
    const sample = new Sample().start().tool("c1");
    const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "researcher" };
    sample.add("child_run_linked", child);
    const about = { model: "m", tools: [], forked_from: null };
    sample.add("run_start", { agent_name: "researcher", ...about, ...below });
    sample.tool("d1", { ...below, tool_name: "searchNotes" });
    await page.tell(sample);
    expect(el.querySelector(".nba-activity")?.textContent).toBe("searchNotes");
    expect(rows(el)).toHaveLength(1);
    rows(el)[0]?.click();
    await drawn();
    const nested = el.querySelector(".nba-details .nba-child");
    expect(nested?.getAttribute("aria-label")).toBe("Run of researcher");
    expect(nested && rows(nested).map((row) => row.getAttribute("aria-label"))).toEqual([
      'searchNotes, city="Paris", running',
    ]);
  });

  test("of many calls the first and last are shown, and the rest on demand", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 30; at++) {
      sample.tool(`c${at}`).ended(`c${at}`, at === 10 ? { status: "failed" } : {});
    }
    await page.tell(sample);
    expect(rows(el)).toHaveLength(11);
    const more = el.querySelector<HTMLElement>(".nba-more button");
    expect(more?.textContent).toBe("… 19 more calls, 1 failed");
    more?.click();
    await drawn();
    expect(rows(el)).toHaveLength(30);
  });

  test("arrow keys move between rows and open and close them", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").ended("c1").tool("c2").ended("c2"));
    const [first, second] = rows(el);
    const press = async (key: string) => {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      await drawn();
    };
    first?.focus();
    await press("ArrowDown");
    expect(document.activeElement).toBe(second);
    await press("ArrowRight");
    expect(second?.getAttribute("aria-expanded")).toBe("true");
    await press("ArrowRight");
    expect(second?.getAttribute("aria-expanded")).toBe("true");
    await press("ArrowLeft");
    expect(second?.getAttribute("aria-expanded")).toBe("false");
    await press("Home");
    expect(document.activeElement).toBe(first);
  });
});

describe("what is said", () => {
  test("the answer stands last, what was said between calls among them, thoughts folded", async () => {
    const { el } = page.view();
    const sample = new Sample().start().add("thought", { step: 1, text: "Because\nof this" });
    sample.said("First I look.").tool("c1").ended("c1");
    sample.add("assistant_delta", { step: 2, text: "It is **cold**" });
    await page.tell(sample);
    const card = el.querySelector(".nba-card");
    expect(card?.lastElementChild?.querySelector("strong")?.textContent).toBe("cold");
    expect(el.querySelector(".nba-list .nba-said")?.textContent?.trim()).toBe("First I look.");
    expect(el.querySelector(".nba-thought")?.textContent).toContain("Because");
    expect(el.querySelector(".nba-thought")?.textContent).not.toContain("of this");
  });

  test("a failed run says why", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().phase("failed", FAILURE));
    expect(el.querySelector(".nba-card > .nba-failure")?.textContent).toContain(FAILURE.message);
  });

  test("those who listen hear states, at most once a second, and never the stream", async () => {
    const { el } = page.view();
    const sample = new Sample().start().phase("planning");
    await page.tell(sample);
    const status = el.querySelector('[role="status"]');
    expect(status?.textContent).toBe("Thinking");
    sample.add("assistant_delta", { step: 1, text: "secret words" }).tool("c1");
    await page.tell(sample, 2);
    expect(status?.textContent).toBe("Thinking");
    await vi.advanceTimersByTimeAsync(1000);
    await drawn();
    expect(status?.textContent).toBe("Calling weather");
    await page.tell(sample.ended("c1").phase("completed"), 4);
    await vi.advanceTimersByTimeAsync(1000);
    await drawn();
    expect(status?.textContent).toBe("Done: 1 call, 3 seconds");
  });
});

describe("the map", () => {
  function payload(value: JsonValue, payload_id: string) {
    const map = { kind: "map", version: 1, audience: "timeline", value } as const;
    return { tool_call_id: "c1", payload_id, payload: map };
  }

  test("is one for the run, between calls and answer, fed in order", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1");
    sample.add("tool_data", payload({ zoom: 3 }, "p1")).said("There.", 2);
    await page.tell(sample);
    const order = [...(el.querySelector(".nba-card")?.children ?? [])].map((one) => one.className);
    expect(order.findIndex((name) => name.includes("nba-stage"))).toBe(2);
    expect(order.at(-1)).toContain("nba-answer");
    await page.tell(sample.add("tool_data", payload({ zoom: 9 }, "p2")), 4);
    expect(page.maps).toEqual([{ zoom: 3 }, { zoom: 9 }]);
  });

  test("tells the kernel where the person took it", async () => {
    page.view();
    const sample = new Sample().start().add("tool_data", payload({ zoom: 3 }, "p1"));
    await page.tell(sample);
    page.drag({ center: { lon: 2, lat: 48 }, zoom: 5 });
    expect(page.model.sentOf("emit")).toEqual([
      { type: "emit", kind: "map", value: { center: { lon: 2, lat: 48 }, zoom: 5 } },
    ]);
  });
});

describe("text is text", () => {
  const HARM = '<img src=x onerror="globalThis.harm=1"><script>globalThis.harm=1</script>';

  test("whatever a model or a tool writes, wherever it is shown", async () => {
    const { el } = page.view();
    const sample = new Sample().start(HARM).add("thought", { step: 1, text: HARM });
    const call = { tool_call_id: "c1", tool_name: HARM };
    sample.tool("c1", { ...call, arguments: { [HARM]: HARM }, source_hash: HARM });
    sample.tool("c2", { display_hint: HARM, arguments: { deep: [HARM] } });
    sample.add("tool_update", { tool_call_id: "c2", message: HARM, fraction: null });
    sample.add("tool_output_delta", { ...call, stream: "stderr", text: HARM });
    const payload = { kind: HARM, version: 1, audience: "timeline", value: HARM } as const;
    sample.add("tool_data", { ...call, payload_id: HARM, payload });
    const issues = [{ field: HARM, constraint: HARM, message: HARM }];
    const failure = { ...FAILURE, message: HARM, issues, debug_message: HARM };
    sample.ended("c1", { ...call, status: "failed", content: HARM, preview: HARM, failure });
    sample.said(HARM).phase("failed", failure);
    await page.tell(sample);
    for (let depth = 0; depth < 3; depth++) {
      for (const fold of el.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) fold.click();
      await drawn();
    }
    expect(el.textContent).toContain(HARM);
    expect(el.querySelector("img, script, [onerror]")).toBeNull();
    expect(Reflect.has(globalThis, "harm")).toBe(false);
  });
});

test("plain keys stay with the view, commands with Ctrl reach the notebook", async () => {
  const { el } = page.view();
  await page.tell(new Sample().start().tool("c1").ended("c1").phase("completed"));
  const [row] = rows(el);
  const heard: boolean[] = [];
  const notebook = ({ target }: KeyboardEvent) => {
    for (let at = target instanceof Element ? target : null; at; at = at.parentElement) {
      if (at.hasAttribute("data-lm-suppress-shortcuts")) return heard.push(false);
    }
    return heard.push(true);
  };
  document.addEventListener("keydown", notebook, { capture: true });
  for (const ctrlKey of [false, true, false]) {
    row?.dispatchEvent(new KeyboardEvent("keydown", { key: "d", ctrlKey, bubbles: true }));
    if (!ctrlKey) expect(row?.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
  }
  document.removeEventListener("keydown", notebook, { capture: true });
  expect(heard).toEqual([false, true, false]);
  expect(el.querySelector(".nba-card")?.getAttribute("aria-label")).toBe("Agent, done, 1 call");
});
