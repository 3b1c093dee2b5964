/**
 * Saved outputs of a long notebook: those in sight are drawn at once, the others when one comes to them, or
 * when the page has nothing else to do.
 */

/** So long after the last output came nothing is drawn that is out of sight. */
const QUIET_MS = 700;
/** And so long between two, where a browser does not say when it is idle. */
const TURN_MS = 50;
/** About as high as a run that is folded: what is not drawn yet keeps so much place. */
const PLACE = "160px";

/** What waits, in the order in which it came. */
const waiting = new Map<Element, () => void>();
let watch: IntersectionObserver | null = null;
let pause: ReturnType<typeof setTimeout> | undefined;

/** Wait until an element is in sight, or its turn has come. */
export function nearSight(el: HTMLElement, signal: AbortSignal): Promise<void> {
  if (typeof IntersectionObserver === "undefined") return Promise.resolve();
  watch ??= observer();
  const { minHeight } = el.style;
  el.style.minHeight = PLACE;
  return new Promise((done) => {
    const go = () => {
      if (!waiting.delete(el)) return;
      watch?.unobserve(el);
      done();
      requestAnimationFrame(() => {
        el.style.minHeight = minHeight;
      });
    };
    waiting.set(el, go);
    watch?.observe(el);
    signal.addEventListener("abort", go, { once: true });
    clearTimeout(pause);
    pause = setTimeout(goOn, QUIET_MS);
  });
}

function observer(): IntersectionObserver {
  addEventListener("beforeprint", () => {
    for (const go of waiting.values()) go();
  });
  return new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) waiting.get(target)?.();
    },
    { rootMargin: "400px" },
  );
}

/** The next one, once the page is idle. */
function goOn(): void {
  const [go] = waiting.values();
  if (!go) return;
  go();
  if (typeof requestIdleCallback === "function") requestIdleCallback(goOn, { timeout: QUIET_MS });
  else setTimeout(goOn, TURN_MS);
}
