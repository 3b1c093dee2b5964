/**
 * What a view may ask of the notebook that it is in.
 *
 * @module
 */
import type { NotebookActions } from "../bridge";
import type { NotebookPanel } from "./jupyter";

/**
 * The notebook's side of a view.
 *
 * @param node An element of the view: it tells which cell the view belongs to.
 */
export function actionsOf({ content }: NotebookPanel, node: HTMLElement): NotebookActions {
  const select = (index: number) => {
    content.activeCellIndex = index;
    void content.scrollToItem(index, "smart");
  };
  const indexOf = (id: string) => content.widgets.findIndex(({ model }) => model.id === id);
  return {
    insertBelow(source) {
      const own = content.widgets.findIndex((cell) => cell.node.contains(node));
      const at = (own < 0 ? content.activeCellIndex : own) + 1; // the output may be in a tab of its own
      content.model?.sharedModel.insertCell(at, {
        cell_type: "code",
        source,
        metadata: { trusted: true },
      });
      select(at);
      content.mode = "edit";
    },
    hasCell: (id) => indexOf(id) >= 0,
    showCell(id) {
      const at = indexOf(id);
      if (at >= 0) select(at);
    },
  };
}
