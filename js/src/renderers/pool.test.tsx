import { render } from "preact";
import { afterEach, expect, test } from "vitest";
import { poolFrom } from "./pool";
import { PoolView } from "./pool-view";

const API = {
  name: "sky__now",
  category: "Weather",
  tool: "Sky",
  api: "now",
  by: "search",
  round: 0,
};
const NEW = { ...API, name: "sea__tides", category: "Sea", by: "tool agent: Tides", round: 1 };
const POOL = { size: 4, seed: 1, round: 1, apis: [API, NEW], pruned: [] };

afterEach(() => document.body.replaceChildren());

function shown(value: unknown): HTMLElement {
  const pool = poolFrom(value);
  if (!pool) throw new Error("no pool");
  const el = document.createElement("div");
  document.body.append(el);
  render(<PoolView pool={pool} />, el);
  return el;
}

test("a pool is drawn by category; what agents put in this round is marked", () => {
  const el = shown(POOL);
  expect(el.textContent).toContain("2 of 4 APIs · round 1");
  expect([...el.querySelectorAll("dt")].map((one) => one.textContent)).toEqual([
    "Weather 1",
    "Sea 1",
  ]);
  const [old, added] = el.querySelectorAll<HTMLElement>(".nba-pool-api");
  expect(old?.dataset).toMatchObject({ by: "search", new: "false" });
  expect(added?.dataset).toMatchObject({ by: "agent", new: "true" });
  expect(added?.textContent).toBe("+new sea__tides");
});

test("what was taken out stands there with the reason, and nothing hides in it", () => {
  const el = shown({
    ...POOL,
    apis: [],
    pruned: [{ ...API, round: 1, why: "It \u202e<b>failed</b>." }],
  });
  expect(el.querySelector("s")?.textContent).toBe("sky__now");
  expect(el.textContent).toContain("taken out: It \\u202e<b>failed</b>.");
});

test("nothing is new before agents were asked", () => {
  const el = shown({ ...POOL, round: 0, apis: [API] });
  expect(el.querySelector("[data-new=true]")).toBeNull();
});

test("what does not fit is no pool", () => {
  for (const wrong of [
    null,
    [],
    {},
    { ...POOL, size: "4" },
    { ...POOL, apis: [null] },
    { ...POOL, pruned: {} },
  ])
    expect(poolFrom(wrong)).toBeNull();
});
