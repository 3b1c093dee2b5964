/** The head of a column: it sorts, says the type and the unit, and is drawn wider or narrower. */
import type { JSX } from "preact";
import { type GridView, HEAD } from "./grid-view";
import { partWords } from "./size-words";

interface Props {
  at: number;
  view: GridView;
  left: number | undefined;
}

const ORDERS = { none: "", ascending: "▲", descending: "▼" } as const;

export function Head({ at, view, left }: Props): JSX.Element {
  const { pages } = view;
  const column = pages.column(at);
  const sort = pages.sort.value;
  const order = sort?.column !== at ? "none" : sort.descending ? "descending" : "ascending";
  const sorts = { none: "Sort", ascending: "Sort, largest first", descending: "As it was" }[order];
  const part = partWords(pages);
  const next = part && order !== "descending" ? `${sorts} ${part}` : sorts;
  const type = column?.isIndex ? "names the rows" : column?.dtype;
  const unit = column?.format.unit;
  const isActive = view.tabRow === HEAD && view.active.value.column === at;
  return (
    <th
      scope="col"
      aria-sort={order}
      aria-colindex={at + 1}
      data-column={at}
      data-numeric={column?.isNumeric ?? false}
      data-fixed={column?.isIndex || undefined}
      style={left === undefined ? "" : `left:${left}px`}
    >
      <button
        type="button"
        tabIndex={isActive ? 0 : -1}
        data-active={isActive || undefined}
        title={[column?.name, type, next].filter(Boolean).join(" · ")}
        onFocus={() => {
          if (!isActive) view.active.value = { row: HEAD, column: at };
        }}
        onClick={() => {
          view.chooseNothing();
          void pages.sortBy(at);
        }}
      >
        <span class="nba-grid-name">
          {column ? column.name || (column.isIndex ? "" : "(no name)") : "…"}
        </span>
        {unit && <span class="nba-grid-unit">{unit}</span>}
        <span class="nba-grid-order" aria-hidden="true">
          {ORDERS[order]}
        </span>
      </button>
      <Edge at={at} view={view} />
    </th>
  );
}

/** The right edge of a head, which the pointer draws; keys: Alt and an arrow in the head. */
function Edge({ at, view }: { at: number; view: GridView }): JSX.Element {
  return (
    <span
      class="nba-grid-edge"
      aria-hidden="true"
      title="Draw to make the column wider, double-click to fit it; with the keyboard Alt and an arrow"
      onDblClick={() => view.resize(at, null)}
      onPointerDown={(event) => {
        const { currentTarget: edge, clientX, pointerId } = event;
        const before = view.px(at);
        event.preventDefault();
        edge.setPointerCapture?.(pointerId);
        const drag = (moved: PointerEvent) => view.resize(at, before + moved.clientX - clientX);
        const held = new AbortController();
        const { signal } = held;
        edge.addEventListener("pointermove", drag, { signal });
        for (const name of ["pointerup", "pointercancel"])
          edge.addEventListener(name, () => held.abort(), { signal });
      }}
    />
  );
}
