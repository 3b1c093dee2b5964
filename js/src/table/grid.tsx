/**
 * A table: heads that sort, a page of rows, and the way to the other pages.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { JsonValue } from "../events";
import { grouped } from "../run-view/words";
import { addSheet } from "../sheet";
import { Cell, isLong } from "./cell";
import { Pager } from "./pager";
import type { TablePages } from "./pages";
import css from "./table.css";
import type { Column } from "./table-value";

interface Props {
  pages: TablePages;
  /** How the table is called where there is a name for it. */
  title?: string;
}

export function Grid({ pages, title = "Table" }: Props): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const isWrapped = useSignal(false);
  const { columns } = pages.table.value;
  const rows = pages.rows.value;
  const offset = pages.offset.value;
  const size = sizeWords(pages);
  useLayoutEffect(() => {
    if (box.current) addSheet(box.current, "table", css);
  }, []);
  useLayoutEffect(() => {
    if (pane.current) pane.current.scrollTop = 0;
  }, [rows]);
  return (
    <div class="nba-grid" ref={box}>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, and a page has too many for landmarks */}
      <div
        class="nba-grid-pane"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard
        tabIndex={0}
        aria-label={`${title}, ${size}`}
        ref={pane}
      >
        <table
          aria-rowcount={pages.count + 1}
          aria-busy={pages.isBusy.value}
          data-wrapped={isWrapped.value}
        >
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column, at) => (
                <Head key={at} column={column} at={at} pages={pages} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => (
              <Row key={offset + at} row={row} at={at} pages={pages} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="nba-grid-foot">
        <Pager pages={pages} />
        <span>{size}</span>
        {pages.sort.value && partWords(pages) && (
          <strong role="status">Sorted: {partWords(pages)}</strong>
        )}
        {columns.some((column, at) => rows.some((row) => isLong(row[at] ?? null, column))) && (
          <button
            type="button"
            class="nba-grid-button"
            aria-pressed={isWrapped.value}
            onClick={() => {
              isWrapped.value = !isWrapped.value;
            }}
          >
            Long texts
          </button>
        )}
      </div>
      {pages.problem.value && <p role="alert">{pages.problem.value}</p>}
    </div>
  );
}

const ORDERS = { none: "", ascending: "▲", descending: "▼" } as const;

function Head(props: { column: Column; at: number; pages: TablePages }): JSX.Element {
  const { column, at, pages } = props;
  const sort = pages.sort.value;
  const order = sort?.column !== at ? "none" : sort.descending ? "descending" : "ascending";
  const sorts = { none: "Sort", ascending: "Sort, largest first", descending: "As it was" }[order];
  const part = partWords(pages);
  const next = part && order !== "descending" ? `${sorts} ${part}` : sorts;
  const type = column.isIndex ? "names the rows" : column.dtype;
  return (
    <th scope="col" aria-sort={order} data-numeric={column.isNumeric}>
      <button
        type="button"
        title={[type, next].filter(Boolean).join(" · ")}
        onClick={() => void pages.sortBy(at)}
      >
        <span class="nba-grid-name">{column.name || (column.isIndex ? "" : "(no name)")}</span>
        <span class="nba-grid-order" aria-hidden="true">
          {ORDERS[order]}
        </span>
      </button>
    </th>
  );
}

function Row(props: { row: JsonValue[]; at: number; pages: TablePages }): JSX.Element {
  const { row, at, pages } = props;
  return (
    <tr aria-rowindex={pages.offset.value + at + 2}>
      {pages.table.value.columns.map((column, place) => {
        const value = row[place] ?? null;
        return (
          <Cell
            key={place}
            column={column}
            value={value}
            whole={pages.canAsk ? () => pages.wholeText(at, place) : null}
          />
        );
      })}
    </tr>
  );
}

/** `these 50 of 100,000 rows alone`, where an order is that of a part; else nothing. */
function partWords(pages: TablePages): string {
  const { rows, total } = pages.table.value;
  return pages.isWhole ? "" : `these ${partOf(rows.length, total, "row")} alone`;
}

/** `50 of 100,000 rows × 4 columns`. */
function sizeWords(pages: TablePages): string {
  const { rows, total, columns, totalColumns } = pages.table.value;
  const shown = columns.filter(({ isIndex }) => !isIndex).length;
  const saved = pages.isWhole ? "" : "; the others were not saved";
  const there = pages.isWhole ? total : rows.length;
  return `${partOf(there, total, "row")} × ${partOf(shown, totalColumns, "column")}${saved}`;
}

function partOf(some: number, all: number, one: string): string {
  const noun = `${one}${all === 1 ? "" : "s"}`;
  return some === all ? `${grouped(all)} ${noun}` : `${grouped(some)} of ${grouped(all)} ${noun}`;
}
