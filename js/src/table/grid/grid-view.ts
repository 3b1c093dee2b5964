/** One view of a table: where the keyboard is in it, what is selected, how wide its columns are. */
import { signal } from "@preact/signals";
import { reasonOf } from "../../bridge";
import { download, toClipboard } from "../../page";
import { grouped, plural } from "../../words";
import {
  type Block,
  blockOf,
  PAGE_ROWS,
  type Place,
  rowsIn,
  rowsOf,
  type TablePages,
  toggled,
} from "../rows";
import {
  edgesOf,
  NARROWEST_PX,
  rowsInSight,
  type Sight,
  sightOf,
  WIDEST_PX,
  widthOf,
} from "./columns-in-sight";

/** The row of the heads. */
export const HEAD = -1;
/** So long nothing more is selected until the kernel is told. */
const TOLD_MS = 300;
const SAID_MS = 4000;
/** So many columns are not measured one by one. */
const MANY = 100;
const MANY_PX = 110;
/** About as wide as a place for a table may be, until it is drawn. */
const FIRST_PX = 1200;

export class GridView {
  readonly pages: TablePages;
  /** The cell that the keyboard is in, or that it comes to. */
  readonly active = signal<Place>({ row: 0, column: 0 });
  readonly blocks = signal<readonly Block[]>([]);
  /** The cell of which all is shown below the table. */
  readonly opened = signal<Place | null>(null);
  /** What was done, in words, for a while. */
  readonly said = signal("");
  /** Is raised to have the active cell take the focus. */
  readonly focused = signal(0);
  readonly sight = signal<Sight>({ start: 0, stop: 0 });
  /** The rows of the page that are drawn; `null`: all. */
  readonly rowSight = signal<Sight | null>(null);
  readonly #chosen = signal<ReadonlyMap<number, number>>(new Map());
  readonly #found = new Map<number, number>();
  #anchor: Place | null = null;
  #moving = 0;
  #pane: { left: number; width: number } = { left: 0, width: 0 };
  #edges: { of: unknown; edges: Float64Array } | null = null;
  #telling: ReturnType<typeof setTimeout> | undefined;
  #saying: ReturnType<typeof setTimeout> | undefined;

  constructor(pages: TablePages) {
    this.pages = pages;
    this.look(0, FIRST_PX);
  }

