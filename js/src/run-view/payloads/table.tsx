/**
 * A payload of kind `table` in a run: sorted, filtered and paged by the kernel while it is there, also
 * when the run is over and saved.
 */
import type { JSX } from "preact";
import { type Door, isRecord } from "../../bridge";
import type { JsonValue } from "../../tree";
import { ByModule, type Place } from "./by-module";

export function TableView(props: Place): JSX.Element {
  return <ByModule {...props} kind="table" read={asItIs} more={rowsOf} />;
}

/** Whether a value has the form of a table; the module that draws it reads it closely. */
export function isTable(value: JsonValue): boolean {
  if (!isRecord(value) || !Array.isArray(value.rows)) return false;
  const { columns, rows } = value;
  const isNamed = Array.isArray(columns) || (columns === undefined && rows.some(isRecord));
  return isNamed && rows.every((row) => Array.isArray(row) || isRecord(row));
}

function asItIs(value: JsonValue): JsonValue {
  return value;
}

/** Of a saved run, the kernel that may still have its rows. */
function rowsOf({ isLive, rows }: Door) {
  return isLive ? {} : { saved: rows ?? null };
}
