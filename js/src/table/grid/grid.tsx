/** A table: a filter, heads that sort, a page of rows, and the way to the other pages. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { hasFocus, useSheet, watchSize } from "../../page";
import { range, type TablePages } from "../rows";
import { FilterBox } from "./filter-box";
import { Foot } from "./foot";
import { GridView, HEAD } from "./grid-view";
import { Head } from "./head";
import { dragOver, hearKey, placeOf, pressCell } from "./keys";
import { Row } from "./row";
import { sizeWords } from "./size-words";
import css from "./table.css";
import { WholeCell } from "./whole-cell";

interface Props {
  pages: TablePages;
  /** How the table is called where there is a name for it. */
  title?: string;
}

/** A table of cells that the keyboard goes to; biome takes the role as it stands for a mistake. */
const GRID = { role: "grid", "aria-multiselectable": true } as const;
const SPACER = { role: "presentation" } as const;

/** Fewer rows are seen at a glance. */
const WORTH_FILTERING = 8;

export function Grid({ pages, title = "Table" }: Props): JSX.Element {
  const box = useSheet<HTMLDivElement>("table", css);
  const view = useMemo(() => new GridView(pages), [pages]);
  const isWrapped = useSignal(false);
  useEffect(() => () => view.close(), [view]);
  return (
    <div class="nba-grid" ref={box}>
      {pages.all >= WORTH_FILTERING && <FilterBox view={view} />}
      <Pane view={view} title={title} isWrapped={isWrapped.value} />
      <WholeCell view={view} />
      <Foot view={view} title={title} isWrapped={isWrapped} />
      {pages.problem.value && <p role="alert">{pages.problem.value}</p>}
    </div>
  );
}

interface PaneProps {
  view: GridView;
  title: string;
  isWrapped: boolean;
}

function Pane({ view, title, isWrapped }: PaneProps): JSX.Element {
  const { pages } = view;
  const pane = useRef<HTMLDivElement>(null);
  const isDown = useRef(false);
  const rows = pages.rows.value;
  const offset = pages.offset.value;
  const names = pages.table.value.columns.map((one) => one?.name).length;
  const { edges, sight } = view;
  const { start, stop } = sight.value;
  const inSight = view.rowSight.value;
  const { levels, width } = pages;
  const look = () => {
    const { current } = pane;
    if (!current) return;
    view.look(current.scrollLeft, current.clientWidth);
    const row_px = current.querySelector<HTMLElement>("tbody tr:last-child")?.offsetHeight ?? 0;
    view.lookDown(current.scrollTop, current.clientHeight, isWrapped ? 0 : row_px);
  };
  useLayoutEffect(look, [view, names, pages.reach.value, isWrapped]);
  useLookAtSize(pane, look);
  useLayoutEffect(() => {
    if (pane.current && !hasFocus(pane.current)) pane.current.scrollTop = 0;
  }, [offset, pages.sort.value, pages.query.value]);
  useFocus(view, pane);
  const drawn = range(0, levels).concat(range(Math.max(levels, start), stop));
  const before = (edges[Math.max(levels, start)] ?? 0) - (edges[levels] ?? 0);
  const after = (edges[width] ?? 0) - (edges[stop] ?? 0);
  const lefts = (at: number) => (at < levels ? edges[at] : undefined);
  const tabRow = view.tabRow;
  const { column: activeColumn } = view.active.value;
  return (
    <div class="nba-grid-pane" ref={pane} onScroll={look}>
      <table
        {...GRID}
        aria-label={`${title}, ${sizeWords(pages)}`}
        aria-rowcount={pages.count + 1}
        aria-colcount={width}
        aria-busy={pages.isBusy.value}
        data-wrapped={isWrapped}
        style={wide(edges[width] ?? 0)}
        onKeyDown={(event) => {
          if (!hearKey(event, view)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onPointerDown={(event) => {
          isDown.current = pressCell(event, view);
        }}
        onPointerMove={(event) => {
          if (!(event.buttons & 1)) isDown.current = false;
          if (isDown.current) dragOver(event, view);
        }}
        onDblClick={({ target }) => {
          const place = placeOf(target);
          if (place) view.opened.value = { row: place.row, column: place.column };
        }}
      >
        <colgroup>
          {drawn.slice(0, levels).map((at) => (
            <col key={at} style={wide(view.px(at))} />
          ))}
          {before > 0 && <col key="before" style={wide(before)} />}
          {drawn.slice(levels).map((at) => (
            <col key={at} style={wide(view.px(at))} />
          ))}
          {after > 0 && <col key="after" style={wide(after)} />}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {drawn.slice(0, levels).map((at) => (
              <Head key={at} at={at} view={view} left={lefts(at)} />
            ))}
            {before > 0 && <td key="before" {...SPACER} />}
            {drawn.slice(levels).map((at) => (
              <Head key={at} at={at} view={view} left={undefined} />
            ))}
            {after > 0 && <td key="after" {...SPACER} />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <Row
              key={offset + at}
              view={view}
              row={row}
              number={offset + at}
              start={Math.max(levels, start)}
              stop={stop}
              before={before > 0}
              after={after > 0}
              edges={edges}
              table={pages.table.value}
              isDrawn={
                !inSight || tabRow === offset + at || (at >= inSight.start && at < inSight.stop)
              }
              active={tabRow === offset + at && tabRow !== HEAD ? activeColumn : -1}
              selected={view.blocks.value}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Preact gives numbers no unit. */
function wide(px: number): string {
  return `width:${px}px`;
}

/** Look again when the pane has become larger or smaller. */
function useLookAtSize(pane: { current: HTMLElement | null }, look: () => void): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(
    () => (pane.current ? watchSize([pane.current], () => latest.current()) : undefined),
    [pane],
  );
}

/** Have the active cell take the focus when it is to, and be in sight. */
function useFocus(view: GridView, pane: { current: HTMLDivElement | null }): void {
  const wanted = view.focused.value;
  const seen = useRef(wanted);
  useLayoutEffect(() => {
    const { current } = pane;
    if (!current || seen.current === wanted) return;
    seen.current = wanted;
    const left = view.leftFor(view.active.peek().column);
    if (left !== current.scrollLeft) {
      current.scrollLeft = left;
      view.look(current.scrollLeft, current.clientWidth);
    }
    // The columns that came in sight are drawn first.
    queueMicrotask(() => current.querySelector<HTMLElement>("[data-active]")?.focus());
  }, [wanted]);
}
