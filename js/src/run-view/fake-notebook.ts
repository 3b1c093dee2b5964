/** A notebook for tests, which says what it was asked to do. */
import type { NotebookActions } from "../bridge";

export function fakeNotebook(
  own: Partial<NotebookActions> = {},
  done: string[] = [],
): NotebookActions {
  return {
    insertBelow: (...sources) => done.push(...sources),
    runAgain: (source) => done.push(`again: ${source}`),
    linkTo: (place) => `https://lab.example/lab/tree/a.ipynb#nbagents=${place}`,
    hasCell: () => false,
    cellName: () => null,
    showCell: (id) => done.push(id),
    ...own,
  };
}
