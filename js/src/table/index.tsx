/** The table, as a widget of its own (`mount`) and as the picture of a payload (`render`). */

import { render as draw } from "preact";
import type { Rendering, RenderOptions, WidgetModel } from "../bridge";
import type { JsonValue } from "../events";
import { ALONE, ALONE_TOKENS, addSheet } from "../sheet";
import { keepShortcutsAway } from "../shortcuts";
import { askerOf } from "./asking";
import { Grid } from "./grid";
import { TablePages } from "./pages";
import { tableFrom } from "./table-value";

/** Shows a `TableView`; each view of one model has its own page and order. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const ask = askerOf(model, "table", signal);
  const view = show(el, ask, signal);
  const update = () => view(model.get("table"), model.get("title"));
  for (const trait of ["table", "title"]) {
    model.on(`change:${trait}`, update);
    signal.addEventListener("abort", () => model.off(`change:${trait}`, update));
  }
  update();
}

/** Shows payloads of kind `table`. */
export function render({ el, value, ask, signal }: RenderOptions): Rendering {
  const view = show(el, ask, signal);
  view(value, "");
  return { update: (next) => view(next, "") };
}

function show(
  el: HTMLElement,
  ask: (question: JsonValue) => Promise<JsonValue>,
  signal: AbortSignal,
): (value: unknown, title: unknown) => void {
  const box = document.createElement("div");
  box.className = ALONE;
  el.append(box);
  addSheet(box, "alone", ALONE_TOKENS);
  keepShortcutsAway(box, signal);
  signal.addEventListener("abort", () => {
    draw(null, box);
    box.remove();
  });
  let pages: TablePages | null = null;
  return (value, title) => {
    const table = tableFrom(value);
    if (!table) {
      draw("This is no table: it has no rows.", box);
      return;
    }
    if (pages) pages.replace(table);
    else pages = new TablePages(table, ask);
    const name = typeof title === "string" && title ? title : "Table";
    draw(<Grid pages={pages} title={name} />, box);
  };
}
