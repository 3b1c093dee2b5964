/** The way through a table's pages. */
import type { JSX } from "preact";
import { grouped } from "../../words";
import { PAGE_ROWS, type TablePages } from "../rows";
import type { GridView } from "./grid-view";

export function Pager({ view }: { view: GridView }): JSX.Element | null {
  const { pages } = view;
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
          placeholder={`1–${grouped(count)}`}
          title="Rows are counted from 1, also where their index counts from 0"
          onChange={({ currentTarget }) => goTo(currentTarget.value, view)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === "Enter") goTo(currentTarget.value, view); // also the same row once more
          }}
        />
      </label>
    </nav>
  );
}

function goTo(said: string, view: GridView): void {
  const row = Number(said);
  if (said && Number.isFinite(row)) view.move(Math.max(0, row - 1), view.active.peek().column);
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
