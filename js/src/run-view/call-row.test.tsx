import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sample } from "../sample-events";
import { controlled, drawn, FAILURE, FakePage, rows } from "./fake-page";

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
