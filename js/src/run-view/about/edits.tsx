/** What was edited in step mode, a line each: of a call, or of the run itself, with its diff. */
import type { JSX } from "preact";
import { Diff } from "../../renderers";
import type { EditNode } from "../../tree";
import { editInWords } from "../../words";

export function Edits({ edits }: { edits: readonly EditNode[] }): JSX.Element {
  return (
    <>
      {edits.map((edit, at) => (
        <div key={at} class="nba-edited">
          <p class="nba-decided">S{editInWords(edit).slice(1)}</p>
          {edit.before !== null && edit.after !== null && (
            <Diff before={edit.before} after={edit.after} name="What was, and what is" />
          )}
        </div>
      ))}
    </>
  );
}
