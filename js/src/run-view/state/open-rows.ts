/**
 * What is open: what a person opened or closed by itself, else what they said of all, else what
 * opens by itself.
 */
import { batch, type Signal, signal } from "@preact/signals";
import { once } from "../../tree";

export class Opened {
  readonly #all = signal<boolean | null>(null);
  readonly #one = new Map<string, Signal<boolean | null>>();
  /** What has opened by itself. */
  readonly #stays = new Set<string>();

  /**
   * Whether what has this key is open. What has once opened by itself stays so: nothing closes under
   * the eyes of who reads it.
   *
   * @param forNow Whether it opens for as long as this is so, and no longer.
   */
  is(key: string, byItself = false, forNow = false): boolean {
    if (byItself) this.#stays.add(key);
    const isStill = byItself || forNow || this.#stays.has(key);
    return this.#of(key).value ?? this.#all.value ?? isStill;
  }

  /** Whether it was opened by hand, so that nobody may wait for its contents. */
  isByHand(key: string): boolean {
    return this.#of(key).value === true;
  }

  /** Whether all was opened at last. */
  get isAll(): boolean {
    return this.#all.value === true;
  }

  set(key: string, isOpen: boolean): void {
    this.#of(key).value = isOpen;
  }

  setAll(isOpen: boolean): void {
    batch(() => {
      this.#all.value = isOpen;
      for (const one of this.#one.values()) one.value = null;
    });
  }

  /** A signal for each: what opens draws only itself anew. */
  #of(key: string): Signal<boolean | null> {
    return once(this.#one, key, () => signal(null));
  }
}

/** The key of a call's row. */
export function callKey(run_id: string, call_id: string): string {
  return `${run_id}/${call_id}`;
}

/** The key of what shows all rows of a list, by the key of the list. */
export function wholeKey(list: string): string {
  return `${list}/whole`;
}
