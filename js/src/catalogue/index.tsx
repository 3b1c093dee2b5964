/** A catalogue to search in, as a widget (`mount`) and as it was saved (`render`). */

import { render as draw } from "preact";
import { askerOf } from "../asking";
import type { Rendering, RenderOptions, WidgetModel } from "../bridge";
import { addSheet, boxAlone } from "../page";
import type { JsonValue } from "../tree";
import css from "./catalogue.css";
import { Search } from "./search";
import { shownFrom } from "./shown";
import { CatalogueTable } from "./table";

/** Shows a `CatalogueView`; each view of one model has its own search. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const box = boxIn(el, signal);
  const ask = askerOf(model, "catalogue", signal);
  const show = viewIn(box, ask);
  const update = () => show(model.get("shown"));
  model.on("change:shown", update);
  signal.addEventListener("abort", () => model.off("change:shown", update));
  update();
}

/** Shows what was saved of one: its rows, of which some can be opened. */
export function render({ el, value, signal }: RenderOptions): Rendering {
  const show = viewIn(boxIn(el, signal), null);
  show(value);
  return { update: show };
}

function viewIn(
  box: HTMLElement,
  ask: ((question: JsonValue) => Promise<JsonValue>) | null,
): (value: unknown) => void {
  return (value) => {
    const shown = shownFrom(value);
    if (shown) draw(<CatalogueTable search={new Search(shown, ask)} />, box);
    else draw("This is no catalogue: it has no rows.", box);
  };
}

function boxIn(el: HTMLElement, signal: AbortSignal): HTMLElement {
  const box = boxAlone(el, signal);
  addSheet(box, "catalogue", css);
  return box;
}
