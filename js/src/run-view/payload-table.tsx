/**
 * A payload of kind `table` in a run: sorted and paged by the kernel while it is there.
 *
 * @module
 */
import type { JSX } from "preact";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { Grid } from "../table/grid";
import { TablePages } from "../table/pages";
import { tableFrom } from "../table/table-value";
import type { PayloadNode } from "../tree";
import type { RunState } from "./state";
import { Json } from "./texts";

interface Props {
  state: RunState;
  node: PayloadNode;
}

export function TableView({ state: { door }, node: { payload } }: Props): JSX.Element {
  const table = useMemo(() => tableFrom(payload.value), [payload]);
  const pages = useMemo(() => {
    if (!table) return null;
    return new TablePages(table, door.isLive ? (question) => door.ask("table", question) : null);
  }, [door, table === null]);
  useLayoutEffect(() => {
    if (table && pages && pages.table.value !== table) pages.replace(table);
  }, [table, pages]);
  if (!pages) return <Json value={payload.value} label="table as JSON" />;
  return <Grid pages={pages} />;
}
