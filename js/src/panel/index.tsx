/** Rows that somebody looks over, with what can be done about each: as a widget (`mount`) and as saved (`render`). */

import { render as draw } from "preact";
import { askerOf } from "../asking";
import type { Rendering, RenderOptions, WidgetModel } from "../bridge";
import { addSheet, boxAlone } from "../page";
import { type Ask, Panel, PanelState } from "./panel";
import css from "./panel.css";
import { shownFrom } from "./shown";

/** Shows a panel; what Python puts into `shown` is shown by all its views. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const show = viewIn(boxIn(el, signal), askerOf(model, "panel", signal));
  const update = () => show(model.get("shown"));
  model.on("change:shown", update);
  signal.addEventListener("abort", () => model.off("change:shown", update));
  update();
}

/** Shows what was saved of one. */
export function render({ el, value, signal }: RenderOptions): Rendering {
  const show = viewIn(boxIn(el, signal), null);
  show(value);
  return { update: show };
}

function viewIn(box: HTMLElement, ask: Ask | null): (value: unknown) => void {
  let state: PanelState | null = null;
  return (value) => {
    const shown = shownFrom(value);
    if (!shown) return draw("This is no panel: it has no sections.", box);
    if (state) {
      state.shown.value = shown;
      return;
    }
    state = new PanelState(shown, ask);
    draw(<Panel state={state} />, box);
  };
}

function boxIn(el: HTMLElement, signal: AbortSignal): HTMLElement {
  const box = boxAlone(el, signal);
  addSheet(box, "panel", css);
  return box;
}
