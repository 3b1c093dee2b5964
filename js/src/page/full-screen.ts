/**
 * A view over the whole screen; where the page may not do that, over the whole window.
 *
 * What fills the screen is the place of a cell's outputs, where there is one: it stays when another view
 * takes this one's place, as at the end of a run.
 */

const OVERLAY = "nba-overlay";
const OUTPUTS = ".jp-OutputArea";
const LEAVE = "nba-leave";

/** What stays when a view goes, and fills the screen for it. */
export function outputsOf(el: Element): HTMLElement | null {
  return el.closest<HTMLElement>(OUTPUTS);
}

/** Fill the screen; `changed` hears when that begins and when it ends. */
export function enterFull(el: HTMLElement, changed: (isFull: boolean) => void): void {
  const box = outputsOf(el) ?? el;
  const cover = () => {
    box.classList.add(OVERLAY);
    follow(box, changed);
  };
  if (box.requestFullscreen) box.requestFullscreen().then(() => follow(box, changed), cover);
  else cover();
}

/** Go on where a view that was here has filled the screen; whether it has. */
export function stayFull(el: HTMLElement, changed: (isFull: boolean) => void): boolean {
  const box = outputsOf(el);
  const isFull = box !== null && isFilled(box);
  if (isFull) follow(box, changed);
  return isFull;
}

export function leaveFull(el: HTMLElement): void {
  const box = outputsOf(el) ?? el;
  if (box.classList.contains(OVERLAY)) {
    box.classList.remove(OVERLAY);
    box.dispatchEvent(new Event(LEAVE));
  } else void document.exitFullscreen?.();
}

function isFilled(box: HTMLElement): boolean {
  return box.classList.contains(OVERLAY) || box.matches(":fullscreen");
}

/** Tell that it fills the screen, and when that ends. */
function follow(box: HTMLElement, changed: (isFull: boolean) => void): void {
  const end = new AbortController();
  const look = () => {
    if (isFilled(box)) return;
    end.abort();
    changed(false);
  };
  document.addEventListener("fullscreenchange", look, { signal: end.signal });
  box.addEventListener(LEAVE, look, { signal: end.signal });
  changed(true);
}
