/**
 * The kernel's time as a page can know it: what the newest event says, and how long ago that was.
 * The clocks of page and kernel are never compared, as they may disagree.
 */
import { signal } from "@preact/signals";

export class KernelClock {
  /** Seconds since 1970 (UTC), as of the last tick. */
  readonly now_s = signal(0);
  #event_at = 0;
  #event_age_from_ms = 0;

  /** The newest event is of `at`, and the kernel has had it for `idle_ms`. */
  set(at: number, idle_ms: number): void {
    this.#event_at = at;
    this.#event_age_from_ms = performance.now() - idle_ms;
    this.tick();
  }

  tick(): void {
    this.now_s.value = this.#event_at + (performance.now() - this.#event_age_from_ms) / 1000;
  }
}
