/**
 * The rows of a table that are in sight: a page of all there are where the kernel can be asked, of
 * those that are there where it cannot.
 */
import { signal } from "@preact/signals";
import { isRecord, reasonOf } from "../../bridge";
import type { Ask } from "../../kernel-questions";
import type { JsonValue } from "../../tree";
import { copyOf, type Kind } from "./copying";
import {
  type Arrangement,
  asked,
  placedRows,
  range,
  type Sort,
  withCells,
  withColumns,
} from "./questions";
import { filteredRows } from "./row-filter";
import { type Block, isEmpty } from "./selection";
import { type Column, sortedRows, type TableValue } from "./table-value";

/** Rows of one page. */
export const PAGE_ROWS = 50;
/** Columns that are fetched together. */
const BLOCK_COLUMNS = 50;
/** Columns that a kernel gives at once. */
const MOST_COLUMNS = 100;
/** Rows of one part of a copy: the kernel ends it where it becomes too long. */
const PART_ROWS = 20_000;

/** Whether all rows can be had: the kernel has them, is being asked for them, or is gone. */
type Reach = "here" | "asking" | "gone";

const NOTHING: TableValue = { columns: [], rows: [], total: 0, totalColumns: 0, source: null };

export class TablePages {
  readonly table = signal<TableValue>(NOTHING);
  /** The page in sight; what a kernel was not asked for yet is absent. */
  readonly rows = signal<JsonValue[][]>([]);
  /** How many rows come before it. */
  readonly offset = signal(0);
  readonly sort = signal<Sort | null>(null);
  readonly query = signal("");
  /** How many rows there are in sight and on other pages. */
  readonly matched = signal(0);
  /** In how many columns the words of the filter were looked for; `null`: in all. */
  readonly searched = signal<number | null>(null);
  /** Whether other rows are on their way. */
  readonly isBusy = signal(false);
  /** Why they did not come, in words. */
  readonly problem = signal("");
  readonly reach = signal<Reach>("gone");
  /** The filter that another view of this table had. */
  begun = "";
  readonly #ask: Ask | null;
  #begunAt = 0;
  #newest = 0;
  #sight = { start: 0, stop: MOST_COLUMNS };
  #coming = new Set<number>();
  #local: { key: string; rows: JsonValue[][] } | null = null;

  /**
   * @param table What is there.
   * @param ask Asks a kernel for more; `null` where there is none.
   * @param isSure Whether that kernel has this table; else it is asked first.
   */
  constructor(table: TableValue, ask: Ask | null, isSure = true) {
    this.#ask = ask;
    this.reach.value = ask && table.source !== null ? (isSure ? "here" : "asking") : "gone";
    this.replace(table);
    if (this.reach.value === "asking") void this.#reachOut();
  }

  /** Whether all rows can be had. */
  get isWhole(): boolean {
    return this.canAsk || this.table.value.rows.length >= this.table.value.total;
  }

  /** How many rows can be paged through. */
  get count(): number {
    return this.matched.value;
  }

  /** How many rows there are to look for something in. */
  get all(): number {
    const { rows, total } = this.table.value;
    return this.canAsk ? total : rows.length;
  }

  /** Whether the kernel can be asked for what is not here. */
  get canAsk(): boolean {
    return this.reach.value === "here";
  }

  /** How many columns there are, with those that name the rows. */
  get width(): number {
    const { columns, totalColumns } = this.table.value;
    return this.canAsk ? this.levels + totalColumns : columns.length;
  }

  /** How many columns name the rows. */
  get levels(): number {
    const at = this.table.value.columns.findIndex((column) => !column?.isIndex);
    return at < 0 ? this.table.value.columns.length : at;
  }

