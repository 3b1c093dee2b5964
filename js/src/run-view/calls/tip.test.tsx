import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FakePage } from "../fake-page";

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  page = new FakePage();
});

afterEach(() => {
  page.close();
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** A call that somebody thought about for long, and another one. */
function asked(): Sample {
  const asks = { await_id: "a", title: "Sure?", prompt: "Sure?", arguments: {} };
  const sample = new Sample()
    .start()
    .tool("c1")
    .add("await_confirmation", { tool_call_id: "c1", ...asks });
  for (let n = 0; n < 40; n++) sample.add("thought", { step: 1, text: "…" });
  const said = { await_id: "a", outcome: "answered", answer: null, answered_by: "you" } as const;
  sample.add("await_resolved", said).ended("c1", { duration_ms: 22_000 }).tool("c2").ended("c2");
  return sample.phase("completed");
}

test("what a bar says in words leaves the waiting for people out where the bars do", async () => {
  const { el } = page.view();
  await page.tell(asked());
  const tip = async () => {
    el.querySelector(".nba-fall")?.dispatchEvent(new Event("pointerover", { bubbles: true }));
    await drawn();
    return el.querySelector(".nba-tip")?.textContent;
  };
  expect(await tip()).toContain("for you 20");
  el.querySelector<HTMLElement>(".nba-leave-out")?.click();
  await drawn();
  expect(await tip()).toMatch(/^Running [\d.]+ s; from/);
});
