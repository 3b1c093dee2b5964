/** One row of a table: drawn again only where something in it has changed. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { JsonValue } from "../../tree";
import type { TableValue } from "../rows";
import { type Block, partsIn } from "../rows";
import { Cell } from "./cell";
import type { GridView } from "./grid-view";

interface Props {
  view: GridView;
  row: JsonValue[];
  /** Its place among all rows. */
  number: number;
  /** The columns that are drawn, beside those that name the row. */
  start: number;
  stop: number;
  /** Whether there are columns before and after them. */
  before: boolean;
  after: boolean;
  edges: Float64Array;
  table: TableValue;
  /** Else it is out of sight, and only its place is kept. */
  isDrawn: boolean;
  /** The column of the active cell; -1: it is in another row. */
  active: number;
  selected: readonly Block[];
}

/** A cell as it was drawn: the same again is not looked at. */
interface Drawn {
  state: unknown[];
  node: JSX.Element;
}

export function Row(props: Props): JSX.Element {
  const { view, row, number, start, stop, before, after, edges, table, active, isDrawn } = props;
  const parts = partsIn(props.selected, number);
  const key = parts.join(";");
  const drawn = useRef(new Map<number, Drawn>());
  return useMemo(
    () => {
      const isIn = (at: number) => parts.some(([left, right]) => at >= left && at <= right);
      const { levels } = view.pages;
      if (!isDrawn)
        return (
          <tr aria-rowindex={number + 2} data-row={number}>
            <td role="presentation">{"\u00a0"}</td>
          </tr>
        );
      const kept = new Map<number, Drawn>();
      const cell = (at: number) => {
        const state = [row[at], table.columns[at], active === at, isIn(at), number, edges[at]];
        const before = drawn.current.get(at);
        const isSame = before?.state.every((one, place) => one === state[place]) ?? false;
        const now = before && isSame ? before : { state, node: made(at) };
        kept.set(at, now);
        return now.node;
      };
      const made = (at: number) => (
        <Cell
          key={at}
          at={at}
          column={table.columns[at]}
          value={row[at]}
          isActive={active === at}
          isSelected={isIn(at)}
          left={at < levels ? edges[at] : undefined}
          open={() => {
            view.opened.value = { row: number, column: at };
          }}
        />
      );
      const names: JSX.Element[] = [];
      for (let at = 0; at < levels; at += 1) names.push(cell(at));
      const cells: JSX.Element[] = [];
      for (let at = start; at < stop; at += 1) cells.push(cell(at));
      drawn.current = kept;
      return (
        <tr aria-rowindex={number + 2} data-row={number} data-here={active >= 0 || undefined}>
          {names}
          {before && <td key="before" role="presentation" />}
          {cells}
          {after && <td key="after" role="presentation" />}
        </tr>
      );
    },
    isDrawn ? [view, row, number, start, stop, before, after, edges, table, active, key] : [number],
  );
}
