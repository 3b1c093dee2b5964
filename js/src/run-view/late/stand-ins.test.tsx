import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Library } from "../../bridge";
import { Sample } from "../../sample-run";
import { drawn, FakePage } from "../fake-page";
import { act, confirmation } from "../fake-person";
import { lend } from "./kit";
import * as pane from "./pane";
import * as parts from "./parts";
import { arrive, fetchParts } from "./stand-ins";

const DIFF = { before: "one", after: "two", name: "poem" };

let page: FakePage;

beforeEach(() => {
  vi.useFakeTimers();
  arrive(null);
  page = new FakePage();
});

afterEach(() => {
  page.close();
  document.body.replaceChildren();
  vi.useRealTimers();
});

function shows(): Sample {
  const payload = { kind: "diff", version: 1, audience: "timeline", value: DIFF } as const;
  const sample = new Sample().start().tool("c1");
  return sample.add("tool_data", { tool_call_id: "c1", payload_id: "p1", payload }).ended("c1");
}

test("a part says that it is on its way, and is drawn when its module has come", async () => {
  let come: (library: Library) => void = () => {};
  page.load = () => new Promise((resolve) => (come = resolve));
  const { el } = page.view();
  await page.tell(shows());
  expect(el.querySelector(".nba-views")?.textContent).toBe("Loading…");
  come({ parts: () => parts });
  await drawn();
  expect(el.querySelector(".nba-diff ins")?.textContent).toBe("+two\n");
});

test("a part that cannot come says why, and comes with the next one that can", async () => {
  page.load = () => Promise.reject(new Error("the disk is gone"));
  const { el } = page.view();
  await page.tell(shows());
  expect(el.textContent).toContain("This part could not be loaded: the disk is gone");
  await fetchParts({ load: async () => ({ parts: () => parts }) });
  await drawn();
  expect(el.querySelector(".nba-diff")).not.toBeNull();
});

test("what arrives takes the focus over from what stood for it", async () => {
  let come: (library: Library) => void = () => {};
  page.load = () => new Promise((resolve) => (come = resolve));
  const { el } = page.view();
  await page.tell(confirmation(new Sample().start(), "c1"));
  await act(el, "await c1", "edit");
  expect(document.activeElement?.textContent).toBe("Loading…");
  come({ parts: () => parts });
  await drawn();
  expect(document.activeElement?.tagName).toMatch(/INPUT|TEXTAREA/);
});

test("a run without late parts asks for none; a question does at once", async () => {
  const asked: string[] = [];
  page.load = async (name) => {
    asked.push(name);
    return {};
  };
  page.view();
  const sample = new Sample().start();
  await page.tell(sample);
  expect(asked).toEqual([]);
  await page.tell(confirmation(sample, "c1"), 1);
  expect(asked).toContain("run-parts");
});

test.each([
  ["run-parts", parts],
  ["run-pane", pane],
])(
  "the built %s makes every part of what it is lent, and asks for nothing else",
  async (name, parts) => {
    const folder = "../../../../widgets/nbagents_widgets/static";
    const code = fs.readFileSync(path.join(import.meta.dirname, folder, `${name}.js`), "utf8");
    const url = `data:text/javascript;base64,${Buffer.from(code).toString("base64")}`;
    const library: Library = await import(/* @vite-ignore */ url);
    expect(Object.keys(library.parts?.(lend) ?? {}).sort()).toEqual(Object.keys(parts).sort());
    expect(() => lend("./nothing")).toThrow("The run view has no ./nothing.");
  },
);

test("of many that wait for the module each is drawn once", async () => {
  const come: ((library: Library) => void)[] = [];
  const load = () => new Promise<Library>((resolve) => come.push(resolve));
  let made = 0;
  const all = Array.from({ length: 9 }, () => fetchParts({ load }));
  for (const one of come) {
    one({
      parts: () => {
        made += 1;
        return { ...parts };
      },
    });
  }
  await Promise.all(all);
  expect(come).toHaveLength(9);
  expect(made).toBe(1);
});
