// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../../bridge";
import { mountSaved } from "..";
import "../late/parts-here";
import { fold, Sample } from "../../sample-run";
import { fakeNotebook } from "../fake-notebook";
import { drawn } from "../fake-page";

const written: string[] = [];
let end = new AbortController();

beforeEach(() => {
  vi.useFakeTimers();
  written.length = 0;
  const clipboard = { writeText: async (text: string) => void written.push(text) };
  vi.stubGlobal("navigator", { ...navigator, clipboard });
});

afterEach(() => {
  end.abort(); // a view that stands would have its say in other tests
  end = new AbortController();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function opened(own: Partial<Door>): Promise<HTMLElement> {
  const el = document.createElement("div");
  document.body.append(el);
  const door: Door = {
    isLive: false,
    load: () => Promise.reject(new Error("no module")),
    emit() {},
    ask: () => Promise.reject(new Error("no kernel")),
    stop() {},
    resolve: () => Promise.reject(new Error("no kernel")),
    ...own,
  };
  const sample = new Sample().start().add("user_message", { text: "How warm?", shared: [] });
  sample.tool("c1").ended("c1");
  sample.add("workflow", { phase: "completed", step: 1, failure: null });
  mountSaved(el, end.signal, fold(sample.events), door);
  await drawn();
  el.querySelector<HTMLElement>('[aria-label="Copy and save"]')?.click();
  await drawn();
  return el;
}

const named = (el: Element, words: string) =>
  [...el.querySelectorAll<HTMLElement>(".nba-copies button")].find(
    ({ textContent }) => textContent === words,
  );

async function press(el: Element, words: string): Promise<void> {
  named(el, words)?.click();
  await drawn();
}

test("a kernel writes the copies, and each button names its Python twin", async () => {
  const ask = vi.fn(async (_kind: string, question: unknown) => `by ${JSON.stringify(question)}`);
  const el = await opened({ canAsk: () => true, ask, notebook: fakeNotebook() });
  await press(el, "Copy as Markdown");
  await press(el, "Copy as Python");
  await press(el, "Copy link");
  expect(written).toEqual([
    'by {"form":"markdown"}',
    'by {"form":"python"}',
    "https://lab.example/lab/tree/a.ipynb#nbagents=run-1",
  ]);
  const titles = [...el.querySelectorAll(".nba-copies button")].map(
    (one) => one.ariaLabel ?? one.getAttribute("title"),
  );
  expect(titles.join(" ")).toMatch(/to_markdown\(\).*to_python\(\).*to_html\(\)/);
});

test("the calls become cells below, which the kernel writes", async () => {
  const ask = vi.fn(async () => ["# The calls", 'find(city="Oslo")']);
  const done: string[] = [];
  const el = await opened({ canAsk: () => true, ask, notebook: fakeNotebook({}, done) });
  await press(el, "Make cells of the calls");
  expect(ask).toHaveBeenCalledWith("run:cells", {});
  expect(done).toEqual(["# The calls", 'find(city="Oslo")']);
  expect(named(el, "2 cells are below")).toBeDefined();
});

test("without a kernel it is what the notebook holds, and that is said", async () => {
  const el = await opened({ frozen: { html: "<p>kept</p>", text: "guide: ```done```" } });
  await press(el, "Copy as Markdown");
  expect(written).toEqual(["````text\nguide: ```done```\n````\n"]);
  expect(named(el, "Copy as Python")).toBeUndefined();
  expect(named(el, "Copy link")).toBeUndefined();
  expect(named(el, "Make cells of the calls")).toBeUndefined();
  expect(el.textContent).toContain("As the notebook holds it");
});

test("one file is saved under the run's name", async () => {
  const files: Blob[] = [];
  vi.stubGlobal(
    "URL",
    Object.assign(URL, {
      createObjectURL: (file: Blob) => {
        files.push(file);
        return "blob:one";
      },
      revokeObjectURL: () => {},
    }),
  );
  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const el = await opened({ frozen: { html: "<p>kept</p>", text: "" } });
  await press(el, "Save as HTML");
  expect(names).toEqual(["run-1.html"]);
  const page = await files[0]?.text();
  expect(page).toContain("<p>kept</p>");
  expect(page).toContain("default-src 'none'");
});

test("what a kernel cannot answer is said on the button", async () => {
  const el = await opened({
    canAsk: () => true,
    ask: () => Promise.reject(new Error("It is gone.")),
  });
  await press(el, "Copy as Python");
  expect(named(el, "It is gone.")).toBeDefined();
  expect(written).toEqual([]);
});
