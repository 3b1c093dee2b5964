/** A button of an opened call: a cell below it that goes back to the call. */
import type { JSX } from "preact";
import { runWith } from "../../tree";
import { isOpenCall } from "../../words";
import { Action } from "../buttons";
import type { OfCall } from "../state";
import { forkCell } from "./cells";

export function ForkHere({ state: { door, tree }, call }: OfCall): JSX.Element | null {
  const { notebook } = door;
  const run = runWith(tree.value, call);
  if (!(notebook && run) || isOpenCall(call)) return null;
  return (
    <Action
      label="Fork from here"
      title="Insert a cell that goes back to this call"
      onClick={() => notebook.insertBelow(forkCell(run, call))}
    />
  );
}
