/** All that is in one cell, below the table: part after part where it is very long. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { reasonOf } from "../../bridge";
import { toClipboard } from "../../page";
import { grouped } from "../../words";
import { plainText } from "../rows";
import { GridButton } from "./button";
import { isCut } from "./cell";
import type { GridView } from "./grid-view";

export function WholeCell({ view }: { view: GridView }): JSX.Element | null {
  const place = view.opened.value;
  const { pages } = view;
  const text = useSignal("");
  const length = useSignal(0);
  const problem = useSignal("");
  const isCopied = useSignal(false);
  const box = useRef<HTMLElement>(null);
  const column = place && pages.column(place.column);
  const value = place && pages.rows.value[place.row - pages.offset.value]?.[place.column];
  const more = async (start: number) => {
    if (!place) return;
    try {
      const part = await pages.text(place.row, place.column, start);
      if (view.opened.peek() !== place) return;
      text.value = start ? text.value + part.text : part.text;
      length.value = part.length;
    } catch (reason) {
      problem.value = reasonOf(reason);
    }
  };
  useEffect(() => {
    const known = column && value !== undefined ? (plainText(value ?? null, column) ?? "–") : "";
    text.value = known;
    length.value = known.length;
    problem.value = "";
    isCopied.value = false;
    if (isCut(value ?? undefined)) void more(0);
  }, [place]);
  if (!place || !column) return null;
  const label = `Row ${grouped(place.row + 1)}, ${column.name || "index"}`;
  return (
    <section class="nba-grid-detail" aria-label={label} ref={box}>
      <header>
        <strong>{label}</strong>
        <GridButton
          onClick={async () => {
            const all = pages.canAsk
              ? await pages.copied(
                  { top: place.row, bottom: place.row, left: place.column, right: place.column },
                  "tsv",
                  false,
                )
              : text.value;
            isCopied.value = await toClipboard(unquoted(all));
          }}
        >
          {isCopied.value ? "Copied" : "Copy"}
        </GridButton>
        <GridButton
          onClick={() => {
            view.opened.value = null;
            view.focused.value += 1;
          }}
        >
          Close
        </GridButton>
      </header>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset: nothing is to be filled in */}
      <div
        class="nba-grid-whole"
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a pane that scrolls must take the keyboard
        tabIndex={0}
        aria-label="Its text"
      >
        {text.value}
      </div>
      {text.value.length < length.value && (
        <GridButton onClick={() => void more(text.value.length)}>
          Show more: {grouped(text.value.length)} of {grouped(length.value)} characters
        </GridButton>
      )}
      {isCut(value ?? undefined) && !pages.canAsk && (
        <p>Only its beginning is saved. Run the cell again for all of it.</p>
      )}
      {problem.value && <p role="alert">{problem.value}</p>}
    </section>
  );
}

/** The text of one cell, as it was before it was made a line of a table. */
function unquoted(line: string): string {
  const text = line.endsWith("\n") ? line.slice(0, -1) : line;
  return text.startsWith('"') && text.endsWith('"')
    ? text.slice(1, -1).replaceAll('""', '"')
    : text;
}
