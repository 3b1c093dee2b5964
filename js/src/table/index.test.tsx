import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { MessageListener, WidgetModel } from "../bridge";
import type { JsonValue } from "../tree";
import { mount, render } from ".";

const LONG = `${"x".repeat(299)}…`;
const ROWS = Array.from({ length: 120 }, (_, n) => [n, n === 0 ? LONG : `name ${n % 7}`]);
const TABLE = { columns: ["n", "name"], dtypes: ["int64", "str"], rows: ROWS, total: 120 };

let end: AbortController;
let el: HTMLElement;

beforeEach(() => {
  end = new AbortController();
  el = document.createElement("div");
  document.body.append(el);
});

afterEach(() => {
  end.abort();
  document.body.replaceChildren();
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5));
}

function draw(
  value: JsonValue,
  ask = (_: JsonValue): Promise<JsonValue> => Promise.reject(),
  id = "",
) {
  const { signal } = end;
  return render({ el, value, id, ask, emit: () => {}, theme: "light", signal });
}

function head(name: string): HTMLElement {
  const heads = [...el.querySelectorAll<HTMLElement>("thead th")];
  const found = heads.find((one) => one.textContent?.includes(name));
  if (!found) throw new Error(`no column ${name}`);
  return found;
}

function cells(place = 0): (string | null)[] {
  return [...el.querySelectorAll("tbody tr")].map((row) => row.children[place]?.textContent ?? "");
}

function labelled(label: string): HTMLElement {
  const found = el.querySelector<HTMLElement>(`[aria-label="${label}"]`);
  if (!found) throw new Error(`nothing is called ${label}`);
  return found;
}

function status(): string | null | undefined {
  return el.querySelector(".nba-grid-pager [role=status]")?.textContent;
}

describe("a table on a page", () => {
  test("is one, its heads buttons that say the order", async () => {
    draw(TABLE);
    const by = head("n");
    expect([by.getAttribute("aria-sort"), by.getAttribute("data-numeric")]).toEqual([
      "none",
      "true",
    ]);
    expect(by.querySelector("button")?.title).toBe("n · int64 · Sort");
    by.querySelector("button")?.click();
    await settled();
    expect(head("n").getAttribute("aria-sort")).toBe("ascending");
    head("n").querySelector("button")?.click();
    await settled();
    expect(head("n").getAttribute("aria-sort")).toBe("descending");
    expect(cells()[0]).toBe("119");
    const grid = labelled("Table, 120 rows × 2 columns");
    expect([grid.getAttribute("role"), grid.getAttribute("aria-rowcount")]).toEqual([
      "grid",
      "121",
    ]);
  });

  test("is turned by buttons, or by the number of a row", async () => {
    draw(TABLE);
    expect(status()).toBe("Rows 1–50 of 120");
    labelled("Rows before").click();
    labelled("Rows after").click();
    await settled();
    expect(status()).toBe("Rows 51–100 of 120");
    labelled("Last rows").click();
    await settled();
    expect(labelled("Rows after").getAttribute("aria-disabled")).toBe("true");
    expect(cells()).toHaveLength(20);
    const field = el.querySelector<HTMLInputElement>("input[type=number]");
    if (field) field.value = "1";
    field?.dispatchEvent(new Event("change"));
    await settled();
    expect(cells()[0]).toBe("0");
    expect(el.querySelector("tbody tr")?.getAttribute("aria-rowindex")).toBe("2");
  });

  test("of a saved run says how many of how many there are", () => {
    draw({ ...TABLE, total: 100_000 });
    expect(el.textContent).toContain("120 of 100,000 rows × 2 columns");
    expect(el.textContent).toContain("These 120 rows are what was saved");
  });

  test("that is only a part never sorts as if it were all", async () => {
    draw({ ...TABLE, total: 100_000 });
    const part = "these 120 of 100,000 rows alone";
    expect(head("n").querySelector("button")?.title).toContain(`Sort ${part}`);
    head("n").querySelector("button")?.click();
    await settled();
    expect(el.querySelector(".nba-grid-foot strong")?.textContent).toBe(`Sorted: ${part}`);
  });

  test("that is whole says nothing of parts when it is sorted", async () => {
    draw(TABLE);
    head("n").querySelector("button")?.click();
    await settled();
    expect(el.querySelector(".nba-grid-foot strong")).toBeNull();
  });

  test("shows what is missing as such, and text as text", () => {
    draw({ columns: ["a"], rows: [[null], ["<b>x</b>"], [""]] });
    expect(el.querySelector(".nba-grid-missing")?.getAttribute("title")).toBe("Missing");
    expect(el.querySelector("tbody b")).toBeNull();
    expect(cells()).toEqual(["–", "<b>x</b>", ""]);
  });

  test("unfolds long texts on demand, and fetches what was cut", async () => {
    const asked: JsonValue[] = [];
    draw({ ...TABLE, source: "s" }, async (question) => {
      asked.push(question);
      return { text: "the whole text", length: 14 };
    });
    const wrap = [...el.querySelectorAll("button")].find((one) => one.textContent === "Long texts");
    wrap?.click();
    await settled();
    expect(el.querySelector("table")?.getAttribute("data-wrapped")).toBe("true");
    labelled("Whole text").click();
    await settled();
    const cell = { row: 0, column: 1, start: 0 };
    expect(asked).toEqual([{ source: "s", cell, sort: null }]);
    expect(el.querySelector(".nba-grid-whole")?.textContent).toBe("the whole text");
  });

  test("says what the kernel could not give", async () => {
    draw({ ...TABLE, total: 500, source: "s" }, () => Promise.reject(new Error("Run it again.")));
    labelled("Rows after").click();
    await settled();
    expect(el.querySelector("[role=alert]")?.textContent).toBe("Run it again.");
    labelled("Whole text").click();
    await settled();
    expect(el.querySelector(".nba-grid-detail")?.textContent).toContain("Run it again.");
  });

  test("that is none says so, and may become one", async () => {
    const shown = draw("nothing");
    expect(el.textContent).toBe("This is no table: it has no rows.");
    shown.update(TABLE);
    await settled();
    expect(cells()).toHaveLength(50);
  });
});

