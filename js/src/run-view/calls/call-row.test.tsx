import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ROOT, Sample } from "../../sample-run";
import type { CallStatus } from "../../tree";
import { callRows, controlled, drawn, FAILURE, FakePage, rows, under } from "../fake-page";

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

describe("rows", () => {
  test("a call that went well is a closed button in a list, and opens and stays open", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").ended("c1", { preview: "24 rows" });
    await page.tell(sample);
    const [row] = rows(el);
    expect(row?.tagName).toBe("BUTTON");
    expect(row?.closest("li")?.parentElement?.tagName).toBe("UL");
    expect(row?.getAttribute("aria-expanded")).toBe("false");
    expect(row?.getAttribute("aria-label")).toBe('weather, city="Paris", 24 rows, done, 500 ms');
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
    sample.tool("c1", { arguments: { deep: { a: 1 } } });
    sample.tool("c2", { tool_name: "other", arguments: "{broken" });
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
    expect(el.querySelector(".nba-activity > span")?.textContent).toBe("Reading");
    expect(el.querySelector(".nba-activity > .nba-printed")?.textContent).toBe("hi");
    expect(el.querySelector("progress")?.getAttribute("value")).toBe("0.5");
    rows(el)[0]?.click();
    await drawn();
    const details = controlled(rows(el)[0]);
    expect(details?.querySelector(".nba-stdout")?.textContent).toBe("hi\n");
    expect(details?.textContent).toContain("timeline-kind");
    expect(details?.textContent).not.toContain("internal-kind");
  });

  test("each stream is named in words, and those that take turns very often become one", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").tool("c2", { tool_name: "other" });
    for (const stream of ["stdout", "stderr", "log"] as const) {
      sample.add("tool_output_delta", { tool_call_id: "c1", stream, text: `${stream} text` });
    }
    for (let turn = 0; turn < 50; turn++) {
      const stream = turn % 2 ? "stderr" : "stdout";
      sample.add("tool_output_delta", { tool_call_id: "c2", stream, text: `${turn}\n` });
    }
    await page.tell(sample);
    for (const row of rows(el)) row.click();
    await drawn();
    const [first, second] = rows(el).map((row) =>
      [...(controlled(row)?.querySelectorAll(".nba-section") ?? [])].slice(1),
    );
    const words = ["Printedstdout text", "Printed to stderrstderr text", "Loglog text"];
    expect(first?.map((section) => section.textContent)).toEqual(words);
    expect(second).toHaveLength(2);
    expect(second?.[1]?.textContent).toContain("1\n3\n5\n");
  });

  test("of a line that was gone back on, what stands there now is shown", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").tool("c2", { tool_name: "other" });
    const print = (tool_call_id: string, stream: "stdout" | "stderr", text: string) =>
      sample.add("tool_output_delta", { tool_call_id, stream, text });
    print("c1", "stdout", "[ ] load\r[x");
    for (let turn = 0; turn < 50; turn++)
      print("c2", turn % 2 ? "stderr" : "stdout", `${turn} %\r`);
    await page.tell(sample);
    for (const row of rows(el)) row.click();
    await drawn();
    const [first, second] = rows(el).map(controlled);
    expect(first?.querySelector(".nba-stdout")?.textContent).toBe("[x] load");
    expect(second?.querySelector(".nba-stdout")?.textContent).toBe("48 %");
    expect(second?.querySelector(".nba-stderr")?.textContent).toBe("49 %");
  });

  test("of long output beginning and end are shown, and all on demand", async () => {
    const { el } = page.view();
    const text = `first\n${"x".repeat(300_000)}\nlast`;
    const sample = new Sample().start().tool("c1");
    await page.tell(sample.add("tool_output_delta", { tool_call_id: "c1", stream: "log", text }));
    expect(el.querySelector(".nba-activity")?.textContent).toBe("last");
    rows(el)[0]?.click();
    await drawn();
    const printed = () => el.querySelector(".nba-log pre")?.textContent ?? "";
    expect(printed()).toMatch(/^first\nx+\n… 280,011 characters are not shown …\nx+\nlast$/);
    const all = el.querySelector<HTMLElement>(".nba-details .nba-link");
    expect(all?.textContent).toBe("Show all (300.0 kB)");
    all?.click();
    await drawn();
    expect(printed()).toBe(text);
  });

  test("what goes on to be printed is followed at its end, unless the reader has gone up", async () => {
    const { el } = page.view();
    const print = { tool_call_id: "c1", stream: "stdout", text: "line\n" } as const;
    const sample = new Sample().start().tool("c1").add("tool_output_delta", print);
    await page.tell(sample);
    rows(el)[0]?.click();
    await drawn();
    const pane = el.querySelector<HTMLElement>(".nba-pane.nba-stdout");
    if (!pane) throw new Error("there is no pane");
    Object.defineProperties(pane, { scrollHeight: { value: 500 }, clientHeight: { value: 100 } });
    await page.tell(sample.add("tool_output_delta", print), 3);
    expect(pane.scrollTop).toBe(500);
    pane.scrollTop = 20;
    pane.dispatchEvent(new Event("scroll"));
    await page.tell(sample.add("tool_output_delta", print), 4);
    expect(pane.scrollTop).toBe(20);
  });

  test("the name under which a result is kept is on the row, in its sentence and its details", async () => {
    const { el } = page.view();
    await page.tell(new Sample().start().tool("c1").ended("c1", { handle: "r1" }));
    const [row] = rows(el);
    expect(row?.querySelector(".nba-handle")?.textContent).toBe("r1");
    expect(row?.getAttribute("aria-label")).toContain(", r1, done");
    row?.click();
    await drawn();
    controlled(row)?.querySelector<HTMLElement>(".nba-foot .nba-fold-button")?.click();
    await drawn();
    expect(controlled(row)?.textContent).toContain("Kept asr1: later calls can take it");
  });

  test("a call that waits for a person says so, and is not hidden among many", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let number = 0; number < 20; number++)
      sample.tool(`c${number}`, { tool_name: `tool${number}` });
    const asked = { title: "Sure?", prompt: "Sure?", arguments: {} };
    for (const tool_call_id of ["c0", "c7"]) {
      sample.add("await_confirmation", { tool_call_id, ...asked, await_id: tool_call_id });
    }
    await page.tell(sample);
    expect(el.querySelectorAll(".nba-await")).toHaveLength(2);
    expect(rows(el)[0]?.querySelector(".nba-word")?.textContent).toBe("Waiting for you");
    expect(rows(el)[0]?.getAttribute("aria-label")).toContain("waiting for you");
    const more = el.querySelector(".nba-more")?.textContent;
    expect(more).toBe("… 8 more calls, 8 running");
  });

  test("a call that the provider makes itself looks like any other", async () => {
    const { el } = page.view();
    const searched = { tool_name: "web_search", arguments: { query: "Oslo" } };
    const ended = { tool_name: "web_search", content: "", preview: "3 results" };
    await page.tell(new Sample().start().tool("ws_1", searched).ended("ws_1", ended));
    expect(rows(el)[0]?.getAttribute("aria-label")).toBe(
      'web_search, query="Oslo", 3 results, done, 500 ms',
    );
  });

  test("a child run stands under its call, with its own calls further in, and is told by them when closed", async () => {
    const { el } = page.view();
    const below = { run_id: "run-2", parent_run_id: "run-1" };
    const sample = new Sample().start().tool("c1");
    const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "researcher" };
    sample.add("child_run_linked", child);
    const about = { model: "m", tools: [], ...ROOT };
    sample.add("run_start", { agent_name: "researcher", ...about, ...below });
    sample.tool("d1", { ...below, tool_name: "searchNotes" });
    await page.tell(sample);
    const [agent, call] = callRows(el);
    expect(agent?.querySelector(".nba-agent-name")?.textContent).toBe("researcher");
    expect(call?.getAttribute("aria-label")).toBe('searchNotes, city="Paris", running');
    expect(under(agent)).toContain(call?.closest("li"));
    expect(el.querySelector(".nba-activity")).toBeNull();
    agent?.click();
    await drawn();
    expect(rows(el)).toEqual([agent]);
    expect(el.querySelector(".nba-activity")?.textContent).toBe("searchNotes");
  });

  test("a child run that called nothing is told by what it gave", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1");
    const child = { tool_call_id: "c1", child_run_id: "run-2", child_agent_name: "French" };
    sample.add("child_run_linked", child);
    const about = { agent_name: "French", model: "m", tools: [], ...ROOT };
    sample.add("run_start", { ...about, run_id: "run-2", parent_run_id: "run-1" });
    await page.tell(sample.ended("c1", { content: "Bonjour" }));
    expect(rows(el)[0]?.querySelector(".nba-preview")?.textContent).toBe("Bonjour");
  });

  test("a long value scrolls in a pane of its own", async () => {
    const { el } = page.view();
    const given = { path: "a.txt", text: "line\n".repeat(400) };
    await page.tell(new Sample().start().tool("c1", { arguments: given }).ended("c1"));
    rows(el)[0]?.click();
    await drawn();
    const [path, text] = el.querySelectorAll(".nba-arguments dd");
    expect(path?.textContent).toBe("a.txt");
    expect(path?.querySelector(".nba-pane")).toBeNull();
    expect(text?.querySelector(".nba-pane")?.getAttribute("aria-label")).toBe("text");
  });

  test("of many calls the first and last are shown, and the rest on demand", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 30; at++) {
      sample.tool(`c${at}`, { tool_name: `tool${at % 2}` });
      sample.ended(`c${at}`, at === 10 ? { status: "failed" } : {});
    }
    await page.tell(sample);
    expect(rows(el), "what failed is not among the rest").toHaveLength(13);
    expect(rows(el)[5]?.dataset.call).toBe("run-1/c10");
    const more = el.querySelector<HTMLElement>(".nba-more button");
    expect(more?.textContent).toBe("… 18 more calls");
    const [first] = rows(el);
    more?.click();
    await drawn();
    expect(rows(el)).toHaveLength(30);
    expect(rows(el)[0], "what stood there stays").toBe(first);
    expect(document.activeElement).toBe(rows(el)[4]);
  });

  test.each([
    [1, 30],
    [3, 30],
    [1, 200],
  ])(
    "of %i tools and %i calls what came to nothing is in sight, and is said",
    async (tools, all) => {
      const { el } = page.view();
      const sample = new Sample().start();
      const bad: Record<number, CallStatus> = { 9: "failed", 15: "timed_out", 20: "denied" };
      for (let at = 0; at < all; at++) {
        sample.tool(`c${at}`, { tool_name: `tool${at % tools}` });
        sample.ended(`c${at}`, { status: bad[at] ?? "done" });
      }
      await page.tell(sample.said("Hm.").phase("completed"));
      const seen = rows(el).map(({ dataset }) => dataset.call);
      for (const at of Object.keys(bad)) expect(seen).toContain(`run-1/c${at}`);
      expect(rows(el).length).toBeLessThan(20);
      const words = `Done, 1 of ${all} calls failed, 1 timed out, 1 denied`;
      expect(el.querySelector(".nba-state")?.textContent).toBe(words);
      expect(el.querySelector(".nba-header")?.getAttribute("data-status")).toBe("partly");
      expect(el.querySelector(".nba-card")?.getAttribute("aria-label")).toContain(
        words.toLowerCase(),
      );
      await vi.advanceTimersByTimeAsync(1000);
      await drawn();
      expect(el.querySelector('[role="status"]')?.textContent).toContain(words);
    },
  );

  test("very many failures are all in sight, closed; few are open", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 90; at++) sample.tool(`c${at}`).ended(`c${at}`, { status: "failed" });
    await page.tell(sample.phase("completed"));
    await vi.advanceTimersByTimeAsync(2000);
    expect(rows(el).filter(({ dataset }) => dataset.call)).toHaveLength(90);
    expect(rows(el).filter((row) => row.getAttribute("aria-expanded") === "true")).toHaveLength(1);
    expect(el.querySelector(".nba-state")?.textContent).toBe("Failed: all 90 calls failed");
  });

  test("arrow keys move between rows and open and close them", async () => {
    const { el } = page.view();
    const other = { tool_name: "other" };
    await page.tell(
      new Sample().start().tool("c1").ended("c1").tool("c2", other).ended("c2", other),
    );
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
