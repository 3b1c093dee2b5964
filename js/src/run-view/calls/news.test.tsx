import { options } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FakePage, rows } from "../fake-page";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(async () => {
  page.close();
  await vi.advanceTimersByTimeAsync(500);
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** How many components are drawn in the meantime: preact calls this hook before each. */
async function drawnBy(work: () => Promise<void>): Promise<number> {
  const hooks = options as { __r?: (node: unknown) => void };
  const before = hooks.__r;
  let many = 0;
  hooks.__r = (node) => {
    many += 1;
    before?.(node);
  };
  await work();
  if (before) hooks.__r = before;
  return many;
}

/** A run in which so many calls of two tools have ended and one goes on, all of them in sight. */
async function running(many: number): Promise<{ el: HTMLElement; sample: Sample }> {
  const { el } = page.view();
  const sample = new Sample().start();
  for (let n = 0; n < many; n++)
    sample.tool(`c${n}`, { tool_name: n % 2 ? "rain" : "weather" }).ended(`c${n}`);
  await page.tell(sample.tool("last", { tool_name: "snow" }));
  el.querySelector<HTMLElement>(".nba-more .nba-row")?.click();
  await vi.advanceTimersByTimeAsync(2000);
  expect(rows(el)).toHaveLength(many + 1);
  return { el, sample };
}

test("news of one call draws the rows of the others no more, however many they are", async () => {
  const counts: number[][] = [];
  for (const many of [20, 80]) {
    const { el, sample } = await running(many);
    const from = sample.events.length;
    sample.add("tool_update", { tool_call_id: "last", message: "half of it" });
    const told = await drawnBy(() => page.tell(sample, from));
    expect(el.textContent).toContain("half of it");
    sample.add("prompt_rendered", { step: 2, message_count: 0, messages: [], schemas: [] });
    const asked = await drawnBy(() => page.tell(sample, from + 1));
    const ended = await drawnBy(() => page.tell(sample.ended("last"), from + 2));
    const over = rows(el).at(-1);
    expect(over?.dataset.status).toBe("done");
    el.querySelector(".nba-fall")?.dispatchEvent(new Event("pointerover", { bubbles: true }));
    const pointed = await drawnBy(drawn);
    expect(el.querySelector(".nba-tip")?.textContent).toContain("Running");
    counts.push([told, asked, ended, pointed]);
    page.close();
    document.body.replaceChildren();
    page = new FakePage();
  }
  expect(counts[1]).toEqual(counts[0]);
});
