/**
 * Which patches of a run have come, by their position in its list: none twice, and a gap is seen. A
 * page that lacks what the kernel has no more is sent the whole, in parts.
 */
import type { PatchBatch } from "../../bridge";
import type { NodePatch } from "../../tree";

/** What is new. */
interface Fresh {
  patches: NodePatch[];
  /** Whether this makes the tree from nothing. */
  isWhole: boolean;
}

const NOTHING: Fresh = { patches: [], isWhole: false };

export class PatchFeed {
  #next = 0;
  #parts: NodePatch[] = [];

  /** The position of the first patch that has not come. */
  get next(): number {
    return this.#next;
  }

  /**
   * What is new in a batch; `null` where something before it is missing and must be asked for.
   *
   * @param isAsking Whether something is missing: else the whole is for another page.
   */
  accept(batch: PatchBatch, isAsking: boolean): Fresh | null {
    const { from, patches, part } = batch;
    if (part)
      return from > this.#next && isAsking ? this.#acceptPart(from, patches, part) : NOTHING;
    if (from > this.#next) return null;
    const fresh = patches.slice(this.#next - from);
    this.#next += fresh.length;
    return { patches: fresh, isWhole: false };
  }

  #acceptPart(from: number, patches: NodePatch[], { at, of }: { at: number; of: number }) {
    if (at === 0) this.#parts = [];
    if (at !== this.#parts.length) return NOTHING; // one of them was lost: all is asked for again
    this.#parts.push(...patches);
    if (this.#parts.length < of) return NOTHING;
    this.#next = from;
    return { patches: this.#parts.splice(0), isWhole: true };
  }
}
