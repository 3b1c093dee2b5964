/**
 * The plugin that draws runs and widgets of notebooks, in JupyterLab, Notebook and wherever else
 * outputs are rendered by their registry.
 *
 * @module
 */
import { actionsOf } from "./cells";
import { drawRun, drawWidget, WIDGET_MIME } from "./draw";
import {
  type NotebookPanel,
  type NotebookTracker,
  type Packages,
  type Plugin,
  type RenderMime,
  type ShareScope,
  shared,
} from "./jupyter";
import { followEnds } from "./late";
import { makeOutput } from "./output";
import { RUN_MIME } from "./saved-run";

/** Before the view of a widget, which is at -10 and has no other form to show. */
const RANK = -20;

export async function runsPlugin(
  scope: ShareScope,
): Promise<Plugin<[RenderMime, NotebookTracker?]>> {
  const [lumino, { IRenderMimeRegistry }, notebook] = await Promise.all([
    shared(scope, "@lumino/widgets"),
    shared(scope, "@jupyterlab/rendermime"),
    shared(scope, "@jupyterlab/notebook").catch(() => null), // an application without notebooks
  ]);
  return {
    id: "nbagents:runs",
    description: "Shows saved runs and maps, and live ones where their kernel is.",
    autoStart: true,
    requires: [IRenderMimeRegistry],
    optional: notebook ? [notebook.INotebookTracker] : [],
    activate(_app, rendermime, tracker) {
      addRenderers(lumino, rendermime, null);
      const add = (panel: NotebookPanel) => {
        addRenderers(lumino, panel.content.rendermime, panel);
        followEnds(panel);
      };
      tracker?.forEach(add);
      tracker?.widgetAdded.connect((_, panel) => add(panel));
    },
  };
}

/** Each notebook has renderers of its own, and so has ours: they know their notebook. */
function addRenderers(
  lumino: Packages["@lumino/widgets"],
  rendermime: RenderMime,
  panel: NotebookPanel | null,
): void {
  const notebook = (el: HTMLElement) => panel && actionsOf(panel, el);
  for (const [mime, draw] of [
    [RUN_MIME, drawRun(notebook)],
    [WIDGET_MIME, drawWidget],
  ] as const) {
    const createRenderer = () => makeOutput({ rendermime, lumino, panel }, draw);
    rendermime.addFactory({ safe: true, mimeTypes: [mime], createRenderer }, RANK);
  }
}