/** A model with traits, whose kernel answers what it is asked. */
class TableModel implements WidgetModel {
  readonly traits: Record<string, unknown> = { table: TABLE, title: "Cities" };
  readonly sent: unknown[] = [];
  readonly heard = new Map<string, Set<MessageListener>>();

  send(content: unknown): void {
    this.sent.push(content);
  }
  on(name: string, heard: MessageListener): void {
    this.heard.set(name, (this.heard.get(name) ?? new Set()).add(heard));
  }
  off(name: string, heard: MessageListener): void {
    this.heard.get(name)?.delete(heard);
  }
  get(name: string): unknown {
    return this.traits[name];
  }
  set(name: string, value: unknown): void {
    this.traits[name] = value;
    for (const heard of this.heard.get(`change:${name}`) ?? []) heard(value, []);
  }
  save_changes(): void {}
  tell(content: unknown): void {
    for (const heard of this.heard.get("msg:custom") ?? []) heard(content, []);
  }
  get listeners(): number {
    return [...this.heard.values()].reduce((sum, all) => sum + all.size, 0);
  }
}

describe("a TableView", () => {
  test("asks its kernel, follows its traits, and leaves nothing behind", async () => {
    const model = new TableModel();
    model.traits.table = { ...TABLE, rows: ROWS.slice(0, 50), source: "1" };
    mount(model, el, end.signal);
    expect(labelled("Cities, 120 rows × 2 columns")).toBeTruthy();
    labelled("Rows after").click();
    await settled();
    const [question] = model.sent as { id: number; type: string; kind: string }[];
    expect(question).toMatchObject({ type: "ask", kind: "table" });
    model.tell({ type: "answer", id: -1, value: { rows: [] } });
    model.tell({ type: "answer", id: question?.id, value: { rows: [[50, "fifty"]] } });
    await settled();
    expect(cells(1)).toEqual(["fifty"]);
    model.set("table", { columns: ["z"], rows: [[1]] });
    await settled();
    expect(head("z")).toBeTruthy();
    end.abort();
    expect([el.childElementCount, model.listeners]).toEqual([0, 0]);
  });

  test("is told what went wrong, also that it was closed", async () => {
    const model = new TableModel();
    model.traits.table = { ...TABLE, rows: ROWS.slice(0, 50), source: "1" };
    mount(model, el, end.signal);
    labelled("Rows after").click();
    await settled();
    const [question] = model.sent as { id: number }[];
    model.tell({ type: "answer", id: question?.id, error: "The table has changed." });
    await settled();
    expect(el.querySelector("[role=alert]")?.textContent).toBe("The table has changed.");
    labelled("Last rows").click();
    end.abort();
    await settled();
    expect(el.childElementCount).toBe(0);
  });
});

