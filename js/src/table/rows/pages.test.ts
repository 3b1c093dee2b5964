import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../tree";
import { TablePages } from "./pages";
import { type TableValue, tableFrom } from "./table-value";

function table(rows: number, total = rows, source?: string): TableValue {
  const value = { columns: ["n"], rows: Array.from({ length: rows }, (_, n) => [n]), total };
  const read = tableFrom(source === undefined ? value : { ...value, source });
  if (!read) throw new Error("no table");
  return read;
}

/** A kernel with a thousand rows, which answers when it is told to. */
class Kernel {
  readonly asked: JsonValue[] = [];
  readonly #answers: ((answer: JsonValue | Error) => void)[] = [];

  readonly ask = (question: JsonValue): Promise<JsonValue> => {
    this.asked.push(question);
    return new Promise((resolve, reject) => {
      this.#answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  };

  async answer(place: number, answer: JsonValue | Error): Promise<void> {
    this.#answers[place]?.(answer);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

function firsts(pages: TablePages): unknown[] {
  return pages.rows.value.map(([first]) => first);
}

describe("rows that are all here", () => {
  test("are paged and sorted here", async () => {
    const pages = new TablePages(table(120), null);
    expect(firsts(pages)).toHaveLength(50);
    await pages.goTo(119);
    expect([pages.offset.value, firsts(pages).length]).toEqual([100, 20]);
    await pages.sortBy(0);
    await pages.sortBy(0);
    expect([pages.offset.value, firsts(pages)[0]]).toEqual([0, 119]);
    await pages.sortBy(0);
    expect([pages.sort.value, firsts(pages)[0]]).toEqual([null, 0]);
  });

  test("are the first of more where nobody can be asked, which is known", async () => {
    const pages = new TablePages(table(50, 1000, "s"), null);
    expect([pages.isWhole, pages.count]).toEqual([false, 50]);
    await pages.goTo(500);
    expect(pages.offset.value).toBe(0);
    await expect(pages.text(0, 0, 0)).rejects.toThrow("No kernel");
  });
});

describe("rows that the kernel has", () => {
  test("are asked for by page and order", async () => {
    const kernel = new Kernel();
    const pages = new TablePages(table(50, 1000, "s"), kernel.ask);
    expect([pages.isWhole, pages.count, kernel.asked.length]).toEqual([true, 1000, 0]);
    void pages.goTo(777);
    expect(kernel.asked).toEqual([{ source: "s", offset: 750, limit: 50, sort: null }]);
    expect(pages.isBusy.value).toBe(true);
    await kernel.answer(0, { rows: [[750]] });
    expect([firsts(pages), pages.offset.value, pages.isBusy.value]).toEqual([[750], 750, false]);
    void pages.sortBy(0);
    const sort = { column: 0, descending: false };
    expect(kernel.asked[1]).toEqual({ source: "s", offset: 0, limit: 50, sort });
  });

  test("that come too late are not shown", async () => {
    const kernel = new Kernel();
    const pages = new TablePages(table(50, 1000, "s"), kernel.ask);
    void pages.goTo(100);
    void pages.goTo(200);
    await kernel.answer(1, { rows: [[200]] });
    await kernel.answer(0, { rows: [[100]] });
    expect(firsts(pages)).toEqual([200]);
  });

  test("that do not come leave what is there, and the reason", async () => {
    const kernel = new Kernel();
    const pages = new TablePages(table(50, 1000, "s"), kernel.ask);
    void pages.goTo(100);
    await kernel.answer(0, new Error("Run the cell again."));
    expect([pages.problem.value, pages.isBusy.value]).toEqual(["Run the cell again.", false]);
    expect(firsts(pages)).toHaveLength(50);
    void pages.goTo(100);
    await kernel.answer(1, "no rows");
    expect(pages.problem.value).toBe("The kernel answered with no rows.");
    void pages.goTo(100);
    await kernel.answer(2, { rows: [] });
    expect(pages.problem.value).toBe("");
  });

  test("are asked for at once where fewer came than a page holds", () => {
    const kernel = new Kernel();
    new TablePages(table(6, 1000, "s"), kernel.ask);
    expect(kernel.asked).toHaveLength(1);
  });

  test("are whole texts too, by the place in this order", async () => {
    const kernel = new Kernel();
    const pages = new TablePages(table(50, 1000, "s"), kernel.ask);
    const text = pages.text(3, 0, 10);
    const cell = { row: 3, column: 0, start: 10 };
    expect(kernel.asked[0]).toEqual({ source: "s", cell, sort: null });
    await kernel.answer(0, { text: "all of it", length: 19 });
    expect(await text).toEqual({ text: "all of it", length: 19 });
  });
});

describe("another table under the same id", () => {
  test("keeps its order and its page where the columns are the same", async () => {
    const kernel = new Kernel();
    const pages = new TablePages(table(50, 1000, "s"), kernel.ask);
    void pages.sortBy(0);
    await kernel.answer(0, { rows: [[1]] });
    pages.replace(table(50, 2000, "t"));
    const sort = { column: 0, descending: false };
    expect(kernel.asked[1]).toEqual({ source: "t", offset: 0, limit: 50, sort });
  });

  test("begins anew where they are others", async () => {
    const pages = new TablePages(table(120), null);
    await pages.sortBy(0);
    const other = tableFrom({ columns: ["m"], rows: [["x"]] });
    if (other) pages.replace(other);
    expect([pages.sort.value, firsts(pages)]).toEqual([null, ["x"]]);
  });
});
