/** The map, as a widget of its own (`mount`) and as the picture of a payload in a run (`render`). */

import {
  isNumber,
  isRecord,
  onChange,
  type Page,
  type RenderOptions,
  textIn,
  type WidgetModel,
} from "../bridge";
import { keepShortcutsAway } from "../page";
import type { JsonValue } from "../tree";
import { type Layer, layersFrom } from "./paint";
import {
  type Drawing,
  type Goal,
  merged,
  NOWHERE_YET,
  openSurface,
  pinsFrom,
  type Rendered,
  report,
  sameReport,
  standing,
  tilesFrom,
} from "./surface";
import { boundsFrom, type Position } from "./world";

/** What `mount` needs of the page: the finer coastline comes by it. */
export function attach(_model: WidgetModel, _signal: AbortSignal, page: Page): Page {
  return page;
}

/** Shows a `MapView`; several views of one model show the same place. */
export function mount(
  model: WidgetModel,
  el: HTMLElement,
  signal: AbortSignal,
  attached?: unknown,
): void {
  let at = standing(model.get("wanted"), model.get("rendered"));
  let layers: readonly Layer[] = layersFrom(model.get("layers"));
  const tell = (position: Position, by: Rendered["by"], seq: number) => {
    at = report(position, by, seq);
    model.set("rendered", at);
    model.save_changes();
  };
  const newest = () => standing(model.get("wanted"), {}).seq;
  const surface = openSurface(el, {
    ...goal(model, at),
    ...drawing(model, layers),
    tiles: tilesFrom(model.get("tiles")),
    heightPx: heightFrom(model.get("height_px")),
    onMove: (position, by) => tell(position, by, newest()),
    onClick: (click) => model.send({ type: "click", ...click }),
    load: isPage(attached) ? (name) => attached.load(name) : undefined,
    signal,
  });
  onChange(model, ["wanted", "rendered"], signal, () => {
    const now = standing(model.get("wanted"), model.get("rendered"));
    if (sameReport(report(now, now.by, now.seq), at)) return;
    at = report(now, now.by, now.seq);
    surface.show(goal(model, now));
    if (now.by === "python") tell(surface.position, now.by, now.seq);
  });
  onChange(model, ["layers"], signal, () => {
    layers = layersFrom(model.get("layers"));
  });
  onChange(model, ["pins", "layers", "title"], signal, () => surface.draw(drawing(model, layers)));
  onChange(model, ["height_px"], signal, () =>
    surface.setHeight(heightFrom(model.get("height_px"))),
  );
  keepShortcutsAway(el, signal);
  tell(surface.position, at.by, at.seq);
}

/** Shows payloads of kind `map`, one after the other on one map. */
export function render(options: RenderOptions): { update(value: JsonValue): void } {
  const { el, value, emit, load, signal } = options;
  let shown = merged(NOWHERE_YET, value);
  const whose = () => (shown.mapId === null ? {} : { map_id: shown.mapId });
  const surface = openSurface(el, {
    ...shown,
    tiles: null, // only the person's own code may send a page elsewhere
    heightPx: heightFrom(isRecord(value) ? value.height_px : null),
    onMove: (position, by) => {
      if (by === "python") return;
      shown = { ...shown, position, bounds: null };
      const { lon, lat, zoom } = position;
      emit({ center: { lon, lat }, zoom, bounds: null, ...whose() });
    },
    onClick: (click) => emit({ click: { ...click }, ...whose() }),
    load,
    signal,
  });
  return {
    update(next) {
      const before = shown;
      shown = merged(shown, next);
      surface.draw(shown);
      if (shown.position !== before.position) surface.show(shown);
    },
  };
}

/** Where a widget's map is to be: bounds are a command's, and end with the user's first move. */
function goal(model: WidgetModel, at: Rendered): Goal {
  const wanted = model.get("wanted");
  const bounds = at.by === "python" && isRecord(wanted) ? boundsFrom(wanted.bounds) : null;
  return { position: at, bounds };
}

function drawing(model: WidgetModel, layers: readonly Layer[]): Drawing {
  return {
    pins: pinsFrom(model.get("pins")),
    layers,
    title: textIn(model.get("title")),
    note: "",
  };
}

function isPage(value: unknown): value is Page {
  return isRecord(value) && typeof value.load === "function";
}

function heightFrom(value: unknown): number {
  return isNumber(value) ? value : 320;
}
