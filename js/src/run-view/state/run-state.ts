/**
 * What a page knows of one run, live or saved: made once for each model or output, whatever views
 * come and go.
 */
import { computed, signal } from "@preact/signals";
import type { Door, Opening, Part } from "../../bridge";
import { themeOf } from "../../page";
import { fetchMarkdown } from "../../texts";
import {
  type AwaitNode,
  type CallNode,
  EMPTY,
  entry,
  type NodePatch,
  type PayloadNode,
  patched,
  type RunNode,
  type Tree,
} from "../../tree";
import { isByHand, isError, type Outcome, outcomeOf } from "../../words";
import { KernelClock } from "./clock";
import { kindsOf, moduleOf } from "./kinds";
import { callKey, Opened } from "./open-rows";
import { Answers, askedIn, callsAbove, shownRunStatus } from "./questions";
import type { Stage } from "./stage";
import { Stages } from "./stages";

/** One part of a saved run that was shortened, in words. */
export interface Cut {
  text: string;
}

/** What belongs to one run, or to one call, is given both. */
export interface OfRun {
  state: RunState;
  run: RunNode;
}
export interface OfCall {
  state: RunState;
  call: CallNode;
}

/** What came of a run, as far as it is. */
export function cameOf({ state: { asked, tree }, run }: OfRun): Outcome {
  return outcomeOf(tree.value, run, shownRunStatus(asked.value, run));
}

const MANY_ERRORS = 12;

/** The elements that a patch brings to a list of its node. */
function brought<T>({ set, splices = [] }: NodePatch, field: string): T[] {
  const given = [set?.[field] ?? [], ...splices.map((one) => (one.field === field ? one.add : []))];
  return given.flat() as T[];
}

function byHandIn({ runs }: Tree): string[] {
  return Object.values(runs).flatMap((run) => (isByHand(run) ? [run.id] : []));
}

function crowdedIn({ runs }: Tree): string[] {
  const errors = ({ calls }: RunNode) => Object.values(calls).filter(isError).length;
  return Object.values(runs).flatMap((run) => (errors(run) > MANY_ERRORS ? run.id : []));
}

export function partKey({ run_id, call_id }: Part): string {
  return call_id === undefined ? run_id : callKey(run_id, call_id);
}

export class RunState {
  readonly tree = signal(EMPTY);
  readonly clock = new KernelClock();
  readonly stages = new Stages();
  /** What a person is asked. */
  readonly asked = askedIn(this.tree);
  readonly answers = new Answers();
  /** The runs in which more calls failed than are opened by themselves, by their ids. */
  readonly crowded = computed(() => crowdedIn(this.tree.value).join(" "));
  /** The runs of which somebody made the calls by hand; a text, as above. */
  readonly byHand = computed(() => byHandIn(this.tree.value).join(" "));
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

  /** Take in what changed, or the whole again, and show it. */
  take(patches: NodePatch[], isWhole = false): void {
    const before = this.tree.peek();
    const tree = patched(isWhole ? EMPTY : before, patches);
    for (const patch of patches) {
      if (patch.call === undefined) continue;
      const known = entry(entry(before.runs, patch.run)?.calls ?? {}, patch.call)?.payloads ?? [];
      for (const node of brought<PayloadNode>(patch, "payloads")) {
        if (isWhole && known.some((one) => JSON.stringify(one) === JSON.stringify(node))) continue;
        if (node.payload.kind !== "map") this.#learnKinds();
        this.stages.show(callKey(patch.run, patch.call), node.payload);
      }
    }
    this.tree.value = tree;
    for (const patch of patches) {
      const isAsked = brought<AwaitNode>(patch, "awaits").some(({ outcome }) => outcome === null);
      if (isAsked) this.#openAround(patch.run);
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
