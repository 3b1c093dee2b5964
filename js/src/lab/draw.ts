/**
 * Draws what a notebook has saved: a run, or the still form of a widget. No kernel takes part.
 *
 * @module
 */
import { isRecord, type Library, type NotebookActions } from "../bridge";
import { themeOf } from "../run-view/theme";
import { moduleBeside, savedDoor } from "./door";
import type { MimeModel } from "./jupyter";
import type { DrawSaved } from "./output";
import { Misfit } from "./reader";
import { RUN_MIME, readRun } from "./saved-run";

export const WIDGET_MIME = "application/vnd.nbagents.widget.v1+json";
const STANDALONE = new Set(["map", "table", "chart"]);

/** Draw a run; `notebook` finds what the notebook around an element can do. */
export function drawRun(notebook: (el: HTMLElement) => NotebookActions | null): DrawSaved {
  return async (model, el, signal) => {
    const run = readRun(model.data[RUN_MIME]);
    const { mountSaved } = await moduleBeside<typeof import("../run-view/index")>("run-view");
    if (signal.aborted) return;
    const door = savedDoor(notebook(el), model.trusted);
    mountSaved(el, signal, run.tree, door, run.cuts, run.open);
  };
}

/** Draw the still form of a widget by the module of its kind. */
export const drawWidget: DrawSaved = async (model, el, signal) => {
  const { kind, value = null } = fieldsOf(model);
  if (typeof kind !== "string" || !STANDALONE.has(kind)) throw new Misfit("A kind of widget");
  const { render } = await moduleBeside<Library>(kind);
  if (signal.aborted) return;
  const { emit, ask } = savedDoor(null, model.trusted);
  const own = {
    emit: (said: typeof value) => emit(kind, said),
    ask: (question: typeof value) => ask(kind, question),
  };
  const isUntrusted = !model.trusted;
  const theme = themeOf(el);
  await render?.({ el, value, theme, signal, isUntrusted, load: moduleBeside, ...own });
};

function fieldsOf({ data }: MimeModel) {
  const value = data[WIDGET_MIME];
  if (!isRecord(value)) throw new Misfit("A widget");
  return value;
}