  /** Show another table, where the columns are the same in the same order and place. */
  replace(table: TableValue): void {
    const before = this.table.value.columns.map((one) => one?.name).join("\0");
    const isSame = before === table.columns.map(({ name }) => name).join("\0");
    if (table.source === null) this.reach.value = "gone";
    else if (this.#ask && this.reach.value === "gone") this.reach.value = "here";
    this.table.value = table;
    this.#local = null;
    const sort = isSame ? this.sort.value : null;
    const query = isSame ? this.query.value : "";
    const offset = isSame && this.offset.value < this.all ? this.offset.value : 0;
    const isFirst = sort === null && !query && offset === 0;
    if (isFirst && this.#hasFirstPage()) this.#show(table.rows, 0, { sort, query }, this.all);
    else void this.#turn(offset, { sort, query });
  }

  /** The kernel has ended: what is here is all there is. */
  end(): void {
    if (this.reach.peek() === "gone") return;
    this.reach.value = "gone";
    void this.#turn(0, this.#now);
  }

  /** Go on where another view of this table was. */
  begin(offset: number, next: Arrangement): void {
    this.begun = next.query;
    this.#begunAt = offset;
    const isThere = this.canAsk || offset < this.#arranged(next).length;
    void this.#turn(isThere ? offset : 0, next);
  }

  /** Sort by a column: smallest first, then largest first, then as it was. */
  sortBy(column: number): Promise<void> {
    const sort = this.sort.value;
    const isSame = sort?.column === column;
    const next = isSame && sort.descending ? null : { column, descending: isSame };
    return this.#turn(0, { sort: next, query: this.query.value });
  }

  /** Show the rows that meet these conditions. */
  search(query: string): Promise<void> {
    return this.#turn(0, { sort: this.sort.value, query: query.trim() });
  }

  /** Show the page with this row, counted from 0. */
  goTo(row: number): Promise<void> {
    const last = Math.max(0, Math.floor((this.count - 1) / PAGE_ROWS) * PAGE_ROWS);
    const wanted = Math.floor(Math.max(0, row) / PAGE_ROWS) * PAGE_ROWS;
    return this.#turn(Math.min(wanted, last), this.#now);
  }

  /** Columns have come in sight: fetch what is not here of them. */
  look(start: number, stop: number): void {
    this.#sight = {
      start: Math.max(0, start - this.levels),
      stop: Math.max(0, stop - this.levels),
    };
    if (!this.canAsk) return;
    const missing = this.#blocks().filter((block) => !this.#hasBlock(block));
    for (const block of missing) void this.#fetchBlock(block);
  }

  /** A part of the text of a cell, by its place among all rows, and how long it is in all. */
  async text(
    row: number,
    column: number,
    start: number,
  ): Promise<{ text: string; length: number }> {
    const answer = await this.#question({
      cell: { row, column, start },
      ...asked(this.#now),
    });
    const { text, length } = isRecord(answer) ? answer : {};
    if (typeof text !== "string") throw new Error("The kernel answered with no text.");
    return { text, length: typeof length === "number" ? length : text.length };
  }

  /**
   * Rows and columns as a text to be pasted elsewhere; all of each cell.
   *
   * @param tell Hears how many rows are done.
   */
  async copied(
    block: Block,
    kind: Kind,
    hasHeads: boolean,
    tell: (done: number) => void = () => {},
  ): Promise<string> {
    if (!this.canAsk)
      return copyOf(this.#arranged(this.#now), this.table.value.columns, block, kind, hasHeads);
    const parts: string[] = [];
    const columns = [block.left, block.right + 1];
    for (let row = block.top; row <= block.bottom; ) {
      const until = Math.min(block.bottom + 1, row + PART_ROWS);
      const copy = { rows: [row, until], columns, kind, heads: hasHeads && row === block.top };
      const answer = await this.#question({ copy, ...asked(this.#now) });
      if (!isRecord(answer) || typeof answer.text !== "string")
        throw new Error("The kernel answered with no text.");
      parts.push(answer.text);
      const done = Number(answer.rows);
      if (!(done > 0)) break;
      row += done;
      tell(row - block.top);
    }
    return parts.join("");
  }

  /** Tell the kernel what is selected: Python and the model may want to know. */
  async select(blocks: readonly Block[]): Promise<void> {
    if (!this.canAsk) return;
    const select = blocks
      .filter((one) => !isEmpty(one))
      .map(({ top, bottom, left, right }) => ({
        rows: [top, bottom + 1],
        columns: [left, right + 1],
      }));
    await this.#question({ select, ...asked(this.#now) });
  }

  /** A column; what is not known of one yet is left open. */
  column(at: number): Column | undefined {
    return this.table.value.columns[at];
  }

  get #now(): Arrangement {
    return { sort: this.sort.value, query: this.query.value };
  }

