/**
 * What belongs to one view of a run, and not to the run: what is looked for, which panel is open,
 * whether it fills the screen, and what those who listen are told.
 *
 * @module
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type CallNode, callsOf, entry } from "../tree";
import { type Found, find } from "./find";
import { enterFull, leaveFull } from "./full-screen";
import { groupKey, rowsOf } from "./groups";
import { callKey, wholeKey } from "./opened";
import type { RunState } from "./state";

export type Panel = "keys" | "seen";

export class ViewState {
  readonly query = signal("");
  /** Whether the box for words to look for was asked for. */
  readonly isFinding = signal(false);
  readonly panel = signal<Panel | null>(null);
  readonly isFull = signal(false);
  /** Something that was done, for those who listen. */
  readonly notice = signal("");
  /** The calls that hold the words that are looked for; `null` while nothing is. */
  readonly found: ReadonlySignal<Found | null>;
  readonly state: RunState;
  /** The view's outermost element. */
  root: HTMLElement | null = null;

  constructor(state: RunState) {
    this.state = state;
    this.found = computed(() => {
      const query = this.query.value.trim();
      return query ? find(state.tree.value, query) : null;
    });
  }

  /** Open or close one of the panels below the header. */
  togglePanel(panel: Panel): void {
    this.panel.value = this.panel.value === panel ? null : panel;
  }

  /** Show the box for words to look for, or put it away with them. */
  toggleFinding(): void {
    this.isFinding.value = !this.isFinding.value;
    if (!this.isFinding.value) this.query.value = "";
  }

  /** Fill the screen, or leave it; then the focus goes back to what asked for it. */
  toggleFull(trigger: HTMLElement | null = null): void {
    const { root } = this;
    if (!root) return;
    if (this.isFull.value) leaveFull(root);
    else
      enterFull(root, (isFull) => {
        this.isFull.value = isFull;
        if (!isFull) (trigger ?? root.querySelector<HTMLElement>("button"))?.focus();
      });
  }

  /** Open all that stands around a call's row, then go there. */
  reveal(run_id: string, call_id: string): void {
    this.query.value = "";
    const { tree, opened } = this.state;
    let run = entry(tree.value.runs, run_id);
    let call = call_id;
    for (const seen = new Set<string>(); run && !seen.has(run.id); ) {
      seen.add(run.id);
      opened.set(wholeKey(run.id), true);
      const isIn = (calls: CallNode[]) => calls.some(({ id }) => id === call);
      for (const row of rowsOf(run, null, (one) => this.state.hasViews(one))) {
        if (row.type !== "group" || !isIn(row.calls)) continue;
        opened.set(groupKey(run.id, row), true);
        opened.set(wholeKey(groupKey(run.id, row)), true);
      }
      const { parent_run_id, parent_tool_call_id } = run;
      if (parent_run_id === null || parent_tool_call_id === null) break;
      opened.set(callKey(parent_run_id, parent_tool_call_id), true);
      run = entry(tree.value.runs, parent_run_id);
      call = parent_tool_call_id;
    }
    this.#goTo(callKey(run_id, call_id));
  }

  /** Rows are drawn in turns: wait for this one. */
  #goTo(key: string, tries = 60): void {
    const rows = this.root?.querySelectorAll<HTMLElement>(".nba-row") ?? [];
    const row = [...rows].find((one) => one.dataset.call === key);
    if (row) {
      row.scrollIntoView({ block: "center" });
      row.focus({ preventScroll: true });
    } else if (tries > 0) requestAnimationFrame(() => this.#goTo(key, tries - 1));
  }
}

/** The calls that wait for the person, with their runs. */
export function waitingCalls(state: RunState): { run_id: string; call_id: string }[] {
  return Object.values(state.tree.value.runs).flatMap((run) =>
    callsOf(run)
      .filter(({ status }) => status === "waiting")
      .map(({ id }) => ({ run_id: run.id, call_id: id })),
  );
}

const Context = createContext<ViewState | null>(null);

export const ViewProvider = Context.Provider;

export function useView(): ViewState {
  const view = useContext(Context);
  if (!view) throw new Error("A part of the run view stands outside of one.");
  return view;
}
