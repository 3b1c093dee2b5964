/** The code of a tool as it was when it ran, and the way to the cell that defines it now. */
import type { JSX } from "preact";
import { Code } from "../../renderers";
import { visibleName } from "../../visible-text";
import { FactList } from "../about";
import { Action } from "../buttons";
import { type OfCall, useView } from "../state";
import { useAnswer } from "../whole";

export function Source({ state: { door }, call }: OfCall): JSX.Element {
  const view = useView();
  const { source_hash, cell_id, name } = call;
  const canAsk = door.canAsk?.() ?? false;
  const question = source_hash !== null && canAsk ? { source_hash } : null;
  const asked = useAnswer(door, "run:source", question);
  const { notebook } = door;
  const hasCell = notebook !== undefined && cell_id !== null && notebook.hasCell(cell_id);
  return (
    <>
      {asked?.state === "known" && (
        <Code text={String(asked.value)} name={visibleName(name)} language="Python" />
      )}
      {asked?.state === "asking" && <p class="nba-small">Asking the kernel…</p>}
      {asked?.state === "unknown" && <p class="nba-small">{asked.why}</p>}
      {!canAsk && <p class="nba-small">The code is in the kernel, and none is here.</p>}
      {canAsk && source_hash === null && (
        <p class="nba-small">The tool has no Python source of its own.</p>
      )}
      <FactList
        facts={[
          ["Tool", visibleName(name)],
          ["Version", source_hash],
          ["Defined in cell", notebook?.cellName(cell_id ?? "")],
        ]}
      />
      {hasCell && (
        <Action
          label="Go to its cell"
          title="Go to the cell that defines the tool now; it may have changed"
          onClick={() => {
            if (view.isFull.peek()) view.toggleFull();
            notebook.showCell(cell_id);
          }}
        />
      )}
    </>
  );
}
