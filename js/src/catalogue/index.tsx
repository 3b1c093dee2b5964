/** A catalogue to search in, as a widget (`mount`) and as it was saved (`render`). */

import { render as draw } from "preact";
import { onChange, type Rendering, type RenderOptions, type WidgetModel } from "../bridge";
import { type Ask, askerOf } from "../kernel-questions";
import { boxAlone } from "../page";
import css from "./catalogue.css";
import { Search } from "./search";
import { shownFrom } from "./shown";
import { CatalogueTable } from "./table";

/** Shows a `CatalogueView`; each view of one model has its own search. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const show = viewIn(el, signal, askerOf(model, "catalogue", signal));
  const update = () => show(model.get("shown"));
  onChange(model, ["shown"], signal, update);
  update();
}

/** Shows what was saved of one: its rows, of which some can be opened. */
export function render({ el, value, signal }: RenderOptions): Rendering {
  const show = viewIn(el, signal, null);
  show(value);
  return { update: show };
}

function viewIn(el: HTMLElement, signal: AbortSignal, ask: Ask | null): (value: unknown) => void {
  const box = boxAlone(el, signal, "catalogue", css);
  return (value) => {
    const shown = shownFrom(value);
    if (shown) draw(<CatalogueTable search={new Search(shown, ask)} />, box);
    else draw("This is no catalogue: it has no rows.", box);
  };
}
