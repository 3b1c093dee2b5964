/**
 * A run as its kernel tells it: batches of patches by position, what is missing asked for again.
 */

import {
  type AwaitAnswer,
  type Door,
  fromKernel,
  type Library,
  type Page,
  type Part,
  type PatchBatch,
  toKernel,
  type WidgetModel,
} from "../../bridge";
import { Questions } from "../../kernel-questions";
import type { JsonValue, NodePatch } from "../../tree";
import { PatchFeed } from "./patch-feed";
import { RunState } from "./run-state";

/** How often running times are shown anew. */
const TICK_MS = 100;
/** How long a request for what is missing is given before it is repeated, doubling each time. */
const PATIENCE_MS = 1000;

/** The way to the kernel of one model. */
class KernelDoor implements Door {
  readonly isLive = true;
  readonly questions = new Questions();

  constructor(
    readonly model: WidgetModel,
    readonly page: Page,
  ) {}

  canAsk(): boolean {
    return true;
  }

  load(name: string): Promise<Library> {
    return this.page.load(name);
  }

  emit(kind: string, value: JsonValue): void {
    toKernel(this.model, { type: "emit", kind, value });
  }

  ask(kind: string, question: JsonValue): Promise<JsonValue> {
    const send = (id: number) => toKernel(this.model, { type: "ask", id, kind, question });
    return this.questions.ask(send);
  }

  async resolve(await_id: string, answer: AwaitAnswer): Promise<void> {
    const send = (id: number) => toKernel(this.model, { type: "resolve", id, await_id, answer });
    await this.questions.ask(send);
  }

  stop(what?: Part): void {
    toKernel(this.model, { type: "stop", ...what });
  }
}

/** Follow a model's run until the signal. */
export function followRun(model: WidgetModel, end: AbortSignal, page: Page): RunState {
  const door = new KernelDoor(model, page);
  const state = new RunState(door);
  new Following(model, door, state, end);
  return state;
}

/** A name that no other page has; `crypto.randomUUID` is only there where a page came by HTTPS. */
function newName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (one) => one.toString(36)).join("");
}

class Following {
  readonly #model: WidgetModel;
  readonly #state: RunState;
  readonly #feed = new PatchFeed();
  readonly #name = newName();
  #waiting: NodePatch[] = [];
  /** Whether what waits makes the tree from nothing. */
  #isWhole = false;
  #frame = 0;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #patience_ms = PATIENCE_MS;

  constructor(model: WidgetModel, door: KernelDoor, state: RunState, end: AbortSignal) {
    this.#model = model;
    this.#state = state;
    const hear = (content: unknown) => {
      const message = fromKernel(content);
      if (message?.type === "patches") this.#take(message);
      if (message?.type === "answer") door.questions.hear(message);
      if (message?.type === "options") state.opens(message.open);
    };
    model.on("msg:custom", hear);
    const ticking = setInterval(() => this.#tick(), TICK_MS);
    end.addEventListener("abort", () => {
      model.off("msg:custom", hear);
      clearInterval(ticking);
      clearTimeout(this.#asking);
      cancelAnimationFrame(this.#frame);
      door.questions.close();
    });
    this.#ask();
  }

  #take(batch: PatchBatch): void {
    const fresh = this.#feed.accept(batch, this.#asking !== undefined);
    if (!fresh) {
      if (this.#asking === undefined) this.#ask();
      return;
    }
    this.#heard();
    const last = fresh.patches.at(-1);
    if (!last) return;
    this.#state.clock.set(last.at, batch.idle_ms ?? 0);
    if (fresh.isWhole) {
      this.#waiting = [];
      this.#isWhole = true;
    }
    for (const patch of fresh.patches) this.#waiting.push(patch);
    this.#frame ||= requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    this.#frame = 0;
    const patches = this.#waiting;
    const isWhole = this.#isWhole;
    this.#waiting = [];
    this.#isWhole = false;
    this.#state.take(patches, isWhole);
  }

  /** Ask for what has not come, and again for as long as nothing does. */
  #ask(): void {
    toKernel(this.#model, { type: "sync", from: this.#feed.next, page: this.#name });
    this.#asking = setTimeout(() => {
      this.#state.silent.value = true;
      this.#ask();
    }, this.#patience_ms);
    this.#patience_ms *= 2;
  }

  #heard(): void {
    clearTimeout(this.#asking);
    this.#asking = undefined;
    this.#patience_ms = PATIENCE_MS;
    this.#state.silent.value = false;
  }

  #tick(): void {
    const { tree, clock } = this.#state;
    if (Object.values(tree.value.runs).some((run) => run.status === "running")) clock.tick();
  }
}
