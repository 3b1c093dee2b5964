/** A box that does not shrink while it changes: what stands below it stays where it is. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/**
 * Keep a box as high as it was, for as long as it changes, and then until the pointer has left the
 * part of the page that it is in.
 */
export function useKeptHeight(box: RefObject<HTMLElement | null>, changes: boolean): void {
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || !changes || !globalThis.ResizeObserver) return;
    const observer = new ResizeObserver(([grown]) => {
      const height = grown?.borderBoxSize[0]?.blockSize ?? 0;
      if (height > (Number.parseFloat(el.style.minHeight) || 0)) el.style.minHeight = `${height}px`;
    });
    observer.observe(el);
    return () => observer.disconnect();
  }, [box, changes]);
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || changes) return;
    const home = el.parentElement;
    const free = () => {
      el.style.minHeight = "";
    };
    if (!home?.matches(":hover")) return free();
    home.addEventListener("pointerleave", free, { once: true });
    return () => home.removeEventListener("pointerleave", free);
  }, [box, changes]);
}
