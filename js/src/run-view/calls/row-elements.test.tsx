import { type JSX, render } from "preact";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fold, Sample } from "../../sample-run";
import { entry } from "../../tree";
import { drawn, FakePage, rows as rowsIn } from "../fake-page";
import type { Row } from "../rows";
import { type Elements, useElements } from "./row-elements";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(async () => {
  await vi.advanceTimersByTimeAsync(5000);
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** So many rows, from one of them on. */
function listed(many: number, from = 0): Row[] {
  const run = entry(fold(new Sample().start().events).runs, "run-1");
  if (!run) throw new Error("the sample has no run");
  return Array.from({ length: many }, (_, at) => {
    return { type: "thinking", key: `row ${at + from}`, depth: 0, above: null, run };
  });
}

let made: string[] = [];
let given: Elements = { rows: [], leaving: [] };

function List({ rows, of }: { rows: Row[]; of: string }): JSX.Element {
  given = useElements(rows, of, (row) => {
    made.push(row.key);
    return <li key={row.key}>{row.key}</li>;
  });
  return <ul>{[...given.rows, ...given.leaving].map(([, item]) => item)}</ul>;
}

/** A place of its own for a list. */
function home(): HTMLElement {
  return document.body.appendChild(document.createElement("div"));
}

test("each row of a list is made once, however many turns the list takes", async () => {
  made = [];
  const rows = listed(300);
  const el = home();
  render(<List rows={rows} of="" />, el);
  await vi.advanceTimersByTimeAsync(5000);
  expect(el.querySelectorAll("li")).toHaveLength(300);
  expect(made).toEqual(rows.map(({ key }) => key));
});

test("what other words take away goes in turns, and what comes back meanwhile was never gone", async () => {
  const rows = listed(300);
  const el = home();
  render(<List rows={rows} of="" />, el);
  await vi.advanceTimersByTimeAsync(5000);
  const [tenth, last] = [el.querySelector("li:nth-child(10)"), el.querySelector("li:last-child")];
  render(<List rows={listed(2)} of="r" />, el);
  expect([given.rows.length, given.leaving.length]).toEqual([2, 298]);
  await vi.advanceTimersByTimeAsync(300);
  expect(given.leaving.length).toBeLessThan(298);
  expect(given.leaving.length).toBeGreaterThan(0);
  render(<List rows={rows.slice(0, 100)} of="" />, el);
  await vi.advanceTimersByTimeAsync(5000);
  expect([given.rows.length, given.leaving.length]).toEqual([100, 0]);
  expect([tenth?.isConnected, last?.isConnected]).toEqual([true, false]);
});

test("nobody goes to a row that leaves: neither by keys nor in the count of rows", async () => {
  const page = new FakePage();
  const { el } = page.view();
  const sample = new Sample().start();
  for (let n = 0; n < 150; n++)
    sample.tool(`c${n}`, { tool_name: n % 2 ? "rain" : "weather" }).ended(`c${n}`);
  await page.tell(sample.phase("completed"));
  el.querySelector<HTMLElement>(".nba-happened .nba-fold-button")?.click();
  await drawn();
  el.querySelector<HTMLElement>(".nba-more .nba-row")?.click();
  await vi.advanceTimersByTimeAsync(3000);
  expect(rowsIn(el)).toHaveLength(150);
  const box = el.querySelector<HTMLInputElement>(".nba-query");
  if (!box) throw new Error("no filter");
  box.value = "nothing has this";
  box.dispatchEvent(new InputEvent("input", { bubbles: true }));
  await vi.advanceTimersByTimeAsync(20);
  expect(el.querySelectorAll(".nba-list > li").length).toBeGreaterThan(100);
  expect(rowsIn(el)).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(3000);
  expect(el.querySelectorAll(".nba-list > li")).toHaveLength(0);
  page.close();
});
