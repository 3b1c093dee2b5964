/** A page with one model for tests: what it would show, and what its kernel says. */
import { vi } from "vitest";
import type { Library } from "../bridge";
import { FakeModel } from "../fake-model";
import * as prose from "../markdown";
import { ROW } from "../page";
import type { Sample } from "../sample-run";
import type { Failure, JsonValue } from "../tree";
import { attach, mount } from ".";
import * as pane from "./late/pane";
import * as parts from "./late/parts";

export class FakePage {
  readonly model = new FakeModel();
  readonly maps: JsonValue[] = [];
  drag: (value: JsonValue) => void = () => {};
  /** Another module; a test may put its own here. */
  load = async (name: string): Promise<Library> => {
    if (name === "markdown") return prose;
    if (name === "run-pane") return { parts: () => pane };
    if (name === "run-parts") return { parts: () => parts };
    return {
      render: ({ value, emit }) => {
        this.maps.push(value);
        this.drag = emit;
        return { update: (next) => this.maps.push(next) };
      },
    };
  };
  readonly #end = new AbortController();
  readonly #state = attach(this.model, this.#end.signal, {
    load: (name) => this.load(name),
  });

  view() {
    const end = new AbortController();
    this.#end.signal.addEventListener("abort", () => end.abort());
    const el = document.createElement("div");
    document.body.append(el);
    mount(this.model, el, end.signal, this.#state);
    return { el, end: () => end.abort() };
  }

  /** Tell events and let them be drawn. */
  async tell(sample: Sample, from = 0, to?: number): Promise<void> {
    this.model.tellUnits(sample.events.slice(from, to), from);
    await drawn();
  }

  /** Ends all views. */
  close(): void {
    this.#end.abort();
  }
}

/** Let what was told be drawn. */
export async function drawn(): Promise<void> {
  await vi.advanceTimersByTimeAsync(50);
}

export const FAILURE: Failure = {
  kind: "internal",
  recovery: "replan",
  message: "The city is unknown.",
  issues: [],
  debug_message: "Traceback: here",
};

export function rows(el: Element): HTMLElement[] {
  return [...el.querySelectorAll<HTMLElement>(ROW)];
}

/** The rows of calls, of groups of them, and of runs. */
export function callRows(el: Element): HTMLElement[] {
  return rows(el).filter((row) => row.closest(".nba-call"));
}

/** What stands under a row in the flat list: all that begins further in. */
export function under(row: HTMLElement | undefined): HTMLElement[] {
  const level = (item: Element | null | undefined) => Number(item?.getAttribute("aria-level"));
  const item = row?.closest("li");
  const found: HTMLElement[] = [];
  for (let next = item?.nextElementSibling; next; next = next.nextElementSibling) {
    if (level(next) <= level(item)) break;
    if (next instanceof HTMLElement) found.push(next);
  }
  return found;
}

/** What `aria-controls` of a button names. */
export function controlled(button: Element | undefined): Element | null {
  return document.getElementById(button?.getAttribute("aria-controls") ?? "");
}
