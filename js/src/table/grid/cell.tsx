/** One cell of a table: one line of it, and the way to all of it. */
import type { JSX } from "preact";
import type { JsonValue } from "../../tree";
import { type Column, cellText, plainText } from "../rows";

interface Props {
  column: Column | undefined;
  at: number;
  /** Absent while it is fetched. */
  value: JsonValue | undefined;
  isActive: boolean;
  isSelected: boolean;
  /** Where a cell that stays in sight begins. */
  left: number | undefined;
  /** Shows all of it. */
  open: () => void;
}

/** What fits into a cell for sure. */
const SHORT = 36;
/** The kernel cuts a text to this many characters, the last of which says so. */
const CUT = 300;

/** Whether a cell may be wider than its place. */
export function isLong(value: JsonValue, column: Column): boolean {
  return (cellText(value, column)?.length ?? 0) > SHORT;
}

/** Whether a text is only the beginning of one. */
export function isCut(value: JsonValue | undefined): boolean {
  return typeof value === "string" && value.length === CUT && value.endsWith("…");
}

export function Cell(props: Props): JSX.Element {
  const { column, at, value, isActive, isSelected, left } = props;
  const common = {
    role: column?.isIndex ? ("rowheader" as const) : ("gridcell" as const),
    "aria-colindex": at + 1,
    "data-column": at,
    "data-selected": isSelected || undefined,
    "aria-selected": isSelected,
    tabIndex: isActive ? 0 : -1,
    "data-active": isActive || undefined,
  };
  if (!column || value === undefined)
    return (
      <td {...common} data-type="coming">
        …
      </td>
    );
  const text = cellText(value, column);
  const body = <Body text={text} value={value} open={props.open} />;
  const title = titleOf(value, text, column);
  if (column.isIndex)
    return (
      <th {...common} scope="row" title={title} style={left === undefined ? "" : `left:${left}px`}>
        {body}
      </th>
    );
  return (
    <td {...common} data-numeric={column.isNumeric} data-type={typeOf(value, column)} title={title}>
      {body}
    </td>
  );
}

/** What a value is, so that `True` is told from a text that reads alike. */
function typeOf(value: JsonValue, { dtype }: Column): string | undefined {
  if (value === null) return "missing";
  if (typeof value === "boolean") return "boolean";
  if (typeof value === "number") return "number";
  if (typeof value === "object") return "object";
  return /^(datetime|date|time)/i.test(dtype) ? "date" : undefined;
}

/** What does not fit into its cell, as it is. */
function titleOf(value: JsonValue, text: string | null, column: Column): string | undefined {
  if (text !== null && text.length > SHORT) return text;
  const plain = typeof value === "number" ? plainText(value, column) : null;
  return plain !== null && plain !== text ? plain : undefined;
}

function Body(props: { text: string | null; value: JsonValue; open: () => void }): JSX.Element {
  const { text, value, open } = props;
  if (text === null)
    return (
      <span class="nba-grid-missing" title="Missing">
        –
      </span>
    );
  if (!isCut(value)) return <span>{text}</span>;
  return (
    <>
      <button
        type="button"
        class="nba-grid-more"
        tabIndex={-1}
        aria-label="Whole text"
        title="Whole text (Enter)"
        onClick={open}
      >
        ⋯
      </button>
      {text}
    </>
  );
}
