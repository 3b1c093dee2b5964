/**
 * What belongs to one view of a run, and not to the run: what is looked for, which panel is open,
 * whether it fills the screen, and what those who listen are told.
 */
import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { isRecord } from "../../bridge";
import { enterFull, hasFocus, leaveFull, outputsOf, ROW, stayFull } from "../../page";
import { entry } from "../../tree";
import { callKey, wholeKey } from "./open-rows";
import { callsAbove, type Question } from "./questions";
import type { RunState } from "./run-state";
import { type Found, find } from "./search";

/** What is asked so soon after an answer has the focus, if nobody has moved it. */
const SOON_MS = 5000;

export type Panel = "about" | "copies" | "keys" | "seen";

export class ViewState {
  readonly query = signal("");
  /** Whether the box for words to look for was asked for. */
  readonly isFinding = signal(false);
  readonly panel = signal<Panel | null>(null);
  readonly isFull = signal(false);
  /** Whether times are drawn without those in which a person was waited for. */
  readonly leavesOut = signal(false);
  /** Whether what happened is in sight, where somebody has said so. */
  readonly isUnfolded = signal<boolean | null>(null);
  /** Whether a person wants the two panes also where it does not. */
  readonly isSplit = signal(false);
  /** What is selected in the two panes: a run, a call as `run/call`, or a step; empty: nothing yet. */
  readonly selected = signal("");
  /** Which tab of the pane is open, by what is selected; empty: the first. */
  readonly tabs = { call: signal(""), run: signal(""), step: signal("") };
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

  /** Whether the calls stand beside what is known of each. */
  get isPaned(): boolean {
    return this.isFull.value || this.isSplit.value;
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

  /** Fill the screen, or leave it; then the focus goes back to the button that asks for it. */
  toggleFull(): void {
    const { root } = this;
    if (!root) return;
    if (this.isFull.value) leaveFull(root);
    else enterFull(root, this.#hearFull(root));
  }

  #hearFull(root: HTMLElement): (isFull: boolean) => void {
    return (isFull) => {
      if (!root.isConnected) return; // another view has its place
      this.isFull.value = isFull;
      if (!isFull) this.#goTo(() => root.querySelector<HTMLElement>('[data-tool="full"]'));
    };
  }

  /** Be what the view of this run was that stood here, as its panes have told. */
  takeOver(root: HTMLElement): void {
    const before: unknown = JSON.parse(outputsOf(root)?.dataset.nbaPanes ?? "null");
    if (!isRecord(before) || before.of !== this.state.tree.peek().root_ids[0]) return;
    stayFull(root, this.#hearFull(root));
    this.isSplit.value = before.isSplit === true;
    if (this.isPaned) this.selected.value = String(before.selected);
    const open = isRecord(before.tabs) ? before.tabs : {};
    for (const [kind, tab] of Object.entries(this.tabs)) tab.value = String(open[kind] ?? "");
  }

  /** Go to a run, or to a call as `run/call`, and open it; whether it is here. */
  showPlace(place: string): boolean {
    const { tree, opened } = this.state;
    const run = entry(tree.peek().runs, place.split("/", 1)[0] ?? "");
    if (!run) return false;
    this.query.value = "";
    this.selected.value = place;
    this.isUnfolded.value = true;
    const above = callsAbove(tree.peek(), run);
    for (const key of [...above, place]) opened.set(key, true);
    for (const id of [run.id, ...above.map((key) => key.split("/", 1)[0] ?? "")])
      opened.set(wholeKey(id), true);
    const key = place === run.id ? above.at(-1) : place;
    this.#goTo(() => (key === undefined ? this.root?.querySelector("button") : this.rowOf(key)));
    return true;
  }

  /** Leave the two panes for a call's row in the list. */
  showInList(key: string): void {
    if (this.isFull.peek()) this.toggleFull();
    this.isSplit.value = false;
    this.showPlace(key);
  }

  /** The row of a call, where it is drawn. */
  rowOf(key: string): HTMLElement | undefined {
    const rows = [...(this.root?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    const leaf = this.root?.querySelector<HTMLElement>('.nba-tree [aria-selected="true"]');
    return leaf?.dataset.key === key ? leaf : rows.find((row) => row.dataset.call === key);
  }

  /** Go to something that is asked. */
  showQuestion({ node, run }: Question): void {
    this.query.value = "";
    const { tree, opened } = this.state;
    for (const key of callsAbove(tree.peek(), run)) opened.set(key, true);
    this.selected.value = node.call_id === null ? run.id : callKey(run.id, node.call_id);
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
    const first = () => this.root?.querySelector<HTMLElement>(ROW);
    this.#goTo(
      () => (key === undefined ? first() : this.rowOf(key)),
      (row) => this.#awaitNext(row),
    );
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
    find: () => HTMLElement | null | undefined,
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
