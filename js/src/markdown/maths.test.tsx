import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { hostOfPage } from "../bridge";
import { prose } from ".";
import { isTame } from "./maths";

interface Fixture {
  found: { text: string; tex: string[] }[];
  active: string[];
  tame: string[];
}

const FIXTURE = path.join(import.meta.dirname, "../../../tests/fixtures/maths.json");
const { found, active, tame } = JSON.parse(fs.readFileSync(FIXTURE, "utf8")) as Fixture;

function shown(text: string): HTMLElement {
  const el = document.createElement("div");
  document.body.append(el);
  prose(el, text, { isGrowing: false, colours: null, wantColours: () => {} });
  return el;
}

const formulas = (el: Element) =>
  [...el.querySelectorAll("[data-tex]")].map((one) => one.getAttribute("data-tex"));

afterEach(() => {
  Reflect.deleteProperty(hostOfPage(), "typeset");
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test.each(found)("of $text the formulas are found", ({ text, tex }) => {
  expect(formulas(shown(text))).toEqual(tex);
});

test("without a typesetter a formula is its source, as code", () => {
  const el = shown("so $x^2$");
  expect(el.querySelector(".nba-math > code")?.textContent).toBe("x^2");
  expect(el.querySelector(".nba-math")?.getAttribute("aria-label")).toBe("x^2");
});

test("the page's typesetter gets each formula alone, and no money", async () => {
  const given: string[] = [];
  hostOfPage().typeset = (el) => {
    given.push(el.textContent ?? "");
    el.replaceChildren(document.createElement("mjx-container"));
  };
  const el = shown("$5 and $6, but $x$\n\n$$y$$");
  await vi.waitFor(() => expect(el.querySelectorAll("mjx-container")).toHaveLength(2));
  expect(given).toEqual(["\\(x\\)", "\\[y\\]"]);
  expect(el.querySelector(".nba-math code")).toBeNull();
});

test("what a typesetter cannot read, or fails at, stays source", async () => {
  for (const typeset of [
    (el: HTMLElement) => el.replaceChildren(document.createElement("mjx-merror")),
    () => Promise.reject(new Error("gone")),
    () => {},
  ]) {
    hostOfPage().typeset = typeset;
    const el = shown("$\\frac{$");
    await vi.waitFor(() => expect(el.querySelector(".nba-math")?.children).toHaveLength(1));
    expect(el.querySelector(".nba-math code")?.textContent).toBe("\\frac{");
  }
});

test("KaTeX and MathJax of the page are used where there is no JupyterLab", async () => {
  const render = vi.fn((_tex: string, el: HTMLElement) => el.replaceChildren(new Image()));
  vi.stubGlobal("katex", { render });
  const el = shown("$x$");
  await vi.waitFor(() => expect(el.querySelector("img")).not.toBeNull());
  expect(render.mock.calls[0]).toMatchObject(["x", {}, { displayMode: false, trust: false }]);
  vi.stubGlobal("katex", undefined);
  vi.stubGlobal("MathJax", {
    typesetPromise: async ([one]: HTMLElement[]) => one?.replaceChildren(new Image()),
  });
  const other = shown("$$x$$");
  await vi.waitFor(() => expect(other.querySelector("img")).not.toBeNull());
});

test.each(active)("%s acts on a page: it is shown as it was written", async (tex) => {
  const typeset = vi.fn();
  hostOfPage().typeset = typeset;
  const el = shown(`$${tex}$`);
  expect(isTame(tex)).toBe(false);
  expect(el.querySelector(".nba-math code")?.textContent).toBe(tex);
  expect(el.querySelector("[role=math]")).toBeNull();
  expect(typeset).not.toHaveBeenCalled();
});

test.each(tame)("%s is a formula", (tex) => {
  expect(isTame(tex)).toBe(true);
});