test("columns are as wide as what is in them, and what names the rows stays in sight", () => {
  draw({ ...TABLE, dtypes: ["index", "str"] });
  const cols = [...el.querySelectorAll<HTMLElement>("col")].map(({ style }) => style.width);
  expect(cols).toEqual(["56px", "300px"]);
  expect(el.querySelector<HTMLElement>("table")?.style.width).toBe("356px");
  expect(el.querySelector<HTMLElement>("tbody th")?.style.left).toBe("0px");
});

describe("a table with very many columns", () => {
  const WIDE = {
    columns: Array.from({ length: 60 }, (_, at) => `c${at}`),
    dtypes: Array.from({ length: 60 }, () => "int64"),
    rows: Array.from({ length: 50 }, (_, row) => Array.from({ length: 60 }, (_, at) => row + at)),
    total: 50,
  };

  function drawnRows(): number[] {
    const rows = [...el.querySelectorAll<HTMLElement>("tbody tr")];
    return rows
      .filter((row) => row.querySelector("[data-column]"))
      .map((row) => Number(row.dataset.row));
  }

  test("draws the rows in sight, keeps the place of the others, and draws them when one comes to them", async () => {
    const sizes = { offsetHeight: 20, clientHeight: 200, clientWidth: 400 };
    for (const [name, px] of Object.entries(sizes))
      vi.spyOn(HTMLElement.prototype, name as "offsetHeight", "get").mockReturnValue(px);
    draw(WIDE);
    await settled();
    expect(el.querySelectorAll("tbody tr")).toHaveLength(50);
    expect([drawnRows()[0], drawnRows().length < 30]).toEqual([0, true]);
    const pane = el.querySelector<HTMLElement>(".nba-grid-pane");
    if (!pane) throw new Error("no pane");
    pane.scrollTop = 600;
    pane.dispatchEvent(new Event("scroll"));
    await settled();
    expect(drawnRows()).toContain(35);
    expect(drawnRows()).toContain(0); // the keyboard comes to it
    expect(drawnRows()).not.toContain(10);
    el.querySelector<HTMLElement>("tbody [data-active]")?.focus();
    const end = new KeyboardEvent("keydown", { key: "End", ctrlKey: true, bubbles: true });
    document.activeElement?.dispatchEvent(end);
    await settled();
    expect(document.activeElement?.closest<HTMLElement>("tr")?.dataset.row).toBe("49");
    vi.restoreAllMocks();
  });
});

describe("a view that takes the place of another one of the same table", () => {
  const nobody = () => Promise.reject(new Error("none"));

  async function filtered(id: string): Promise<void> {
    draw(TABLE, nobody, id);
    head("n").querySelector("button")?.click();
    await settled();
    head("n").querySelector("button")?.click();
    await settled();
    const box = labelled("Filter rows") as HTMLInputElement;
    box.value = "name";
    box.dispatchEvent(new InputEvent("input", { bubbles: true }));
    box.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    await settled();
    labelled("Rows after").click();
    await settled();
    expect([status(), cells()[0]]).toEqual(["Rows 51–100 of 119", "69"]);
  }

  test("goes on with its order, its filter and its page", async () => {
    await filtered("run-1 p1");
    const before = end;
    end = new AbortController();
    const old = el;
    el = document.body.appendChild(document.createElement("div"));
    draw(TABLE, nobody, "run-1 p1");
    before.abort();
    old.remove();
    await settled();
    expect([status(), cells()[0]]).toEqual(["Rows 51–100 of 119", "69"]);
    expect(head("n").getAttribute("aria-sort")).toBe("descending");
    expect((labelled("Filter rows") as HTMLInputElement).value).toBe("name");
  });

  test("another table begins anew", async () => {
    await filtered("run-3 p1");
    el = document.body.appendChild(document.createElement("div"));
    draw(TABLE, nobody, "run-2 p1");
    await settled();
    expect([status(), cells()[0]]).toEqual(["Rows 1–50 of 120", "0"]);
  });
});
