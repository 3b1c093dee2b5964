/**
 * Which events of a run have come, by their position in its list: none twice, and a gap is seen.
 *
 * @module
 */
import type { EventBatch } from "../bridge";
import type { AnyEvent } from "../events";

export class EventFeed {
  #next = 0;

  /** The position of the first event that has not come. */
  get next(): number {
    return this.#next;
  }

  /** What is new in a batch; `null` where events before it are missing and must be asked for. */
  accept(batch: EventBatch): AnyEvent[] | null {
    if (batch.from > this.#next) return null;
    const fresh = batch.events.slice(this.#next - batch.from);
    this.#next += fresh.length;
    return fresh;
  }
}
