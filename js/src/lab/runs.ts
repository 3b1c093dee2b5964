/**
 * The plugin that draws runs and widgets of notebooks, in JupyterLab, Notebook and wherever else
 * outputs are rendered by their registry.
 */
import { hostOfPage } from "../bridge";
import { drawRun, drawWidget, WIDGET_MIME } from "./draw";
import {
  type Application,
  type NotebookPanel,
  type NotebookTracker,
  type Packages,
  type Plugin,
  type RenderMime,
  RUN_MIME,
  type ShareScope,
  shared,
} from "./host";
import { followLinks } from "./links";
import { followEnds } from "./missed-end";
import { placeModule } from "./modules";
import { makeOutput } from "./output";

/** Before the view of a widget, which is at -10 and has no other form to show. */
const RANK = -20;

export async function runsPlugin(
  scope: ShareScope,
): Promise<Plugin<[RenderMime, NotebookTracker?]>> {
  const [lumino, { IRenderMimeRegistry }, notebook, core] = await Promise.all([
    shared(scope, "@lumino/widgets"),
    shared(scope, "@jupyterlab/rendermime"),
    shared(scope, "@jupyterlab/notebook").catch(() => null), // an application without notebooks
    shared(scope, "@jupyterlab/coreutils").catch(() => null),
  ]);
  return {
    id: "nbagents:runs",
    description: "Shows saved runs and maps, and live ones where their kernel is.",
    autoStart: true,
    requires: [IRenderMimeRegistry],
    optional: notebook ? [notebook.INotebookTracker] : [],
    activate(app, rendermime, tracker) {
      const { latexTypesetter: latex } = rendermime;
      if (latex) hostOfPage().typeset = (el) => latex.typeset(el);
      addRenderers(app, lumino, rendermime, null);
      const add = (panel: NotebookPanel) => {
        addRenderers(app, lumino, panel.content.rendermime, panel);
        followEnds(panel);
        followLinks(panel);
        const root = core?.PageConfig.getOption("serverRoot") ?? "";
        placeModule().then(({ tellPlace }) => tellPlace(app, panel, root), console.warn);
      };
      tracker?.forEach(add);
      tracker?.widgetAdded.connect((_, panel) => add(panel));
    },
  };
}

/** Each notebook has renderers of its own, and so has ours: they know their notebook. */
function addRenderers(
  app: Application,
  lumino: Packages["@lumino/widgets"],
  rendermime: RenderMime,
  panel: NotebookPanel | null,
): void {
  for (const [mime, draw] of [
    [RUN_MIME, drawRun(app, panel)],
    [WIDGET_MIME, drawWidget],
  ] as const) {
    const createRenderer = () => makeOutput({ rendermime, lumino, panel }, draw);
    rendermime.addFactory({ safe: true, mimeTypes: [mime], createRenderer }, RANK);
  }
}
