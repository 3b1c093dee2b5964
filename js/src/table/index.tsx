/** The table, as a widget of its own (`mount`) and as the picture of a payload (`render`). */

import { render as draw } from "preact";
import {
  onChange,
  type Rendering,
  type RenderOptions,
  type SavedRows,
  type WidgetModel,
} from "../bridge";
import { type Ask, askerOf } from "../kernel-questions";
import { boxAlone } from "../page";
import { Grid } from "./grid";
import { keepArrangement, TablePages, tableFrom } from "./rows";

/** Shows a `TableView`; each view of one model has its own page and order. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const ask = askerOf(model, "table", signal);
  const view = show(el, ask, signal);
  const update = () => view(model.get("table"), model.get("title"));
  onChange(model, ["table", "title"], signal, update);
  update();
}

/** Shows payloads of kind `table`. */
export function render({ el, value, id, ask, saved, signal }: RenderOptions): Rendering {
  const view = show(
    el,
    saved === undefined ? ask : (saved?.ask ?? null),
    signal,
    saved ?? null,
    id,
  );
  view(value, "");
  return { update: (next) => view(next, "") };
}

function show(
  el: HTMLElement,
  ask: Ask | null,
  signal: AbortSignal,
  saved: SavedRows | null = null,
  id = "",
): (value: unknown, title: unknown) => void {
  const box = boxAlone(el, signal);
  let pages: TablePages | null = null;
  saved?.onEnd(() => pages?.end(), signal);
  return (value, title) => {
    const table = tableFrom(value);
    if (!table) {
      draw("This is no table: it has no rows.", box);
      return;
    }
    if (pages) pages.replace(table);
    else {
      pages = new TablePages(table, ask, saved === null);
      if (id) keepArrangement(pages, id, signal);
    }
    const name = typeof title === "string" && title ? title : "Table";
    draw(<Grid pages={pages} title={name} />, box);
  };
}
