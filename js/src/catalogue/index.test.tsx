import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { JsonValue } from "../tree";
import { render } from ".";
import { Search } from "./search";
import { type Shown, shownFrom } from "./shown";

const HIT = {
  kind: "hit",
  name: "t__one",
  category: "C",
  tool: "T",
  summary: "First",
  score: 4.25,
  why: { name: ["one"], description: ["one", "first"] },
};
const DETAIL = {
  name: "t__one",
  category: "C",
  tool: "T",
  api: "one",
  description: "The first.",
  source: "",
  method: "GET",
  parameters: [{ name: "q", type: "text", need: "required", description: "" }],
  schema: '{"type": "object"}',
  call: 'await apis.t__one(q="…")',
};
const SIZE = { apis: 2, tools: 1, categories: 1 };
const FOUND = { size: SIZE, query: "first", rows: [HIT], total: 1, next: null, hint: "" };

let el: HTMLElement;
let end: AbortController;

beforeEach(() => {
  end = new AbortController();
  el = document.createElement("div");
  document.body.append(el);
});

afterEach(() => {
  end.abort();
  document.body.replaceChildren();
  vi.useRealTimers();
});

function draw(value: JsonValue) {
  const ask = () => Promise.reject(new Error("no kernel"));
  return render({ el, value, ask, emit: () => {}, theme: "light", signal: end.signal });
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

function shown(value: unknown): Shown {
  const found = shownFrom(value);
  if (!found) throw new Error("not shown");
  return found;
}

/** Asks that are answered when the test says so. */
class Kernel {
  readonly asked: {
    question: JsonValue;
    answer(value: JsonValue): void;
    fail(why: Error): void;
  }[] = [];
  readonly ask = (question: JsonValue) =>
    new Promise<JsonValue>((resolve, reject) => {
      this.asked.push({ question, answer: resolve, fail: reject });
    });
}

describe("a saved catalogue", () => {
  test("shows its hits, why they are there, and those that were kept to open", async () => {
    draw({ ...FOUND, details: { t__one: DETAIL } });
    expect(el.textContent).toContain("“first”");
    expect(el.querySelector(".nba-cat-words")?.textContent).toBe(
      "one: name, descriptionfirst: description",
    );
    expect(el.querySelector("input")).toBeNull();
    el.querySelector<HTMLElement>(".nba-cat-open")?.click();
    await settled();
    expect(el.textContent).toContain('await apis.t__one(q="…")');
    expect(el.querySelector(".nba-cat-open")?.getAttribute("aria-expanded")).toBe("true");
  });

  test("offers nothing to open of which nothing was kept", () => {
    draw(FOUND);
    expect(el.querySelector("button")).toBeNull();
    expect(el.textContent).toContain("t__one");
  });

  test("that is none says so", () => {
    for (const wrong of [null, 1, "rows", {}, { rows: 1 }]) {
      draw(wrong);
      expect(el.lastChild?.textContent).toBe("This is no catalogue: it has no rows.");
    }
  });

  test("leaves out rows that are none, and what hides in texts is written out", () => {
    const bad = { ...HIT, summary: "a\u202eb", name: "x\u200by" };
    draw({ ...FOUND, rows: [null, { kind: "evil", name: "n" }, { kind: "hit" }, bad] });
    expect(el.querySelectorAll(".nba-cat-row")).toHaveLength(1);
    expect(el.textContent).toContain("a\\u202eb");
    expect(el.textContent).toContain("x\\u200by");
  });
});

describe("a search", () => {
  test("asks when there was a pause, and shows only what was asked for last", async () => {
    vi.useFakeTimers();
    const kernel = new Kernel();
    const search = new Search(shown(FOUND), kernel.ask);
    search.type("we");
    search.type("weather");
    expect(kernel.asked).toEqual([]);
    vi.runAllTimers();
    expect(kernel.asked.map(({ question }) => question)).toEqual([
      { query: "weather", category: "", tool: "", limit: 10 },
    ]);
    void search.go({ query: "tides", category: "Sea", tool: "" });
    kernel.asked[1]?.answer({ rows: [], total: 0, query: "tides", category: "Sea" });
    kernel.asked[0]?.answer({ rows: [HIT], total: 1, query: "weather" });
    await vi.runAllTimersAsync();
    expect(search.shown.value.query).toBe("tides");
    expect(search.shown.value.size).toEqual(SIZE);
    expect(search.isBusy.value).toBe(false);
  });

  test("that fails says why, and keeps what was there", async () => {
    const kernel = new Kernel();
    const search = new Search(shown(FOUND), kernel.ask);
    const asked = search.now();
    kernel.asked[0]?.fail(new Error("The catalogue is gone."));
    await asked;
    expect(search.problem.value).toBe("The catalogue is gone.");
    expect(search.shown.value.rows).toHaveLength(1);
    expect(search.isBusy.value).toBe(false);
  });

  test("asks for an API once, when it is first opened", async () => {
    const kernel = new Kernel();
    const search = new Search(shown(FOUND), kernel.ask);
    const opened = search.toggle("t__one");
    kernel.asked[0]?.answer(DETAIL);
    await opened;
    await search.toggle("t__one");
    expect(search.open.value.size).toBe(0);
    await search.toggle("t__one");
    expect(search.details.value.get("t__one")?.about).toBe("one · GET");
    expect(kernel.asked.map(({ question }) => question)).toEqual([{ describe: "t__one" }]);
  });

  test("goes on with a list behind its end", async () => {
    const kernel = new Kernel();
    const list = {
      size: SIZE,
      query: "",
      category: "C",
      rows: [{ kind: "tool", name: "A" }],
      total: 2,
      next: 1,
    };
    const search = new Search(shown(list), kernel.ask);
    expect(search.canMore).toBe(true);
    const more = search.more();
    expect(kernel.asked[0]?.question).toEqual({ query: "", category: "C", tool: "", start: 1 });
    kernel.asked[0]?.answer({ ...list, rows: [{ kind: "tool", name: "B" }], next: null });
    await more;
    expect(search.shown.value.rows.map(({ name }) => name)).toEqual(["A", "B"]);
    expect(search.canMore).toBe(false);
  });
});
