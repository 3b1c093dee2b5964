/**
 * What a page knows of one run: made once for each model, whatever views come and go.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { type EventBatch, fromKernel, type Page, toKernel, type WidgetModel } from "../bridge";
import type { AnyEvent, JsonValue } from "../events";
import { TreeFold } from "../fold";
import { KernelClock } from "./clock";
import { EventFeed } from "./feed";
import { MapStage } from "./stage";

/** How often running times are shown anew. */
const TICK_MS = 100;
/** How long a request for missing events is given before it is repeated, doubling each time. */
const PATIENCE_MS = 1000;

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
  readonly #model: WidgetModel;
  readonly #page: Page;
  readonly #folding = new TreeFold();
  readonly #feed = new EventFeed();
  #waiting: AnyEvent[] = [];
  #frame = 0;
  #asking: ReturnType<typeof setTimeout> | undefined;
  #patience_ms = PATIENCE_MS;

  constructor(model: WidgetModel, end: AbortSignal, page: Page) {
    this.#model = model;
    this.#page = page;
    const hear = (content: unknown) => {
      const message = fromKernel(content);
      if (message?.type === "events") this.#take(message);
    };
    model.on("msg:custom", hear);
    const ticking = setInterval(() => this.#tick(), TICK_MS);
    end.addEventListener("abort", () => {
      model.off("msg:custom", hear);
      clearInterval(ticking);
      clearTimeout(this.#asking);
      cancelAnimationFrame(this.#frame);
    });
    this.#ask();
  }

  /** Ask the kernel to stop the run. */
  stop(): void {
    this.stopping.value = true;
    toKernel(this.#model, { type: "stop" });
  }

  /** Open or close what has this key. */
  toggle(key: string, isOpen: boolean): void {
    this.opened.value = new Map(this.opened.value).set(key, isOpen);
  }

  /** Draw the run's map into `el` until the signal. */
  async drawMap(el: HTMLElement, end: AbortSignal): Promise<void> {
    const library = await this.#page.load("map");
    if (end.aborted) return;
    const moved = (value: JsonValue) => toKernel(this.#model, { type: "emit", kind: "map", value });
    this.stage.draw(library, el, moved, end);
  }

  #take(batch: EventBatch): void {
    const fresh = this.#feed.accept(batch);
    if (!fresh) {
      if (this.#asking === undefined) this.#ask();
      return;
    }
    this.#heard();
    const last = fresh.at(-1);
    if (!last) return;
    this.clock.set(last.at, batch.idle_ms ?? 0);
    for (const event of fresh) this.#waiting.push(event);
    this.#frame ||= requestAnimationFrame(() => this.#show());
  }

  #show(): void {
    this.#frame = 0;
    const events = this.#waiting;
    this.#waiting = [];
    this.#folding.take(events);
    this.tree.value = this.#folding.tree;
    for (const event of events) this.stage.take(event);
  }

  /** Ask for what has not come, and again for as long as nothing does. */
  #ask(): void {
    toKernel(this.#model, { type: "sync", from: this.#feed.next });
    this.#asking = setTimeout(() => {
      this.silent.value = true;
      this.#ask();
    }, this.#patience_ms);
    this.#patience_ms *= 2;
  }

  #heard(): void {
    clearTimeout(this.#asking);
    this.#asking = undefined;
    this.#patience_ms = PATIENCE_MS;
    this.silent.value = false;
  }

  #tick(): void {
    if (Object.values(this.tree.value.runs).some((run) => run.status === "running"))
      this.clock.tick();
  }
}
