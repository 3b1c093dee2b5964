/**
 * Which frames of a page stand in it: those in sight, and never more than a few at once.
 *
 * A frame has a document, a layout and often a process of its own. Hundreds of them keep a core busy
 * for minutes, also where nobody looks, so each is made when it comes in sight and goes when it is
 * out of it.
 */
import { sharedOnPage } from "../bridge";
import { sightWatcher } from "../page";

/** So many frames stand on a page at once; about as many as fit on a large screen. */
export const MOST_FRAMES = 12;
/** A frame is made this much before it is in sight, so that scrolling meets few blank ones. */
const MARGIN = "200px";

/** What becomes of the place of a frame. */
export type Standing = "drawn" | "away" | "waiting";

interface Place {
  isInSight: boolean;
  standing: Standing;
  told(standing: Standing): void;
}

export class Frames {
  /** Those that came in sight first are first. */
  readonly #places = new Map<Element, Place>();
  #watcher: IntersectionObserver | null = null;

  /** Tell what becomes of a place, until the signal. */
  watch(el: Element, told: (standing: Standing) => void, signal: AbortSignal): void {
    this.#watcher ??= sightWatcher(MARGIN, (seen, isInSight) => this.#saw(seen, isInSight));
    // Where nothing tells what is in sight, everything may be.
    this.#places.set(el, { isInSight: this.#watcher === null, standing: "away", told });
    this.#watcher?.observe(el);
    this.#settle();
    signal.addEventListener("abort", () => {
      this.#watcher?.unobserve(el);
      this.#places.delete(el);
      this.#settle();
    });
  }

  #saw(el: Element, isInSight: boolean): void {
    const place = this.#places.get(el);
    if (!place || place.isInSight === isInSight) return;
    this.#places.delete(el);
    this.#places.set(el, { ...place, isInSight }); // the newest is last
    this.#settle();
  }

  #settle(): void {
    let drawn = 0;
    for (const place of this.#places.values()) {
      const standing = !place.isInSight ? "away" : drawn < MOST_FRAMES ? "drawn" : "waiting";
      if (standing === "drawn") drawn += 1;
      if (standing === place.standing) continue;
      place.standing = standing;
      place.told(standing);
    }
  }
}

/** All frames of this page, whoever draws them. */
export function framesOfPage(): Frames {
  return sharedOnPage("frames", () => new Frames());
}
