/** Draws what a notebook has saved: a run, or the still form of a widget. */
import { isRecord, type Library } from "../bridge";
import { themeOf } from "../page";
import type { Application, MimeModel, NotebookPanel } from "./host";
import { moduleBeside, savedModule } from "./modules";
import type { DrawSaved } from "./output";

export const WIDGET_MIME = "application/vnd.nbagents.widget.v1+json";
const STANDALONE = new Set(["catalogue", "map", "panel", "table", "chart"]);

/** Draw runs; `panel`: the notebook around them. */
export function drawRun(app: Application, panel: NotebookPanel | null): DrawSaved {
  return async (model, el, signal) => {
    const { showRun } = await savedModule();
    await showRun({ model, el, signal, app, panel, load: moduleBeside });
  };
}

/** Draw the still form of a widget by the module of its kind; no kernel takes part. */
export const drawWidget: DrawSaved = async (model, el, signal) => {
  const { kind, value = null } = fieldsOf(model);
  if (typeof kind !== "string" || !STANDALONE.has(kind)) throw new Error("No kind of widget");
  const { render } = await moduleBeside<Library>(kind);
  if (signal.aborted) return;
  const isUntrusted = !model.trusted;
  const theme = themeOf(el);
  await render?.({ el, value, theme, signal, isUntrusted, load: moduleBeside, ...NOBODY });
};

/** Nobody hears a saved widget. */
const NOBODY = {
  emit: () => {},
  ask: () => Promise.reject(new Error("This is a saved view: run the cell again to ask for more.")),
};

function fieldsOf({ data }: MimeModel) {
  const value = data[WIDGET_MIME];
  if (!isRecord(value)) throw new Error("No widget");
  return value;
}
