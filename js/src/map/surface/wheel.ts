/** What the map hears: the wheel scrolls the notebook, unless the map was clicked, has the focus, or Ctrl is held. */

import type { Map as LeafletMap } from "leaflet";

const HINT = "Click the map, or hold Ctrl, to zoom with the wheel";
const HINT_MS = 1600;

export function guardWheel(box: HTMLElement, map: LeafletMap, signal: AbortSignal): void {
  const hint = document.createElement("div");
  hint.className = "nba-map-hint";
  hint.setAttribute("aria-hidden", "true");
  hint.textContent = HINT;
  box.append(hint);
  let timer = 0;
  const arm = (on: boolean) => () => {
    if (on) map.scrollWheelZoom.enable();
    else map.scrollWheelZoom.disable();
    if (on) delete hint.dataset.shown;
  };
  arm(false)();
  box.addEventListener("pointerdown", arm(true), { signal });
  box.addEventListener("focusin", arm(true), { signal });
  box.addEventListener("focusout", arm(false), { signal });
  box.addEventListener("pointerleave", arm(false), { signal });
  box.addEventListener(
    "wheel",
    (event) => {
      if (map.scrollWheelZoom.enabled()) return;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        zoomBy(map, event);
        return;
      }
      hint.dataset.shown = "";
      window.clearTimeout(timer);
      timer = window.setTimeout(() => delete hint.dataset.shown, HINT_MS);
    },
    { signal, passive: false },
  );
  signal.addEventListener("abort", () => window.clearTimeout(timer));
}

function zoomBy(map: LeafletMap, event: WheelEvent): void {
  const step = Math.abs(event.deltaY) < 1 ? 0 : -Math.sign(event.deltaY);
  const zoom = Math.round(map.getZoom()) + step;
  if (step !== 0)
    map.setZoomAround(map.mouseEventToContainerPoint(event), zoom, { animate: false });
}

/** What is clicked here is no click on the map, and what is pressed here no drag of it. */
export function keepFromMap(el: HTMLElement, signal: AbortSignal): void {
  for (const name of ["click", "dblclick", "mousedown", "pointerdown", "wheel"])
    el.addEventListener(name, (event) => event.stopPropagation(), { signal });
}
