import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Sample } from "../../sample-run";
import { drawn, FAILURE, FakePage, rows, under } from "../fake-page";

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
});

describe("a group", () => {
  test("is one closed row that says how many and about what, and opens to the rows", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (const city of ["Paris", "Oslo", "Rome"]) sample.tool(city, { arguments: { city } });
    for (const city of ["Paris", "Oslo", "Rome"]) sample.ended(city);
    await page.tell(sample.said("Cold.").phase("completed"));
    const [group] = rows(el);
    expect(rows(el)).toHaveLength(1);
    expect(group?.textContent).toContain("weather ×3 Paris, Oslo, Rome");
    expect(group?.getAttribute("aria-label")).toBe("weather ×3, Paris, Oslo, Rome, done, 1.5 s");
    group?.click();
    await drawn();
    expect(under(group).flatMap(rows)).toHaveLength(3);
  });

  test("is open while one of its calls runs, waits or has failed, and closes under nobody's eyes", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").tool("c2").ended("c1").ended("c2");
    await page.tell(sample);
    expect(rows(el)[0]?.getAttribute("aria-expanded")).toBe("true");
    await page.tell(sample.said("Done."), 5);
    expect(rows(el)).toHaveLength(3);
    await page.tell(sample.phase("completed"), 6);
    expect(rows(el)).toHaveLength(3);
    const failed = { status: "failed", content: "No", failure: FAILURE } as const;
    const more = page.view();
    await page.tell(sample.tool("c3").ended("c3", failed), 7);
    expect(more.el.querySelector(".nba-failure-message")?.textContent).toBe(FAILURE.message);
  });

  test("of more than five shows its ends, and what the button hides in words", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    for (let at = 0; at < 9; at++) sample.tool(`c${at}`).ended(`c${at}`);
    await page.tell(sample);
    expect(rows(el)).toHaveLength(1 + 2 + 1 + 2);
    const more = el.querySelector<HTMLElement>(".nba-more button");
    expect(more?.textContent).toBe("… 5 more calls");
    more?.click();
    await drawn();
    expect(rows(el)).toHaveLength(10);
  });

  test("stays open where somebody opened a row in it", async () => {
    const { el } = page.view();
    const sample = new Sample().start().tool("c1").tool("c2").ended("c1").ended("c2");
    await page.tell(sample);
    rows(el)[1]?.click();
    await page.tell(sample.said("Done.").phase("completed"), 5);
    expect(rows(el)).toHaveLength(3);
  });

  test("says how many of its calls nobody was asked about, and leaves them in sight", async () => {
    const { el } = page.view();
    const sample = new Sample().start();
    const verdict = { approved: true, approved_by: "you, earlier", summary: "allowed" };
    const about = { ...verdict, note: null, edited: false, arguments: null, remembered: false };
    for (const id of ["c1", "c2", "c3"]) {
      const under_grant = id !== "c1";
      sample.tool(id).add("tool_authorization", { ...about, tool_call_id: id, under_grant });
    }
    for (const id of ["c1", "c2", "c3"]) sample.ended(id);
    await page.tell(sample.said("Done.").phase("completed"));
    const keys = rows(el).map(({ dataset }) => dataset.call);
    expect(keys).toEqual([undefined, "run-1/c2", "run-1/c3"]);
    expect(rows(el)[0]?.querySelector(".nba-inside")?.textContent).toBe("2 not asked");
    expect(rows(el)[0]?.getAttribute("aria-label")).toContain(", 2 not asked, ");
  });
});
