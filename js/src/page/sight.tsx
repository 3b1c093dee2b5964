/**
 * What a person is to allow, and whether all of it has been in sight: until then nothing of it can be
 * allowed.
 */
import { computed, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { watchSize } from "./watching";

/** How much of something has been in sight. */
export class Sight {
  /** Whether somebody asked for all of it at once. */
  readonly isOpen = signal(false);
  /** Whether it does not fit, so that it scrolls. */
  readonly isLong = signal(false);
  readonly #seen = signal(0);
  readonly isWhole = computed(() => this.isOpen.value || this.#seen.value >= 1);

  /** Part of it is in sight. What a jump leaves out counts only when one has gone back to it. */
  look(top: number, height: number, total: number): void {
    const left = total - top - height;
    if (top > this.#seen.peek() * total + 1) return;
    const to = left <= 1 ? 1 : (top + height) / total;
    this.#seen.value = Math.max(this.#seen.peek(), to);
  }
}

interface Props {
  sight: Sight;
  label: string;
  children: ComponentChildren;
}

/** A pane that knows how much of what is in it was seen. */
export function InSight({ sight, label, children }: Props): JSX.Element {
  const pane = useRef<HTMLDivElement>(null);
  const look = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = pane.current ?? {};
    sight.look(scrollTop, clientHeight, scrollHeight);
  };
  useLayoutEffect(() => {
    const el = pane.current;
    if (!el) return;
    const isWatched = typeof ResizeObserver !== "undefined";
    // One that is not laid out yet has shown nothing.
    const lookIfLaidOut = () => {
      if (!el.clientHeight && isWatched) return;
      sight.isLong.value = isLong(el);
      look();
    };
    lookIfLaidOut();
    return watchSize([el, ...el.children], lookIfLaidOut);
  }, [sight]);
  const isFramed = sight.isLong.value;
  return (
    <div
      class="nba-sight"
      ref={pane}
      data-open={sight.isOpen.value}
      data-long={isFramed}
      onScroll={look}
      {...(isFramed ? { role: "group", tabIndex: 0, "aria-label": label } : { tabIndex: -1 })}
    >
      <div>{children}</div>
    </div>
  );
}

/** Whether a pane scrolls without the frame of a long one: what that takes of its room decides nothing. */
function isLong(pane: HTMLElement): boolean {
  const { scrollTop, dataset } = pane;
  const before = dataset.long;
  dataset.long = "false";
  const is = pane.scrollHeight > pane.clientHeight + 1;
  dataset.long = before;
  pane.scrollTop = scrollTop;
  return is;
}
