/**
 * A view over the whole screen; where the page may not do that, over the whole window.
 *
 * @module
 */

const OVERLAY = "nba-overlay";

/** Fill the screen; `changed` hears when that begins and when it ends. */
export function enterFull(el: HTMLElement, changed: (isFull: boolean) => void): void {
  const cover = () => {
    el.classList.add(OVERLAY);
    el.addEventListener(LEAVE, () => changed(false), { once: true });
    changed(true);
  };
  const hear = () => {
    const isFull = el.matches(":fullscreen");
    if (!isFull) document.removeEventListener("fullscreenchange", hear);
    changed(isFull);
  };
  if (!el.requestFullscreen) {
    cover();
    return;
  }
  document.addEventListener("fullscreenchange", hear);
  el.requestFullscreen().catch(() => {
    document.removeEventListener("fullscreenchange", hear);
    cover();
  });
}

const LEAVE = "nba-leave";

export function leaveFull(el: HTMLElement): void {
  if (el.classList.contains(OVERLAY)) {
    el.classList.remove(OVERLAY);
    el.dispatchEvent(new Event(LEAVE));
  } else void document.exitFullscreen?.();
}
