import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakePage } from "../run-view/fake-page";
import { Sample } from "../sample-run";
import type { Citation } from "../tree";
import { sourcesOf } from "./sources";

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

function citation(given: Partial<Citation>): Citation {
  return { url: null, title: null, file_id: null, start: null, end: null, ...given };
}

test("each source is named once, by the first title it was given", () => {
  const sources = sourcesOf([
    citation({ url: "https://a.org/x", start: 0 }),
    citation({ url: "https://b.org/" }),
    citation({ url: "https://a.org/x", title: "A page", start: 9 }),
    citation({ file_id: "file-1", title: "notes.pdf" }),
    citation({ file_id: "file-2" }),
    citation({}),
  ]);
  expect(sources).toEqual([
    { title: "A page", href: "https://a.org/x", host: "a.org" },
    { title: "https://b.org/", href: "https://b.org/", host: "b.org" },
    { title: "notes.pdf", href: null, host: "" },
    { title: "file-2", href: null, host: "" },
  ]);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<b>",
  "file:///etc/passwd",
  "/here",
  "no address",
])("%s leads nowhere", (url) => {
  expect(sourcesOf([citation({ url, title: "T" })])).toEqual([
    { title: "T", href: null, host: "" },
  ]);
});

test("they stand numbered below the answer, and open beside the notebook", async () => {
  const { el } = page.view();
  const citations = [
    citation({ url: "https://a.org/x", title: "<b>A page</b>" }),
    citation({ url: "javascript:alert(1)", title: "Bad" }),
  ];
  const sample = new Sample().start();
  sample.add("assistant_turn", { step: 1, text: "So.", calls: [], citations, refused: false });
  await page.tell(sample);
  expect(el.querySelector(".nba-came")?.lastElementChild?.className).toBe("nba-sources");
  const items = [...el.querySelectorAll(".nba-sources ol > li")];
  expect(items.map((item) => item.textContent)).toEqual(["<b>A page</b> a.org", "Bad"]);
  const links = el.querySelectorAll(".nba-sources a");
  expect(links).toHaveLength(1);
  expect(links[0]?.getAttribute("href")).toBe("https://a.org/x");
  expect(links[0]?.getAttribute("target")).toBe("_blank");
  expect(links[0]?.getAttribute("rel")).toBe("noopener noreferrer");
  expect(links[0]?.getAttribute("title")).toBe("https://a.org/x");
});

test("an answer without any has no list, and neither has a run without an answer", async () => {
  const { el } = page.view();
  const citations = [citation({ url: "https://a.org/x" })];
  const sample = new Sample().start();
  sample.add("assistant_turn", { step: 1, text: "Hm.", calls: [], citations, refused: false });
  sample.tool("c1");
  await page.tell(sample);
  expect(el.querySelector(".nba-sources")).toBeNull();
  await page.tell(sample.ended("c1").said("So.", 2), 3);
  expect(el.querySelector(".nba-answer")?.textContent?.trim()).toBe("So.");
  expect(el.querySelector(".nba-sources")).toBeNull();
});
