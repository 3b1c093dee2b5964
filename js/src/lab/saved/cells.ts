/** What a view may ask of the notebook that it is in. */
import type { NotebookActions } from "../../bridge";
import type { Application, NotebookPanel } from "../host";
import { addressOf } from "./place";

/**
 * The notebook's side of a view.
 *
 * @param node An element of the view: it tells which cell the view belongs to.
 */
export function actionsOf(
  { commands }: Application,
  { content, context }: NotebookPanel,
  node: HTMLElement,
): NotebookActions {
  const select = (index: number) => {
    content.deselectAll();
    content.activeCellIndex = index;
    return content.scrollToItem(index, "smart");
  };
  const indexOf = (id: string) => content.widgets.findIndex(({ model }) => model.id === id);
  // none, where the output is in a tab of its own
  const ownIndex = () => content.widgets.findIndex((cell) => cell.node.contains(node));
  const insert = (...sources: readonly string[]) => {
    const own = ownIndex();
    const at = (own < 0 ? content.activeCellIndex : own) + 1;
    for (const [number, source] of sources.entries())
      content.model?.sharedModel.insertCell(at + number, {
        cell_type: "code",
        source,
        metadata: { trusted: true },
      });
    return select(at);
  };
  return {
    insertBelow(...sources) {
      void insert(...sources).then(() => writeOn(content));
    },
    runAgain(source) {
      const own = ownIndex();
      const selected = own < 0 ? insert(source) : select(own);
      void selected.then(() => commands.execute("notebook:run-cell"));
    },
    linkTo: (place) => addressOf(context.path, place),
    hasCell: (id) => indexOf(id) >= 0,
    cellName(id) {
      const count = content.model?.sharedModel.cells[indexOf(id)]?.execution_count;
      return count ? `In [${count}]` : null;
    },
    showCell(id) {
      const at = indexOf(id);
      if (at >= 0) void select(at);
    },
  };
}

/** Have a person write on at the end of the selected cell. */
async function writeOn(content: NotebookPanel["content"]): Promise<void> {
  const cell = content.activeCell;
  await cell?.ready;
  content.mode = "edit";
  const editor = cell?.editor;
  if (!editor) return;
  const line = editor.lineCount - 1;
  editor.setCursorPosition({ line, column: editor.getLine(line)?.length ?? 0 });
  editor.focus();
}
