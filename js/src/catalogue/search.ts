/** A search in a catalogue: what is asked for, what is shown, what is open. The kernel finds. */
import { signal } from "@preact/signals";
import { Asker } from "../asker";
import { reasonOf } from "../bridge";
import type { Ask } from "../kernel-questions";
import type { JsonValue } from "../tree";
import { type Detail, detailFrom, type Shown, shownFrom } from "./shown";

/** What is looked for, and where. */
interface Wanted {
  query: string;
  category: string;
  tool: string;
}

const PAUSE_MS = 180;
const FIRST_HITS = 10;
const MORE_HITS = 50;

export class Search extends Asker {
  readonly shown;
  /** What stands in the box, which may be ahead of what is shown. */
  readonly text;
  /** The names of what is open. */
  readonly open = signal<ReadonlySet<string>>(new Set());
  readonly details;
  readonly #ask: Ask | null;
  #pause: ReturnType<typeof setTimeout> | undefined;

  /** `ask` is null where no kernel is: what is there can be opened, and no more. */
  constructor(shown: Shown, ask: Ask | null) {
    super();
    this.shown = signal(shown);
    this.text = signal(shown.query);
    this.details = signal<ReadonlyMap<string, Detail>>(shown.details);
    this.#ask = ask;
  }

  get isLive(): boolean {
    return this.#ask !== null;
  }

  /** Something was typed: it is searched for when there was a pause. */
  type(text: string): void {
    this.text.value = text;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.now(), PAUSE_MS);
  }

  /** Search for what stands in the box, at once. */
  now(): Promise<void> {
    const { category, tool } = this.shown.peek();
    return this.go({ query: this.text.peek(), category, tool });
  }

  /** Look somewhere else, or for something else. */
  go(wanted: Wanted): Promise<void> {
    this.text.value = wanted.query;
    return this.#show({ ...wanted, limit: FIRST_HITS });
  }

  get canMore(): boolean {
    const { query, rows, next } = this.shown.value;
    if (!this.isLive) return false;
    return query ? rows.length >= FIRST_HITS && rows.length < MORE_HITS : next !== null;
  }

  /** More of the same: further hits, or the next page of a list. */
  more(): Promise<void> {
    const { query, category, tool, next } = this.shown.peek();
    if (query) return this.#show({ query, category, tool, limit: MORE_HITS });
    return this.#show({ query: "", category, tool, start: next ?? 0 }, true);
  }

  /** Open an API, or close it; what it takes comes when it is first opened. */
  async toggle(name: string): Promise<void> {
    const open = new Set(this.open.peek());
    if (!open.delete(name)) open.add(name);
    this.open.value = open;
    if (!open.has(name) || this.details.peek().has(name) || !this.#ask) return;
    try {
      const detail = detailFrom(await this.#ask({ describe: name }));
      if (detail) this.details.value = new Map(this.details.peek()).set(name, detail);
    } catch (reason) {
      this.problem.value = reasonOf(reason);
    }
  }

  async #show(question: { [key: string]: JsonValue }, isNext = false): Promise<void> {
    if (!this.#ask) return;
    clearTimeout(this.#pause);
    await this.newest(this.#ask(question), (answer) => {
      const found = shownFrom(answer);
      if (!found) throw new Error("The kernel's answer cannot be read.");
      const before = this.shown.peek();
      const rows = isNext ? [...before.rows, ...found.rows] : found.rows;
      this.shown.value = { ...found, rows, size: found.size ?? before.size };
    });
  }
}
