/** What is told of elements: their size, and whether they are in sight. */

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