  #hasFirstPage(): boolean {
    const { rows, total } = this.table.value;
    return !this.canAsk ? rows.length <= PAGE_ROWS : rows.length >= Math.min(PAGE_ROWS, total);
  }

  /** Ask a kernel that may have this table whether it has. */
  async #reachOut(): Promise<void> {
    try {
      await this.#send({ offset: 0, limit: 0 });
      this.reach.value = "here";
      const { sort, query } = this.#now;
      const at = this.#begunAt;
      if (sort || query || at) await this.#turn(at, { sort, query });
      else this.matched.value = this.all;
      this.#lookAgain();
    } catch {
      this.reach.value = "gone";
    }
  }

  async #turn(offset: number, next: Arrangement): Promise<void> {
    if (!this.canAsk) {
      const rows = this.#arranged(next);
      return this.#show(rows, Math.min(offset, rows.length), next, rows.length);
    }
    const turn = ++this.#newest;
    this.isBusy.value = true;
    try {
      const { start, stop } = this.#wanted();
      const part = this.#isWide ? { columns: { start, stop } } : {};
      const question = { offset, limit: PAGE_ROWS, ...part, ...asked(next) };
      const answer = await this.#question(question);
      if (turn !== this.#newest) return;
      const names = this.#isWide ? range(0, this.levels + MOST_COLUMNS) : this.#names;
      const rows = placedRows(answer, names, this.levels, start);
      const { total, searched } = isRecord(answer) ? answer : {};
      const count = typeof total === "number" ? total : this.table.value.total;
      this.#show(rows, 0, next, count, offset);
      const { totalColumns } = this.table.value;
      const isPart = typeof searched === "number" && searched < totalColumns;
      this.searched.value = next.query && isPart ? searched : null;
      this.#lookAgain();
    } catch (reason) {
      if (turn !== this.#newest) return;
      this.isBusy.value = false;
      this.problem.value = reasonOf(reason);
    }
  }

  #lookAgain(): void {
    this.look(this.levels + this.#sight.start, this.levels + this.#sight.stop);
  }

  /** The blocks of columns that are in sight. */
  #blocks(): number[] {
    const { totalColumns } = this.table.value;
    const { start, stop } = this.#sight;
    const first = Math.floor(start / BLOCK_COLUMNS);
    const last = Math.ceil(Math.min(stop, totalColumns) / BLOCK_COLUMNS);
    return range(first, last);
  }

  get #names(): string[] {
    return this.table.value.columns.map(({ name }) => name);
  }

  /** Whether the kernel has more columns than it gives at once. */
  get #isWide(): boolean {
    return this.table.value.totalColumns > MOST_COLUMNS;
  }

  #wanted(): { start: number; stop: number } {
    const { totalColumns } = this.table.value;
    if (!this.#isWide) return { start: 0, stop: totalColumns };
    const start = Math.floor(this.#sight.start / BLOCK_COLUMNS) * BLOCK_COLUMNS;
    return { start, stop: Math.min(totalColumns, start + MOST_COLUMNS) };
  }

  #hasBlock(block: number): boolean {
    const at = this.levels + block * BLOCK_COLUMNS;
    return this.column(at) !== undefined && this.rows.value.every((row) => row[at] !== undefined);
  }

  async #fetchBlock(block: number): Promise<void> {
    if (this.#coming.has(block)) return;
    this.#coming.add(block);
    const turn = this.#newest;
    const start = block * BLOCK_COLUMNS;
    const stop = start + BLOCK_COLUMNS;
    try {
      const [heads, page] = await Promise.all([
        this.column(this.levels + start) ? null : this.#question({ heads: { start, stop } }),
        this.#question({
          offset: this.offset.value,
          limit: PAGE_ROWS,
          columns: { start, stop },
          ...asked(this.#now),
        }),
      ]);
      const given = isRecord(page) && Array.isArray(page.rows) ? page.rows : [];
      const cells = given.map((row) => (Array.isArray(row) ? row.slice(this.levels) : []));
      if (heads)
        this.table.value = withColumns(this.table.value, this.levels + start, heads, cells);
      if (turn === this.#newest)
        this.rows.value = withCells(this.rows.value, this.levels + start, cells);
    } catch (reason) {
      this.problem.value = reasonOf(reason);
    } finally {
      this.#coming.delete(block);
    }
    if (turn !== this.#newest) this.look(this.levels + start, this.levels + stop);
  }

  async #question(question: Record<string, JsonValue>): Promise<JsonValue> {
    if (!this.canAsk) throw new Error("No kernel is here to be asked.");
    return this.#send(question);
  }

  async #send(question: Record<string, JsonValue>): Promise<JsonValue> {
    const { source } = this.table.value;
    if (!this.#ask || source === null) throw new Error("No kernel is here to be asked.");
    return this.#ask({ source, ...question });
  }

  /** The rows that are here, as they are asked for. */
  #arranged(next: Arrangement): JsonValue[][] {
    const { sort, query } = next;
    const key = JSON.stringify([sort, query]);
    if (this.#local?.key === key) return this.#local.rows;
    const { columns } = this.table.value;
    const found = filteredRows(this.table.value.rows, columns, query);
    const dtype = sort ? columns[sort.column]?.dtype : "";
    const rows = sort ? sortedRows(found, sort.column, sort.descending, dtype) : found;
    this.#local = { key, rows };
    return rows;
  }

  #show(
    rows: JsonValue[][],
    from: number,
    { sort, query }: Arrangement,
    count: number,
    offset = from,
  ): void {
    this.#newest += 1; // what is still on its way is too late
    this.rows.value = rows.slice(from, from + PAGE_ROWS);
    this.offset.value = offset;
    this.sort.value = sort;
    this.query.value = query;
    this.matched.value = count;
    this.isBusy.value = false;
    this.problem.value = "";
    this.searched.value = null;
  }
}
