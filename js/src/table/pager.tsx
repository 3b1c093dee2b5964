/**
 * The way through a table's pages.
 *
 * @module
 */
import type { JSX } from "preact";
import { grouped } from "../run-view/words";
import { PAGE_ROWS, type TablePages } from "./pages";

export function Pager({ pages }: { pages: TablePages }): JSX.Element | null {
  const { count } = pages;
  if (count <= PAGE_ROWS) return null;
  const offset = pages.offset.value;
  const last = Math.floor((count - 1) / PAGE_ROWS) * PAGE_ROWS;
  const end = Math.min(offset + pages.rows.value.length, count);
  return (
    <nav class="nba-grid-pager" aria-label="Pages of the table">
      <Turn label="First rows" glyph="«" to={0} isOff={offset === 0} pages={pages} />
      <Turn
        label="Rows before"
        glyph="‹"
        to={offset - PAGE_ROWS}
        isOff={offset === 0}
        pages={pages}
      />
      <span role="status">
        Rows {grouped(offset + 1)}–{grouped(end)} of {grouped(count)}
      </span>
      <Turn
        label="Rows after"
        glyph="›"
        to={offset + PAGE_ROWS}
        isOff={offset >= last}
        pages={pages}
      />
      <Turn label="Last rows" glyph="»" to={last} isOff={offset >= last} pages={pages} />
      <label>
        Go to row{" "}
        <input
          type="number"
          min={1}
          max={count}
          onChange={({ currentTarget }) => {
            const row = Number(currentTarget.value);
            if (Number.isFinite(row) && currentTarget.value) void pages.goTo(row - 1);
          }}
        />
      </label>
    </nav>
  );
}

interface TurnProps {
  label: string;
  glyph: string;
  to: number;
  isOff: boolean;
  pages: TablePages;
}

/** Not `disabled`: a button that is would lose the keyboard while it is pressed. */
function Turn({ label, glyph, to, isOff, pages }: TurnProps): JSX.Element {
  return (
    <button
      type="button"
      class="nba-grid-turn"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) void pages.goTo(to);
      }}
    >
      {glyph}
    </button>
  );
}
