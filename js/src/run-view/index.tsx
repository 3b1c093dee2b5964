/** The run view: `attach` makes a model's state, `mount` draws one view of it. */
import { render } from "preact";
import type { Door, Opening, Page, WidgetModel } from "../bridge";
import { keepFocus, keepShortcutsAway } from "../page";
import "./every-text";
import type { Tree } from "../tree";
import { type Cut, followRun, RunState } from "./state";
import { addStyles } from "./styles";
import { RunView } from "./view";

export function attach(model: WidgetModel, signal: AbortSignal, page: Page): RunState {
  return followRun(model, signal, page);
}

export function mount(
  _model: WidgetModel,
  el: HTMLElement,
  signal: AbortSignal,
  state: RunState,
): void {
  show(el, signal, state);
}

/** Draw a run that a notebook has saved; needs no kernel. `cuts`: what the saved run lacks. */
export function mountSaved(
  el: HTMLElement,
  signal: AbortSignal,
  tree: Tree,
  door: Door,
  cuts: readonly Cut[] = [],
  opening: Opening = "errors",
): void {
  show(el, signal, RunState.saved(tree, door, cuts, opening));
}

function show(el: HTMLElement, signal: AbortSignal, state: RunState): void {
  if (signal.aborted) return;
  const box = document.createElement("div");
  el.append(box);
  addStyles(el);
  render(<RunView state={state} />, box);
  keepShortcutsAway(box, signal);
  signal.addEventListener("abort", () => {
    keepFocus(box, keeperOf(el));
    render(null, box);
    box.remove();
  });
}

/** What takes the focus over from a view that goes: the output that will show the run as saved, or the cell. */
function keeperOf(el: HTMLElement): HTMLElement | null {
  return el.closest<HTMLElement>(".nba-output") ?? el.closest<HTMLElement>(".jp-Cell, [tabindex]");
}
