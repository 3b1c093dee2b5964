/**
 * The rows of a table that are in sight: a page of all there are where the kernel can be asked, of
 * those that are there where it cannot.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { isRecord } from "../bridge";
import type { JsonValue } from "../events";
import { rowsFrom, sortedRows, type TableValue } from "./table-value";

export type Ask = (question: JsonValue) => Promise<JsonValue>;

export interface Sort {
  column: number;
  descending: boolean;
}

/** Rows of one page. */
export const PAGE_ROWS = 50;

export class TablePages {
  readonly table = signal<TableValue>({
    columns: [],
    rows: [],
    total: 0,
    totalColumns: 0,
    source: null,
  });
  /** The page in sight. */
  readonly rows = signal<JsonValue[][]>([]);
  /** How many rows come before it. */
  readonly offset = signal(0);
  readonly sort = signal<Sort | null>(null);
  /** Whether other rows are on their way. */
  readonly isBusy = signal(false);
  /** Why they did not come, in words. */
  readonly problem = signal("");
  readonly #ask: Ask | null;
  #newest = 0;
  #local: { sort: Sort | null; rows: JsonValue[][] } | null = null;

  constructor(table: TableValue, ask: Ask | null) {
    this.#ask = ask;
    this.replace(table);
  }

  /** Whether all rows can be had. */
  get isWhole(): boolean {
    return this.#canAsk || this.table.value.rows.length >= this.table.value.total;
  }

  /** How many rows can be paged through. */
  get count(): number {
    const { rows, total } = this.table.value;
    return this.#canAsk ? total : rows.length;
  }

  /** Whether the kernel can be asked for what is not here. */
  get canAsk(): boolean {
    return this.#canAsk;
  }

  /** Show another table, where the columns are the same in the same order and place. */
  replace(table: TableValue): void {
    const before = this.table.value.columns.map(({ name }) => name).join("\0");
    const isSame = before === table.columns.map(({ name }) => name).join("\0");
    this.table.value = table;
    this.#local = null;
    const sort = isSame ? this.sort.value : null;
    const offset = isSame && this.offset.value < this.count ? this.offset.value : 0;
    if (sort === null && offset === 0 && this.#hasFirstPage()) this.#show(table.rows, 0, null);
    else void this.#turn(offset, sort);
  }

  /** Sort by a column: smallest first, then largest first, then as it was. */
  sortBy(column: number): Promise<void> {
    const { sort } = this;
    const isSame = sort.value?.column === column;
    if (isSame && sort.value?.descending) return this.#turn(0, null);
    return this.#turn(0, { column, descending: isSame });
  }

  /** Show the page with this row, counted from 0. */
  goTo(row: number): Promise<void> {
    const last = Math.max(0, Math.floor((this.count - 1) / PAGE_ROWS) * PAGE_ROWS);
    const wanted = Math.floor(Math.max(0, row) / PAGE_ROWS) * PAGE_ROWS;
    return this.#turn(Math.min(wanted, last), this.sort.value);
  }

  /** The whole text of a cell in sight, of which only the beginning was sent. */
  async wholeText(row: number, column: number): Promise<string> {
    const cell = { row: this.offset.value + row, column };
    const answer = await this.#question({ cell, sort: this.#asked(this.sort.value) });
    return isRecord(answer) && typeof answer.text === "string" ? answer.text : "";
  }

  get #canAsk(): boolean {
    return this.#ask !== null && this.table.value.source !== null;
  }

  #hasFirstPage(): boolean {
    const { rows, total } = this.table.value;
    return !this.#canAsk ? rows.length <= PAGE_ROWS : rows.length >= Math.min(PAGE_ROWS, total);
  }

  async #turn(offset: number, sort: Sort | null): Promise<void> {
    if (!this.#canAsk) return this.#show(this.#sorted(sort), offset, sort);
    const asked = ++this.#newest;
    this.isBusy.value = true;
    try {
      const rows = await this.#rows(offset, sort);
      if (asked === this.#newest) this.#show(rows, 0, sort, offset);
    } catch (reason) {
      if (asked !== this.#newest) return;
      this.isBusy.value = false;
      this.problem.value = reason instanceof Error ? reason.message : String(reason);
    }
  }

  async #rows(offset: number, sort: Sort | null): Promise<JsonValue[][]> {
    const question = { offset, limit: PAGE_ROWS, sort: this.#asked(sort) };
    const answer = await this.#question(question);
    const given = isRecord(answer) && Array.isArray(answer.rows) ? answer.rows : null;
    const rows = given && rowsFrom(given, this.table.value.columns);
    if (!rows) throw new Error("The kernel answered with no rows.");
    return rows;
  }

  async #question(question: Record<string, JsonValue>): Promise<JsonValue> {
    const { source } = this.table.value;
    if (!this.#ask || source === null) throw new Error("No kernel is here to be asked.");
    return this.#ask({ source, ...question });
  }

  #asked(sort: Sort | null): JsonValue {
    return sort && { column: sort.column, descending: sort.descending };
  }

  #sorted(sort: Sort | null): JsonValue[][] {
    if (sort === null) return this.table.value.rows;
    const known = this.#local;
    if (known?.sort?.column === sort.column && known.sort.descending === sort.descending)
      return known.rows;
    const rows = sortedRows(this.table.value.rows, sort.column, sort.descending);
    this.#local = { sort, rows };
    return rows;
  }

  #show(rows: JsonValue[][], from: number, sort: Sort | null, offset = from): void {
    this.#newest += 1; // what is still on its way is too late
    this.rows.value = rows.slice(from, from + PAGE_ROWS);
    this.offset.value = offset;
    this.sort.value = sort;
    this.isBusy.value = false;
    this.problem.value = "";
  }
}
