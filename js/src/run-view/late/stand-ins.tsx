/**
 * Stand-ins for the parts of the view that come when they are needed: a word until they are here, and
 * why where they cannot come. What arrives takes the focus over from what stood for it.
 */
import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Door, reasonOf } from "../../bridge";
import { addSheet, hasFocus } from "../../page";
import { useView, type ViewState } from "../state";
import { lend } from "./kit";

type Parts = typeof import("./parts");
type PaneParts = typeof import("./pane");

/** What of a part takes the focus; a part that only says something has but its way back. */
export const FIRST = "input, textarea, select, [data-act=cancel], [data-coming]";

/** A module of late parts. */
class LateModule<All extends { css: string }> {
  readonly #name: string;
  readonly #parts = signal<All | null>(null);
  readonly #problem = signal("");

  constructor(name: string) {
    this.#name = name;
  }

  /** What they need beside the view's own stylesheet; empty: nothing, as they are not here. */
  get css(): string {
    return this.#parts.value?.css ?? "";
  }

  /** The parts as they came; `null`: not yet. */
  arrive(all: All | null): void {
    this.#parts.value = all;
    this.#problem.value = "";
  }

  /** Have the module come, unless it has; of many that wait for it, only the first takes it in. */
  async fetch(door: Pick<Door, "load">): Promise<void> {
    if (this.#parts.peek()) return;
    try {
      const module = await door.load(this.#name);
      if (this.#parts.peek()) return; // other components would take the place of those that are drawn
      const all = module.parts?.(lend);
      if (all) this.arrive(all as All); // built from the file of its type, as the test of it says
    } catch (reason) {
      this.#problem.value = reasonOf(reason);
    }
  }

  /** A part that is drawn once its module is here. */
  part<P extends object>(
    pick: (all: All) => (props: P) => JSX.Element | null,
  ): (props: P) => JSX.Element {
    return (props) => {
      const Part = this.#parts.value && pick(this.#parts.value);
      if (Part) return <Part {...props} />;
      return <Coming fetch={(door) => this.fetch(door)} problem={this.#problem.value} />;
    };
  }
}

const parts = new LateModule<Parts>("run-parts");
const panes = new LateModule<PaneParts>("run-pane");

/** The parts as they came; `null`: not yet. */
export function arrive(all: Parts | null, pane: PaneParts | null = null): void {
  parts.arrive(all);
  panes.arrive(pane);
}

/** Have the parts come that a run may need while it goes on. */
export function fetchParts(door: Pick<Door, "load">): Promise<void> {
  return parts.fetch(door);
}

/** A part that is drawn once its module is here. */
export function late<P extends object>(pick: (all: Parts) => (props: P) => JSX.Element | null) {
  return parts.part(pick);
}

/** The same of what is there for looking closer. */
export function latePane<P extends object>(
  pick: (all: PaneParts) => (props: P) => JSX.Element | null,
) {
  return panes.part(pick);
}

/** Have the stylesheet of late parts stand where a view does, before the first of them is drawn. */
export function useLateStyles(view: ViewState): void {
  useLayoutEffect(
    () =>
      effect(() => {
        const css = parts.css || panes.css;
        if (css && view.root) addSheet(view.root, "late", css);
      }),
    [view],
  );
}

interface ComingProps {
  fetch(door: Door): Promise<void>;
  /** Why it cannot come. */
  problem: string;
}

function Coming({ fetch, problem }: ComingProps): JSX.Element {
  const { door } = useView().state;
  const box = useRef<HTMLParagraphElement>(null);
  useEffect(() => void fetch(door), [door]);
  useLayoutEffect(
    () => () => {
      const around = box.current?.parentElement;
      if (!around || !hasFocus(box.current)) return;
      queueMicrotask(() =>
        around.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true }),
      );
    },
    [],
  );
  return (
    <p class="nba-small" role="status" tabIndex={-1} data-coming ref={box}>
      {problem ? `This part could not be loaded: ${problem}` : "Loading…"}
    </p>
  );
}
