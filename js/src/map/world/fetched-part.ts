/** A part of the map that is fetched when it is first needed, once for all maps of a page. */

import type { Library } from "../../bridge";

export type Load = (name: string) => Promise<Library>;

export class LatePart<T> {
  readonly #name: string;
  readonly #read: (module: unknown) => T | null;
  readonly #waiting = new Set<() => void>();
  #value: T | null = null;

  /** `read` makes the value of the module, or `null` of one that is none. */
  constructor(name: string, read: (module: unknown) => T | null) {
    this.#name = name;
    this.#read = read;
  }

  /** `null` until it is here. */
  get value(): T | null {
    return this.#value;
  }

  /** Fetch it, and tell who waits for it; where it cannot be had, nobody is told. */
  fetch(load: Load, arrived: () => void, signal: AbortSignal): void {
    this.#waiting.add(arrived);
    const leave = () => this.#waiting.delete(arrived);
    signal.addEventListener("abort", leave);
    load(this.#name).then((module) => this.#take(module), leave);
  }

  #take(module: unknown): void {
    this.#value ??= this.#read(module);
    if (this.#value === null) return;
    const all = [...this.#waiting];
    this.#waiting.clear();
    for (const arrived of all) arrived();
  }
}
