/** What is told of elements: their size, and whether they are in sight. */
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Hear when elements get another size; gives what ends that. Where nothing tells, nothing is heard. */
export function watchSize(
  els: readonly Element[],
  changed: (entries: ResizeObserverEntry[]) => void,
): () => void {
  if (typeof ResizeObserver === "undefined") return () => {};
  const watcher = new ResizeObserver(changed);
  for (const el of els) watcher.observe(el);
  return () => watcher.disconnect();
}

/** Tells of elements whether they are in sight, or nearer to it than the margin; `null`: nothing tells. */
export function sightWatcher(
  margin: string,
  saw: (el: Element, isInSight: boolean) => void,
): IntersectionObserver | null {
  if (typeof IntersectionObserver === "undefined") return null;
  return new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) saw(target, isIntersecting);
    },
    { rootMargin: margin },
  );
}

/**
 * Keep a box as high as it was, for as long as it changes, and then until the pointer has left the
 * part of the page that it is in.
 */
export function useKeptHeight(box: RefObject<HTMLElement | null>, changes: boolean): void {
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || !changes) return;
    return watchSize([el], ([grown]) => {
      const height = grown?.borderBoxSize[0]?.blockSize ?? 0;
      if (height > (Number.parseFloat(el.style.minHeight) || 0)) el.style.minHeight = `${height}px`;
    });
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
