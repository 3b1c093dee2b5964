import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ROOT, Sample, UNIT } from "../sample-run";
import type { JsonValue } from "../tree";
import { drawn, FAILURE, FakePage, rows } from "./fake-page";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(500); // what is still to be drawn must not wait for ever
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("events", () => {
  test("a page says its own name with each request, and no other page has it", async () => {
    page.view();
    await vi.advanceTimersByTimeAsync(4000);
    const names = (one: FakePage) => new Set(one.model.sentOf("sync").map(nameIn));
    const other = new FakePage();
    expect(page.model.sentOf("sync").length).toBeGreaterThan(2);
    expect(names(page).size).toBe(1);
    expect(names(other)).not.toEqual(names(page));
    other.close();
  });

  test("a new model asks for all of them, and again while none comes", async () => {
    const { el } = page.view();
    expect(page.model.sentOf("sync")).toEqual([
      { type: "sync", from: 0, page: expect.any(String) },
    ]);
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
    const sample = new Sample().start().tool("c1").ended("c1");
    sample.tool("c2", { tool_name: "other" }).ended("c2", { tool_name: "other" });
    await page.tell(sample, 0, 1);
    await page.tell(sample, 3, 4);
    await page.tell(sample, 4, 5);
    expect(page.model.sentOf("sync").slice(1)).toEqual([
      expect.objectContaining({ type: "sync", from: UNIT }),
    ]);
    expect(rows(el)).toHaveLength(0);
    await page.tell(sample, 1);
    expect(rows(el)).toHaveLength(2);
  });

  test("a batch is drawn once, in the next frame", async () => {
    const { el } = page.view();
    page.model.tellUnits(new Sample().start().tool("c1").events);
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

test("what was shared is listed below the header, a line each", async () => {
  const { el } = page.view();
  const sample = new Sample().start();
  await page.tell(sample);
  expect(el.querySelector(".nba-shared")).toBeNull();
  const shared = ["df (DataFrame, 1,000 rows × 5 columns)", `long (${"x".repeat(500)})`];
  await page.tell(sample.add("user_message", { text: "How warm?", shared }), 1);
  const header = el.querySelector(".nba-header");
  expect(header?.querySelector(".nba-prompt")?.textContent).toBe("Asked: How warm?");
  expect(header?.nextElementSibling?.className).toBe("nba-shared");
  expect(el.querySelector(".nba-shared")?.textContent).toMatch(/^Shared:df \(DataFrame/);
  const lines = [...el.querySelectorAll(".nba-shared li")];
  expect(lines.map((line) => line.textContent?.length)).toEqual([shared[0]?.length, 300]);
});

describe("what is said", () => {
  test("the answer stands right below what was asked, what was said between calls among them, thoughts folded", async () => {
    const { el } = page.view();
    const sample = new Sample().start().add("thought", { step: 1, text: "Because\nof this" });
    sample.said("First I look.").tool("c1").ended("c1");
    sample.add("assistant_delta", { step: 2, text: "It is **cold**" });
    await page.tell(sample);
    const card = el.querySelector(".nba-card");
    const answer = card?.querySelector(".nba-header + .nba-came");
    expect(answer?.querySelector("strong")?.textContent).toBe("cold");
    expect(el.querySelector(".nba-list .nba-said")?.textContent?.trim()).toBe("First I look.");
    expect(el.querySelector(".nba-thought")?.textContent).toContain("Because");
    expect(el.querySelector(".nba-thought")?.textContent).not.toContain("of this");
  });

  test("a refusal is said quietly below the answer, also of a run inside another", async () => {
    const { el } = page.view();
    const refusal = { step: 1, text: "I can't.", calls: [], citations: [], refused: true };
    const below = { run_id: "run-2", parent_run_id: "run-1" };
    const sample = new Sample().start().tool("c1");
    const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "researcher" };
    sample.add("child_run_linked", child);
    const about = { agent_name: "researcher", model: "m", tools: [], ...ROOT };
    sample.add("run_start", { ...about, ...below });
    await page.tell(sample.add("assistant_turn", { ...refusal, ...below }));
    expect(el.querySelector(".nba-ending")?.lastElementChild?.textContent).toBe(
      "The model refused.",
    );
    expect(el.querySelector(".nba-came > .nba-refused")).toBeNull();
    await page.tell(sample.ended("c1").add("assistant_turn", { ...refusal, step: 2 }), 5);
    const came = el.querySelector(".nba-came");
    expect(came?.lastElementChild?.textContent).toBe("The model refused.");
    expect(came?.lastElementChild?.previousElementSibling?.textContent?.trim()).toBe("I can't.");
  });

  test("a failed run says why", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().phase("failed", FAILURE));
    expect(el.querySelector(".nba-came > .nba-failure")?.textContent).toContain(FAILURE.message);
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
    expect(status?.textContent).toBe("Done, 1 call, 3 seconds");
  });
});

describe("the map", () => {
  function payload(value: JsonValue, payload_id: string) {
    const map = { kind: "map", version: 1, audience: "timeline", value } as const;
    return { tool_call_id: "c1", payload_id, payload: map };
  }

  test("is one for the run, between answer and calls, fed in order", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1");
    sample.add("tool_data", payload({ zoom: 3 }, "p1")).said("There.", 2);
    await page.tell(sample);
    const order = [...(el.querySelector(".nba-card")?.children ?? [])].map((one) => one.className);
    expect(order).toEqual(["nba-header nba-line", "nba-came", "nba-stage", "nba-happened"]);
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
    const told: [string, JsonValue][] = [
      ["table", { columns: [HARM], dtypes: [HARM], rows: [[HARM]], total: HARM }],
      ["file", { name: HARM, media_type: HARM, data: HARM }],
      ["mime", { data: { "text/plain": HARM, "text/html": HARM }, metadata: HARM }],
      ["mime", { data: { "application/json": HARM } }],
      ["cut", { of: HARM, note: HARM, head: HARM }],
      ["image", { media_type: HARM, data: HARM, alt: HARM }],
    ];
    for (const [kind, value] of told) {
      const given = { kind, version: 1, audience: "timeline", value } as const;
      sample.add("tool_data", {
        ...call,
        payload_id: kind + JSON.stringify(value),
        payload: given,
      });
    }
    const citations = [{ url: HARM, title: HARM, file_id: HARM, start: null, end: null }];
    const issues = [{ field: HARM, constraint: HARM, message: HARM }];
    const failure = { ...FAILURE, message: HARM, issues, debug_message: HARM };
    sample.ended("c1", {
      ...call,
      status: "failed",
      content: HARM,
      preview: HARM,
      handle: HARM,
      failure,
    });
    sample.add("user_message", { text: HARM, shared: [HARM] });
    const turn = { step: 1, text: HARM, calls: [], citations, refused: false };
    sample.add("assistant_turn", turn).phase("failed", failure);
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

function nameIn(message: unknown): unknown {
  return typeof message === "object" && message && "page" in message ? message.page : undefined;
}

test("a long prompt shows its beginning and opens to the whole", async () => {
  const { el } = page.view();
  const text = `${"word ".repeat(200)}the end`;
  await page.tell(new Sample().start().add("user_message", { text, shared: [] }));
  const prompt = el.querySelector<HTMLElement>(".nba-prompt");
  expect(prompt?.textContent).toMatch(/^Asked: word word .*…Show all \(1.0 kB\)$/);
  prompt?.querySelector("button")?.click();
  await drawn();
  expect(prompt?.textContent).toContain("the end");
});