  /** Let go of what would happen later. */
  close(): void {
    clearTimeout(this.#telling);
    clearTimeout(this.#saying);
  }

  /** How wide a column is, in pixels. */
  px(column: number): number {
    const chosen = this.#chosen.value.get(column);
    if (chosen !== undefined) return chosen;
    if (this.pages.table.peek().totalColumns > MANY) return MANY_PX;
    const known = this.pages.column(column);
    let found = this.#found.get(column);
    if (found === undefined) {
      const rows = this.pages.rows.peek();
      const values = rows.map((row) => row[column]);
      found = widthOf(known, values);
      if (known && rows.length) this.#found.set(column, found);
    }
    return found;
  }

  /** Where the columns begin. */
  get edges(): Float64Array {
    const { width } = this.pages;
    const table = this.pages.table.value;
    const isMeasured = table.totalColumns <= MANY;
    const key = [this.#chosen.value, isMeasured && table, width] as const;
    const of = this.#edges?.of as typeof key | undefined;
    if (!of || key.some((one, at) => one !== of[at]))
      this.#edges = { of: key, edges: edgesOf(width, (at) => this.px(at)) };
    return this.#edges?.edges ?? new Float64Array(1);
  }

  /** Make a column wider or narrower; `null`: as wide as what is in it. */
  resize(column: number, px: number | null): void {
    const next = new Map(this.#chosen.value);
    if (px === null) next.delete(column);
    else next.set(column, Math.round(Math.min(WIDEST_PX, Math.max(NARROWEST_PX, px))));
    this.#chosen.value = next;
    this.look(this.#pane.left, this.#pane.width);
  }

  /** The pane shows another part of the table. */
  look(left: number, width: number): void {
    this.#pane = { left, width };
    const next = sightOf(this.edges, this.pages.levels, left, left + width);
    const { start, stop } = this.sight.peek();
    if (next.start !== start || next.stop !== stop) this.sight.value = next;
    this.pages.look(next.start, next.stop);
  }

  /** The pane shows other rows, each of them so high. */
  lookDown(top: number, height: number, row_px: number): void {
    const next = rowsInSight(this.pages.width, row_px, top, top + height);
    const before = this.rowSight.peek();
    if (next?.start !== before?.start || next?.stop !== before?.stop) this.rowSight.value = next;
  }

  /** How far the pane must be scrolled for a column to be in sight. */
  leftFor(column: number): number {
    const { left, width } = this.#pane;
    const { edges } = this;
    if (column < this.pages.levels) return left;
    const fixed = edges[this.pages.levels] ?? 0;
    const [start, stop] = [edges[column] ?? 0, edges[column + 1] ?? 0];
    if (start - fixed < left) return start - fixed;
    return stop > left + width ? Math.min(start - fixed, stop - width) : left;
  }

  /** The row that the keyboard comes to on this page. */
  get tabRow(): number {
    const { row } = this.active.value;
    const { offset, rows } = this.pages;
    if (row === HEAD) return HEAD;
    return row >= offset.value && row < offset.value + rows.value.length ? row : offset.value;
  }

  /** Where the keyboard is; on its way to another page it is there already. */
  get at(): Place {
    return this.#moving ? this.active.value : { ...this.active.value, row: this.tabRow };
  }

  /** Go to a cell, on whichever page it is; `isFar`: all between is selected. */
  move(row: number, column: number, isFar = false): void {
    const { pages } = this;
    const to = {
      row: Math.max(HEAD, Math.min(pages.count - 1, row)),
      column: Math.max(0, Math.min(pages.width - 1, column)),
    };
    const from = this.#anchor ?? this.at;
    this.active.value = to;
    if (to.row !== HEAD && !this.#isOnPage(to.row)) {
      this.#moving += 1;
      void pages.goTo(to.row).then(() => {
        this.#moving -= 1;
        this.focused.value += 1;
      });
    } else this.focused.value += 1;
    if (isFar && to.row !== HEAD && from.row !== HEAD) {
      this.#anchor = from;
      this.#choose([blockOf(from, to)]);
    } else {
      this.#anchor = null;
      if (this.blocks.value.length) this.#choose([]);
    }
  }

  /** Select from where the last selection began to this cell. */
  extend(to: Place): void {
    this.#anchor ??= this.active.value;
    this.active.value = to;
    this.#choose([blockOf(this.#anchor, to)]);
  }

  /** Select a row, or all from the last one on; `isMore`: beside what is selected. */
  chooseRow(row: number, { isFar = false, isMore = false } = {}): void {
    const first = isFar ? (this.#anchor ?? this.active.value).row : row;
    const block = rowsOf(Math.max(0, first), row, this.pages.width);
    this.#anchor = { row: first, column: 0 };
    this.active.value = { row, column: this.active.value.column };
    this.#choose(isMore ? toggled(this.blocks.value, block) : [block]);
  }

  chooseAll(): void {
    const { count, width } = this.pages;
    if (count) this.#choose([rowsOf(0, count - 1, width)]);
  }

  chooseNothing(): void {
    this.#anchor = null;
    if (this.blocks.value.length) this.#choose([]);
  }

  /** What is selected, in words. */
  get selectedWords(): string {
    const rows = rowsIn(this.blocks.value);
    if (!rows) return "";
    const { width } = this.pages;
    const isRows = this.blocks.value.every(({ left, right }) => left === 0 && right === width - 1);
    return `${isRows ? "" : "Cells in "}${plural(rows, "row")} selected`;
  }

  /** Copy what is selected, or else the cell that the keyboard is in. */
  async copySelected(): Promise<void> {
    const blocks = this.blocks.value.length
      ? this.blocks.value
      : [blockOf(this.active.value, this.active.value)];
    await this.#doing("Copied", async () => {
      const parts: string[] = [];
      for (const block of blocks) parts.push(await this.pages.copied(block, "tsv", false));
      const text = parts.join("");
      return toClipboard(text.endsWith("\n") ? text.slice(0, -1) : text);
    });
  }

  /** All rows that are shown on any page, as CSV. */
  async giveAll(how: "copy" | "file", title: string): Promise<void> {
    const { count, width } = this.pages;
    const block = { top: 0, bottom: count - 1, left: 0, right: width - 1 };
    await this.#doing(how === "copy" ? `${grouped(count)} rows copied` : "Downloaded", async () => {
      const tell = (done: number) => {
        if (done < count) this.said.value = `${grouped(done)} of ${grouped(count)} rows…`;
      };
      const text = await this.pages.copied(block, "csv", true, tell);
      if (how === "copy") return toClipboard(text);
      const name = title.replace(/[^\p{L}\p{N}_-]+/gu, "-").toLowerCase() || "table";
      download(text, "text/csv;charset=utf-8", `${name}.csv`);
      return true;
    });
  }

  async #doing(done: string, act: () => Promise<boolean>): Promise<void> {
    clearTimeout(this.#saying);
    try {
      this.said.value = (await act()) ? done : "Not copied: the page may not";
    } catch (reason) {
      this.said.value = reasonOf(reason);
    }
    this.#saying = setTimeout(() => {
      this.said.value = "";
    }, SAID_MS);
  }

  #choose(blocks: readonly Block[]): void {
    this.blocks.value = blocks;
    clearTimeout(this.#telling);
    this.#telling = setTimeout(() => {
      this.pages.select(blocks).catch((reason: unknown) => {
        this.said.value = reasonOf(reason);
      });
    }, TOLD_MS);
  }

  #isOnPage(row: number): boolean {
    const offset = this.pages.offset.value;
    return row >= offset && row < offset + PAGE_ROWS;
  }
}
