/** Rows that somebody looks over, with what can be done about each: as a widget (`mount`) and as saved (`render`). */

import { render as draw } from "preact";
import { onChange, type Rendering, type RenderOptions, type WidgetModel } from "../bridge";
import { type Ask, askerOf } from "../kernel-questions";
import { boxAlone } from "../page";
import { Panel, PanelState } from "./panel";
import css from "./panel.css";
import { shownFrom } from "./shown";

/** Shows a panel; what Python puts into `shown` is shown by all its views. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  const show = viewIn(el, signal, askerOf(model, "panel", signal));
  const update = () => show(model.get("shown"));
  onChange(model, ["shown"], signal, update);
  update();
}

/** Shows what was saved of one. */
export function render({ el, value, signal }: RenderOptions): Rendering {
  const show = viewIn(el, signal, null);
  show(value);
  return { update: show };
}

function viewIn(el: HTMLElement, signal: AbortSignal, ask: Ask | null): (value: unknown) => void {
  const box = boxAlone(el, signal, "panel", css);
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
