/**
 * One cell of a table: one line of it, and all of it for who wants it.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { JsonValue } from "../events";
import { type Column, cellText } from "./table-value";

interface Props {
  column: Column;
  value: JsonValue;
  /** Fetches all of a text that was cut; `null` where nobody can be asked. */
  whole: (() => Promise<string>) | null;
}

/** What fits into a cell for sure. */
const SHORT = 36;
/** The kernel cuts a text to this many characters, the last of which says so. */
const CUT = 300;

/** Whether a cell may be wider than its place. */
export function isLong(value: JsonValue, column: Column): boolean {
  return (cellText(value, column)?.length ?? 0) > SHORT;
}

export function Cell({ column, value, whole }: Props): JSX.Element {
  const text = cellText(value, column);
  const body = <Body text={text} whole={whole} />;
  const title = titleOf(value, text);
  if (column.isIndex)
    return (
      <th scope="row" title={title}>
        {body}
      </th>
    );
  return (
    <td data-numeric={column.isNumeric} title={title}>
      {body}
    </td>
  );
}

/** What does not fit into its cell, as it is. */
function titleOf(value: JsonValue, text: string | null): string | undefined {
  if (text !== null && text.length > SHORT) return text;
  return typeof value === "number" && Number(text) !== value ? String(value) : undefined;
}

function Body({ text, whole }: { text: string | null; whole: Props["whole"] }): JSX.Element {
  if (text === null)
    return (
      <span class="nba-grid-missing" title="Missing">
        –
      </span>
    );
  const isCut = text.length === CUT && text.endsWith("…");
  return isCut && whole ? <CutText text={text} whole={whole} /> : <span>{text}</span>;
}

function CutText({ text, whole }: { text: string; whole: () => Promise<string> }): JSX.Element {
  const all = useSignal("");
  const problem = useSignal("");
  useEffect(() => {
    all.value = "";
    problem.value = "";
  }, [text]);
  const fetch = async () => {
    try {
      all.value = await whole();
    } catch (reason) {
      problem.value = reason instanceof Error ? reason.message : String(reason);
    }
  };
  if (all.value) return <div class="nba-grid-whole">{all.value}</div>;
  return (
    <>
      <button
        type="button"
        class="nba-grid-more"
        aria-label="Whole text"
        title="Whole text"
        onClick={() => void fetch()}
      >
        ⋯
      </button>
      {problem.value || text}
    </>
  );
}
