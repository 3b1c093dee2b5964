/**
 * What a page knows of one run, live or saved: made once for each model or output, whatever views
 * come and go.
 *
 * @module
 */
import { computed, signal } from "@preact/signals";
import type { Door, Opening, Part } from "../bridge";
import type { AnyEvent } from "../events";
import { TreeFold } from "../fold";
import { type CallNode, entry, type RunNode, type Tree } from "../tree";
import { Answers, askedIn, callsAbove } from "./asked";
import { KernelClock } from "./clock";
import { kindsOf, moduleOf } from "./kinds";
import { callKey, Opened } from "./opened";
import { fetchMarkdown } from "./prose";
import type { Stage } from "./stage";
import { Stages } from "./stages";
import { themeOf } from "./theme";
import { isError } from "./words";

/** One part of a saved run that was shortened, in words. */
export interface Cut {
  text: string;
}

const ASKS = new Set<AnyEvent["type"]>([
  "await_confirmation",
  "await_clarification",
  "await_questions",
  "await_external_tools",
]);

const MANY_ERRORS = 12;

function crowdedIn({ runs }: Tree): string[] {
  const errors = ({ calls }: RunNode) => Object.values(calls).filter(isError).length;
  return Object.values(runs).flatMap((run) => (errors(run) > MANY_ERRORS ? run.id : []));
}

export function partKey({ run_id, call_id }: Part): string {
  return call_id === undefined ? run_id : callKey(run_id, call_id);
}

export class RunState {
  readonly tree = signal(new TreeFold().tree);
  readonly clock = new KernelClock();
  readonly stages = new Stages();
  /** What a person is asked. */
  readonly asked = askedIn(this.tree);
  readonly answers = new Answers();
  /** The runs in which more calls failed than are opened by themselves, by their ids. */
  readonly crowded = computed(() => crowdedIn(this.tree.value).join(" "));
  /** What is open, of all that opens and closes. */
  readonly opened = new Opened();
  /** Whether Stop was pressed. */
  readonly stopping = signal(false);
  /** The runs and calls that were asked to stop, by their keys. */
  readonly stoppingParts = signal<ReadonlySet<string>>(new Set());
  /** Whether the kernel has been silent for longer than it should. */
  readonly silent = signal(false);
  /** What stands behind the view. */
  readonly door: Door;
  /** What a saved run lacks. */
  readonly cuts: readonly Cut[];
  readonly #folding = new TreeFold();
  readonly #opensData = signal(false);
  #isLearning = false;

  constructor(door: Door, cuts: readonly Cut[] = []) {
    this.door = door;
    this.cuts = cuts;
    void fetchMarkdown(door);
  }

  /** A run as a notebook has saved it. */
  static saved(
    tree: Tree,
    door: Door,
    cuts: readonly Cut[] = [],
    opening: Opening = "errors",
  ): RunState {
    const state = new RunState(door, cuts);
    state.opens(opening);
    state.tree.value = tree;
    state.stages.showAll(tree);
    return state;
  }

  /** Fold events in and show them. */
  take(events: AnyEvent[]): void {
    this.#folding.take(events);
    for (const event of events) {
      if (event.type !== "tool_data") continue;
      if (event.payload.kind !== "map") this.#learnKinds();
      this.stages.show(callKey(event.run_id, event.tool_call_id), event.payload);
    }
    this.tree.value = this.#folding.tree;
    for (const { type, run_id } of events) {
      if (ASKS.has(type)) this.#openAround(run_id);
    }
  }

  /** Say which calls are open until the person opens or closes them. */
  opens(which: Opening): void {
    this.#opensData.value = which === "data";
    if (which === "all" || which === "none") this.opened.setAll(which === "all");
  }

  /** Whether a call that shows something is open by itself. */
  opensFor(call: CallNode): boolean {
    return this.#opensData.value && call.payloads.length > 0;
  }

  /** Ask the kernel to stop the run. */
  stop(): void {
    this.stopping.value = true;
    this.door.stop();
  }

  /** Ask the kernel to stop a run inside this one, or a call. */
  stopPart(part: Part): void {
    this.stoppingParts.value = new Set(this.stoppingParts.value).add(partKey(part));
    this.door.stop(part);
  }

  /** Whether something of a call always stands below its row: then no group may hide it. */
  hasViews(call: CallNode): boolean {
    return call.payloads.some(
      ({ payload }) => payload.audience !== "internal" && !this.stages.isStateful(payload.kind),
    );
  }

  /** Draw a stage into `el` until the signal. */
  async drawStage(stage: Stage, el: HTMLElement, signal: AbortSignal): Promise<void> {
    const { kind } = stage;
    const library = await (kind === "map" ? this.door.load(kind) : moduleOf(this, kind));
    if (signal.aborted) return;
    await stage.draw(library, {
      el,
      signal,
      theme: themeOf(el),
      emit: (value) => this.door.emit(kind, value),
      ask: (question) => this.door.ask(kind, question),
      load: (name) => this.door.load(name),
    });
  }

  /** What asks is seen, also inside of what somebody has closed before. */
  #openAround(run_id: string): void {
    const tree = this.tree.peek();
    const run = entry(tree.runs, run_id);
    for (const key of run ? callsAbove(tree, run) : []) {
      if (!this.opened.is(key, true)) this.opened.set(key, true);
    }
  }

  /** Hear which kinds of somebody's own are stateful: the first time that there may be one. */
  #learnKinds(): void {
    if (this.#isLearning) return;
    this.#isLearning = true;
    kindsOf(this).subscribe((kinds) => {
      const stateful = [...kinds].filter(([, module]) => module.stateful);
      const names = stateful.map(([kind]) => kind);
      this.stages.learn(names, this.tree.peek());
    });
  }
}
