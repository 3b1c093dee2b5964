/**
 * The live view of an output, through JupyterLab's own renderer of widgets, where there is one and it
 * knows the widget.
 *
 * jupyterlab-manager registers a renderer that waits for a manager, and replaces it in each notebook
 * once a kernel is there. It then looks for the renderers it has already made, but only for those
 * that are a cell's outputs themselves, not for one inside another, as ours is. So ours is made again
 * as soon as the notebook's renderer is another one.
 *
 * Source: ipywidgets, `python/jupyterlab_widgets/src/plugin.ts`, `registerWidgetHandler`.
 */
import { keepFocus } from "../page";
import {
  type MimeModel,
  type NotebookPanel,
  OVER,
  type Panel,
  type Renderer,
  type RendererFactory,
  type RenderMime,
} from "./host";

export const WIDGET_VIEW = "application/vnd.jupyter.widget-view+json";
const LOOK_EVERY_MS = 150;
/** So long nothing stands where a view gives way to that of another manager. */
const NEXT_SOON_MS = 600;
const LOOK_AT_LEAST_EVERY_MS = 3000;

/** Whether a bundle may be shown by a widget: in an untrusted notebook none is ever made. */
export function mayLive(model: MimeModel): boolean {
  return model.trusted && model.data[WIDGET_VIEW] !== undefined;
}

interface LiveOptions {
  rendermime: RenderMime;
  model: MimeModel;
  /** Where the live view is put. */
  box: Panel;
  /** The notebook around it: its kernel may end. */
  panel: NotebookPanel | null;
  /** Is called with whether the live view stands, whenever that changes. */
  tell(isLive: boolean): void;
  signal: AbortSignal;
}

/** Keep the live view of a model in its box: until the signal, or until its kernel has ended. */
export function keepLive({ rendermime, model, box, panel, tell, signal }: LiveOptions): void {
  let factory: RendererFactory | undefined;
  let renderer: Renderer | undefined;
  let isLive = false;
  let wait_ms = LOOK_EVERY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let missing: ReturnType<typeof setTimeout> | undefined;
  const set = (stands: boolean) => {
    if (stands === isLive) return;
    isLive = stands;
    if (isLive) renderer?.show();
    else renderer?.hide(); // what it says instead of a widget is no help
    tell(isLive);
  };
  const look = () => set(!!renderer && viewsIn(renderer) > 0);
  const changes = new MutationObserver(look);
  /** Have what stands go, because another manager draws the next: the focus waits for that. */
  const leave = () => {
    if (!renderer) return;
    keepFocus(renderer.node, box.node);
    renderer.dispose();
    if (!isLive) return;
    isLive = false; // said only where nothing comes: a live view in the place of another does not flicker
    missing = setTimeout(() => isLive || tell(false), NEXT_SOON_MS);
  };
  const follow = () => {
    const known = rendermime.getFactory(WIDGET_VIEW);
    if (known && known !== factory) {
      factory = known;
      leave();
      renderer = rendermime.createRenderer(WIDGET_VIEW);
      renderer.hide();
      changes.disconnect();
      changes.observe(renderer.node, { childList: true });
      box.addWidget(renderer);
      renderer.renderModel(model).then(look, console.warn);
    }
    wait_ms = Math.min(wait_ms * 1.3, LOOK_AT_LEAST_EVERY_MS);
    timer = setTimeout(follow, wait_ms);
  };
  const end = () => {
    panel?.sessionContext.statusChanged.disconnect(hearStatus);
    clearTimeout(timer);
    clearTimeout(missing);
    changes.disconnect();
    if (!signal.aborted) {
      keepFocus(box.node, box.node); // else whoever gave the signal has
      set(false);
    }
    renderer?.dispose();
  };
  const hearStatus = (_: unknown, status: string) => {
    if (OVER.has(status)) end();
  };
  panel?.sessionContext.statusChanged.connect(hearStatus);
  signal.addEventListener("abort", end);
  follow();
}

/** How many widgets a renderer of widgets shows; it is a Lumino panel, and until then it has none. */
function viewsIn(renderer: Renderer): number {
  return "widgets" in renderer && Array.isArray(renderer.widgets) ? renderer.widgets.length : 0;
}
