/** Below a table: its pages, how large it is, what is selected, and what can be copied. */
import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { flips } from "../../page";
import { GridButton } from "./button";
import { isLong } from "./cell";
import type { GridView } from "./grid-view";
import { Pager } from "./pager";
import { lackWords, partWords, sizeWords } from "./size-words";

/** Of very many columns. */
const LOOKED_AT = 30;

interface Props {
  view: GridView;
  title: string;
  isWrapped: Signal<boolean>;
}

export function Foot({ view, title, isWrapped }: Props): JSX.Element {
  const { pages } = view;
  const lack = lackWords(pages);
  return (
    <>
      <div class="nba-grid-foot">
        <Pager view={view} />
        <span>{sizeWords(pages)}</span>
        {pages.sort.value && partWords(pages) && (
          <strong role="status">Sorted: {partWords(pages)}</strong>
        )}
        <span class="nba-grid-acts">
          {hasLong(view) && (
            <GridButton aria-pressed={isWrapped.value} onClick={flips(isWrapped)}>
              Long texts
            </GridButton>
          )}
          <GridButton
            title="Copy all these rows as CSV"
            onClick={() => void view.giveAll("copy", title)}
          >
            Copy CSV
          </GridButton>
          <GridButton
            title="Download all these rows as CSV"
            onClick={() => void view.giveAll("file", title)}
          >
            Download
          </GridButton>
        </span>
      </div>
      <Chosen view={view} />
      {lack && <p class="nba-grid-lack">{lack}</p>}
    </>
  );
}

function Chosen({ view }: { view: GridView }): JSX.Element {
  const words = view.selectedWords;
  return (
    <div class="nba-grid-foot" data-empty={!words && !view.said.value}>
      {words && (
        <>
          <strong>{words}</strong>
          <span class="nba-grid-acts">
            <GridButton
              title="Copy the selected cells (Ctrl+C)"
              onClick={() => void view.copySelected()}
            >
              Copy cells
            </GridButton>
            <GridButton onClick={() => view.chooseNothing()}>Clear</GridButton>
          </span>
        </>
      )}
      <span role="status">{view.said.value}</span>
    </div>
  );
}

/** Whether a cell that was in sight at first may be wider than its place. */
function hasLong({ pages }: GridView): boolean {
  const columns = pages.table.value.columns.slice(0, LOOKED_AT);
  return columns.some(
    (column, at) => column && pages.rows.value.some((row) => isLong(row[at] ?? null, column)),
  );
}
