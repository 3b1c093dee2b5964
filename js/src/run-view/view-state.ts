/**
 * What belongs to one view of a run, and not to the run: what is looked for, which panel is open,
 * whether it fills the screen, and what those who listen are told.
 *
 * @module
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { callsAbove, type Question } from "./asked";
import { type Found, find } from "./find";
import { hasFocus } from "./focus";
import { enterFull, leaveFull } from "./full-screen";
import type { RunState } from "./state";

/** What is asked so soon after an answer has the focus, if nobody has moved it. */
const SOON_MS = 5000;

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

  /** Go to something that is asked. */
  showQuestion({ node, run }: Question): void {
    this.query.value = "";
    const { tree, opened } = this.state;
    for (const key of callsAbove(tree.peek(), run)) opened.set(key, true);
    // where nobody hears an answer, what goes on with the run is what answers
    const resume = () => this.root?.querySelector<HTMLElement>(".nba-resume button") ?? undefined;
    const find = this.state.door.isLive ? null : resume;
    this.#goTo(() => find?.() ?? this.boxOf(node.id));
  }

  /** Where something that is asked stands in this view. */
  boxOf(await_id: string): HTMLElement | undefined {
    const boxes = [...(this.root?.querySelectorAll<HTMLElement>(".nba-await") ?? [])];
    return boxes.find(({ dataset }) => dataset.await === await_id);
  }

  /** What had the focus was answered: go to the next question, or else to its call's row. */
  handOn(await_id: string): void {
    const { open, byCall } = this.state.asked.peek();
    if (open.some(({ node }) => node.id === await_id)) return; // it is only put away
    const [next] = open;
    if (next) {
      this.showQuestion(next);
      return;
    }
    const [key] = [...byCall].find(([, all]) => all.some(({ node }) => node.id === await_id)) ?? [];
    const rows = () => [...(this.root?.querySelectorAll<HTMLElement>(".nba-row") ?? [])];
    const find = () => rows().find((row) => key === undefined || row.dataset.call === key);
    this.#goTo(find, (row) => this.#awaitNext(row));
  }

  /** Go on to what is asked next, where the focus is still on the row that an answer left it on. */
  #awaitNext(row: HTMLElement): void {
    const stop = this.state.asked.subscribe(({ open: [next] }) => {
      if (next && hasFocus(row)) this.showQuestion(next);
    });
    setTimeout(stop, SOON_MS);
  }

  /** Rows are drawn in turns: wait for what is gone to. */
  #goTo(
    find: () => HTMLElement | undefined,
    then?: (found: HTMLElement) => void,
    tries = 60,
  ): void {
    requestAnimationFrame(() => {
      const found = find();
      if (found) {
        found.scrollIntoView({ block: "nearest" });
        found.focus({ preventScroll: true });
        then?.(found);
      } else if (tries > 0) this.#goTo(find, then, tries - 1);
    });
  }
}

const Context = createContext<ViewState | null>(null);

export const ViewProvider = Context.Provider;

export function useView(): ViewState {
  const view = useContext(Context);
  if (!view) throw new Error("A part of the run view stands outside of one.");
  return view;
}
