/**
 * The run view: `attach` makes a model's state, `mount` draws one view of it.
 *
 * @module
 */
import { render } from "preact";
import type { Door, Opening, Page, WidgetModel } from "../bridge";
import { keepShortcutsAway } from "../shortcuts";
import "./every-text";
import type { Tree } from "../tree";
import { followRun } from "./live";
import { type Cut, RunState } from "./state";
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
    const keeper = box.contains(document.activeElement) ? keeperOf(el) : null;
    if (keeper) keeper.dataset.nbaRow = String(rowWithFocus(box));
    render(null, box);
    box.remove();
    keeper?.focus({ preventScroll: true });
  });
}

/** What takes the focus over from a view that goes: the output that will show the run as saved, or the cell. */
function keeperOf(el: HTMLElement): HTMLElement | null {
  return el.closest<HTMLElement>(".nba-output") ?? el.closest<HTMLElement>(".jp-Cell, [tabindex]");
}

function rowWithFocus(box: HTMLElement): number {
  const item = document.activeElement?.closest("li");
  return [...box.querySelectorAll(".nba-row")].findIndex((row) => row.parentElement === item);
}
