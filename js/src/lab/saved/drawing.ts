/** Draws a run that a notebook has saved. */
import type { Library } from "../../bridge";
import { type Application, type MimeModel, type NotebookPanel, RUN_MIME } from "../host";
import { actionsOf } from "./cells";
import { savedDoor } from "./door";
import { nearSight } from "./in-sight";
import { rowsOfRun } from "./rows";
import { readRun } from "./saved-run";

interface Shown {
  model: MimeModel;
  el: HTMLElement;
  signal: AbortSignal;
  app: Application;
  /** The notebook around it; elsewhere there may be none. */
  panel: NotebookPanel | null;
  /** A module beside the extension's script. */
  load<Module = Library>(name: string): Promise<Module>;
}

/** Draw the run that a model holds; throws where it holds none. */
export async function showRun({ model, el, signal, app, panel, load }: Shown): Promise<void> {
  const isAlone = el.parentElement?.childElementCount === 1; // else something stands in its place
  if (isAlone) await nearSight(el, signal);
  if (signal.aborted) return;
  const run = readRun(model.data[RUN_MIME]);
  const { mountSaved } = await load<typeof import("../../run-view")>("run-view");
  if (signal.aborted) return;
  const door = savedDoor({
    load,
    root_id: run.root_id,
    isTrusted: model.trusted,
    frozen: model.data,
    kernel: () => panel?.sessionContext.session?.kernel ?? null,
    notebook: panel && actionsOf(app, panel, el),
    rows: panel && rowsOfRun(panel, run.root_id, signal),
  });
  mountSaved(el, signal, run.tree, door, run.cuts, run.open);
}
