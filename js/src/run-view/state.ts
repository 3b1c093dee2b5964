/**
 * What a page knows of one run, live or saved: made once for each model or output, whatever views
 * come and go.
 *
 * @module
 */
import { signal } from "@preact/signals";
import type { Door } from "../bridge";
import type { AnyEvent } from "../events";
import { TreeFold } from "../fold";
import type { Tree } from "../tree";
import { KernelClock } from "./clock";
import { MapStage } from "./stage";
import { themeOf } from "./theme";

export class RunState {
  readonly tree = signal(new TreeFold().tree);
  readonly clock = new KernelClock();
  readonly stage = new MapStage();
  /** What a person, or a failure, opened or closed, by key; a row not named here is closed. */
  readonly opened = signal<ReadonlyMap<string, boolean>>(new Map());
  /** Whether Stop was pressed. */
  readonly stopping = signal(false);
  /** Whether the kernel has been silent for longer than it should. */
  readonly silent = signal(false);
  /** What stands behind the view. */
  readonly door: Door;
  readonly #folding = new TreeFold();

  constructor(door: Door) {
    this.door = door;
  }

  /** A run as a notebook has saved it. */
  static saved(tree: Tree, door: Door): RunState {
    const state = new RunState(door);
    state.tree.value = tree;
    for (const run of Object.values(tree.runs)) {
      for (const call of Object.values(run.calls)) {
        for (const { payload } of call.payloads) state.stage.show(payload);
      }
    }
    return state;
  }

  /** Fold events in and show them. */
  take(events: AnyEvent[]): void {
    this.#folding.take(events);
    this.tree.value = this.#folding.tree;
    for (const event of events) if (event.type === "tool_data") this.stage.show(event.payload);
  }

  /** Ask the kernel to stop the run. */
  stop(): void {
    this.stopping.value = true;
    this.door.stop();
  }

  /** Open or close what has this key. */
  toggle(key: string, isOpen: boolean): void {
    this.opened.value = new Map(this.opened.value).set(key, isOpen);
  }

  /** Draw the run's map into `el` until the signal. */
  async drawMap(el: HTMLElement, signal: AbortSignal): Promise<void> {
    const library = await this.door.load("map");
    if (signal.aborted) return;
    await this.stage.draw(library, {
      el,
      signal,
      theme: themeOf(el),
      emit: (value) => this.door.emit("map", value),
      ask: (question) => this.door.ask("map", question),
    });
  }
}
