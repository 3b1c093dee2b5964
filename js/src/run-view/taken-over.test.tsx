import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Door } from "../bridge";
import { giveFocus, keepFocus } from "../page";
import { fold, Sample } from "../sample-run";
import { mountSaved } from ".";
import { drawn } from "./fake-page";

const DOOR: Door = {
  isLive: false,
  load: () => Promise.reject(new Error("no module")),
  emit() {},
  ask: () => Promise.reject(new Error("no kernel")),
  stop() {},
  resolve: () => Promise.reject(new Error("no kernel")),
};

let outputs: HTMLElement;
let output: HTMLElement;
let end: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  Element.prototype.scrollIntoView = vi.fn();
  output = document.createElement("div");
  output.className = "nba-output";
  output.tabIndex = -1;
  outputs = document.createElement("div");
  outputs.className = "jp-OutputArea";
  outputs.append(output);
  document.body.replaceChildren(outputs);
  end = new AbortController();
});

afterEach(() => {
  end.abort();
  vi.useRealTimers();
});

/** A view of a run of three calls in the output; what stood there goes after it. */
async function shown(): Promise<HTMLElement> {
  const before = end;
  end = new AbortController();
  const box = output.appendChild(document.createElement("div"));
  const sample = new Sample().start();
  for (const id of ["c1", "c2", "c3"]) sample.tool(id).ended(id);
  mountSaved(box, end.signal, fold(sample.phase("completed").events), DOOR);
  keepFocus(output, output);
  before.abort();
  giveFocus(output);
  await drawn();
  await vi.advanceTimersByTimeAsync(2000);
  return box;
}

const root = (el: HTMLElement) => el.querySelector(".nba-run");
const button = (el: HTMLElement, name: string) =>
  el.querySelector<HTMLElement>(`button[aria-label="${name}"]`);
const leaf = (el: HTMLElement) => el.querySelector('[role="treeitem"][aria-selected="true"]');

test("who looks at a run over the whole screen goes on with it when another view takes its place", async () => {
  const live = await shown();
  button(live, "Full screen")?.click();
  await drawn();
  live.querySelector<HTMLElement>('[data-key="run-1/c2"]')?.click();
  await drawn();
  [...live.querySelectorAll<HTMLElement>('[role="tab"]')]
    .find((one) => one.textContent === "Timing")
    ?.click();
  live.querySelector<HTMLElement>('[data-key="run-1/c2"]')?.focus();
  await drawn();
  const saved = await shown();
  expect(live.children).toHaveLength(0);
  expect(root(saved)?.getAttribute("data-full")).toBe("true");
  expect(leaf(saved)?.getAttribute("data-key")).toBe("run-1/c2");
  expect(document.activeElement).toBe(leaf(saved));
  expect(saved.querySelector('[role="tab"][aria-selected="true"]')?.textContent).toBe("Timing");
  button(saved, "Leave full screen")?.click();
  await drawn();
  expect(root(saved)?.getAttribute("data-full")).toBeNull();
  expect(document.activeElement).toBe(button(saved, "Full screen"));
  expect(outputs.classList.contains("nba-overlay")).toBe(false);
  expect(root(await shown())?.getAttribute("data-full")).toBeNull();
});

test("panes in the cell stay, and take no focus from who is elsewhere", async () => {
  const live = await shown();
  button(live, "Side by side")?.click();
  await drawn();
  const other = document.body.appendChild(document.createElement("button"));
  other.focus();
  const saved = await shown();
  expect(saved.querySelector(".nba-panes")).not.toBeNull();
  expect(document.activeElement).toBe(other);
});
