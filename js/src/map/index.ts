/** The map, as a widget of its own (`mount`) and as the picture of a payload in a run (`render`). */

import type { RenderOptions, WidgetModel } from "../bridge";
import type { JsonValue } from "../events";
import { keepShortcutsAway } from "../shortcuts";
import {
  merged,
  NOWHERE_YET,
  pinsFrom,
  type Rendered,
  report,
  sameReport,
  standing,
} from "./state";
import { openSurface } from "./surface";

/** Shows a `MapView`; several views of one model show the same place. */
export function mount(model: WidgetModel, el: HTMLElement, signal: AbortSignal): void {
  let at = standing(model.get("wanted"), model.get("rendered"));
  const tell = (rendered: Rendered) => {
    at = rendered;
    model.set("rendered", rendered);
    model.save_changes();
  };
  const surface = openSurface(el, {
    position: at,
    pins: pinsFrom(model.get("pins")),
    title: textFrom(model.get("title")),
    heightPx: heightFrom(model.get("height_px")),
    onMove: (position) => tell(report(position, "user", standing(model.get("wanted"), {}).seq)),
    signal,
  });
  listen(model, ["wanted", "rendered"], signal, () => {
    const now = standing(model.get("wanted"), model.get("rendered"));
    const shown = report(now, now.by, now.seq);
    if (sameReport(shown, at)) return;
    at = shown;
    surface.show(now);
    if (now.by === "python") tell(shown);
  });
  listen(model, ["pins", "title"], signal, () =>
    surface.label(pinsFrom(model.get("pins")), textFrom(model.get("title"))),
  );
  listen(model, ["height_px"], signal, () => surface.setHeight(heightFrom(model.get("height_px"))));
  keepShortcutsAway(el, signal);
  tell(report(at, at.by, at.seq));
}

/** Shows payloads of kind `map`, one after the other on one map. */
export function render({ el, value, emit, signal }: RenderOptions): {
  update(value: JsonValue): void;
} {
  let shown = merged(NOWHERE_YET, value);
  const surface = openSurface(el, {
    ...shown,
    heightPx: 320,
    onMove: (position) => {
      shown = { ...shown, position };
      const { lon, lat, zoom } = position;
      const whose = shown.mapId === null ? {} : { map_id: shown.mapId };
      emit({ center: { lon, lat }, zoom, ...whose });
    },
    signal,
  });
  return {
    update(next) {
      const before = shown;
      shown = merged(shown, next);
      surface.label(shown.pins, shown.title);
      if (shown.position !== before.position) surface.show(shown.position);
    },
  };
}

function listen(
  model: WidgetModel,
  traits: string[],
  signal: AbortSignal,
  heard: () => void,
): void {
  for (const trait of traits) {
    model.on(`change:${trait}`, heard);
    signal.addEventListener("abort", () => model.off(`change:${trait}`, heard));
  }
}

function textFrom(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function heightFrom(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 320;
}
