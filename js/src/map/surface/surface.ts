/** A map on the page: Leaflet moves it, our painters draw it, and user moves are told from ours. */

import type * as L from "leaflet";
import { sightWatcher, watchSize } from "../../page";
import { boxOf, type MiddleBox, type Placed } from "../names";
import {
  followTheme,
  paint,
  paintLayers,
  paintNames,
  paintScale,
  scaleBox,
  themeOf,
} from "../paint";
import {
  type Bounds,
  Detail,
  describe,
  fitted,
  insetOf,
  LAT_LIMIT,
  type Load,
  NOMINAL,
  nearestLon,
  type Position,
  samePosition,
  settled,
  type View,
} from "../world";
import { type Clicked, clicked, targetAt } from "./clicks";
import { Labels } from "./labels";
import { openLeaflet, putStyle, sharpened } from "./leaflet";
import { Legend } from "./legend";
import { PinLayer } from "./pins";
import { contentOf, Popup } from "./popup";
import type { MapState, Rendered } from "./state";
import { openTiles, type TileSource, type Tiles } from "./tiles";
import { guardWheel } from "./wheel";

/** What is drawn on a map, beside where it is. */
export type Drawing = Pick<MapState, "pins" | "layers" | "title" | "note">;
/** Where a map is to be: a position, or that at which bounds are seen whole. */
export type Goal = Pick<MapState, "position" | "bounds">;

interface Surface {
  /** Where it is. */
  readonly position: Position;
  /** Moves the map; while the user drags it, when they let go. */
  show(goal: Goal): void;
  draw(drawing: Drawing): void;
  setHeight(px: number): void;
}

interface Opening extends Drawing, Goal {
  readonly heightPx: number;
  readonly tiles: TileSource | null;
  /** What the user did; and where bounds came to lie, when the map's size is known or changes. */
  readonly onMove: (position: Position, by: Rendered["by"]) => void;
  readonly onClick: (click: Clicked) => void;
  /** Fetches the finer coastline. */
  readonly load: Load | undefined;
  readonly signal: AbortSignal;
}

const KEYS = "Arrow keys move the map, plus and minus zoom, Enter clicks on its middle.";
/** What stands on the map and would cover names. */
const FURNITURE = ".leaflet-control-zoom, .nba-map-title, .nba-map-legend, .nba-map-source";
/** Maps farther than this from what is seen of the page are not drawn. */
const NEAR = "200px";

export function openSurface(el: HTMLElement, opening: Opening): Surface {
  putStyle(el);
  return new OpenSurface(el, opening);
}

class OpenSurface implements Surface {
  position: Position;
  readonly #box = document.createElement("div");
  readonly #ground = document.createElement("canvas");
  readonly #over = document.createElement("canvas");
  readonly #source = document.createElement("div");
  readonly #ring = document.createElement("div");
  readonly #title = document.createElement("div");
  readonly #pins = new PinLayer();
  readonly #legend: Legend;
  readonly #labels: Labels;
  readonly #map: L.Map;
  readonly #popup: Popup;
  readonly #detail: Detail;
  readonly #opening: Opening;
  #tiles: Tiles = { isOn: false };
  #bounds: Bounds | null;
  #drawing: Drawing;
  #ours = true;
  #dragging = false;
  #held: Goal | null = null;
  #isNear = true;
  /** What stands on the map, in its pixels; `null`: to be measured. */
  #furniture: readonly MiddleBox[] | null = null;

  constructor(el: HTMLElement, opening: Opening) {
    this.#opening = opening;
    const { position, bounds, pins, layers, title, note, heightPx, load, signal } = opening;
    this.position = settled(position);
    this.#bounds = bounds;
    this.#drawing = { pins, layers, title, note };
    this.#box.className = "nba-map";
    this.#box.dataset.lmSuppressShortcuts = "true";
    this.#box.setAttribute("role", "application");
    this.#box.setAttribute("aria-roledescription", "map");
    this.setHeight(heightPx);
    el.append(this.#box);
    this.#map = openLeaflet(this.#box);
    this.#detail = new Detail(load, () => this.#draw(), signal);
    this.#labels = new Labels(load, () => this.#draw(), signal);
    this.#legend = new Legend(() => this.#arrange(), signal);
    this.#furnish(signal);
    this.#popup = new Popup(this.#box, signal, () => this.#box.focus());
    this.#listen(signal);
    guardWheel(this.#box, this.#map, signal);
    this.#place();
    if (opening.tiles !== null) {
      const changed = () => this.#draw();
      this.#tiles = openTiles(this.#map, this.#box, opening.tiles, changed, signal);
    }
    this.#watch(signal);
  }

  show({ position, bounds }: Goal): void {
    if (this.#dragging) {
      this.#held = { position, bounds };
      return;
    }
    this.position = settled(position);
    this.#bounds = bounds;
    this.#place();
  }

  draw(drawing: Drawing): void {
    if (drawing.layers !== this.#drawing.layers && this.#popup.at !== null) this.#popup.close();
    this.#drawing = drawing;
    this.#arrange();
  }

  setHeight(px: number): void {
    this.#box.style.height = `${px}px`;
  }

  #furnish(signal: AbortSignal): void {
    this.#over.className = "nba-map-over";
    this.#ring.className = "nba-map-ring";
    this.#ring.setAttribute("aria-hidden", "true");
    this.#source.className = "nba-map-source";
    this.#box.prepend(this.#ground);
    this.#title.className = "nba-map-title";
    this.#title.ariaHidden = "true"; // the map's own name says it
    this.#legend.fit(0, 0);
    this.#box.append(
      this.#over,
      this.#pins.el,
      this.#ring,
      this.#source,
      this.#title,
      this.#legend.el,
    );
    this.#ring.addEventListener("animationend", () => delete this.#ring.dataset.shown, { signal });
  }

  #listen(signal: AbortSignal): void {
    this.#map.on("move zoom", () => this.#draw());
    this.#map.on("dragstart", () => {
      this.#dragging = true;
    });
    this.#map.on("moveend", () => this.#moved());
    this.#map.on("click", ({ containerPoint, latlng, originalEvent }) => {
      const isSecond = originalEvent.detail > 1; // of a double click, which zooms
      if (!isSecond) this.#clicked(containerPoint, latlng);
    });
    const press = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || event.target !== this.#box) return;
      this.#clicked(this.#map.getSize().divideBy(2), this.#map.getCenter());
    };
    this.#box.addEventListener("keydown", press, { signal });
    const point = (event: MouseEvent) => {
      const target = this.#target(this.#map.mouseEventToContainerPoint(event));
      const isThing = target.pin !== null || target.feature !== null;
      this.#box.toggleAttribute("data-nba-pointing", isThing);
    };
    let frame = 0;
    const later = (event: MouseEvent) => {
      if (this.#dragging || frame !== 0 || event.buttons !== 0) return;
      frame = requestAnimationFrame(() => {
        frame = 0;
        if (!signal.aborted) point(event);
      });
    };
    this.#box.addEventListener("mousemove", later, { signal });
  }

  #watch(signal: AbortSignal): void {
    followTheme(this.#box, () => this.#draw(), signal);
    const unwatch = watchSize([this.#box], () => {
      this.#quietly(() => this.#map.invalidateSize({ animate: false, pan: false }));
      this.#legend.fit(this.#box.clientWidth, this.#box.clientHeight);
      this.#furniture = null;
      if (this.#dragging) this.#draw();
      else this.#place();
    });
    const sight = sightWatcher(NEAR, (_, isNear) => {
      this.#isNear = isNear;
      if (isNear) this.#draw();
    });
    sight?.observe(this.#box);
    signal.addEventListener("abort", () => {
      unwatch();
      sight?.disconnect();
      this.#map.remove();
      this.#box.remove();
    });
  }

  /** Puts the map where it should be, exactly: the buttons and the wheel go by whole levels, we do not. */
  #place(): void {
    this.#fit();
    const { lon, lat, zoom } = this.position;
    this.#quietly(() => {
      this.#map.options.zoomSnap = 0;
      this.#map.setView([lat, lon], zoom, { animate: false });
      this.#map.options.zoomSnap = 1;
    });
    this.#draw();
  }

  #fit(): void {
    if (this.#bounds === null) return;
    const { clientWidth: width, clientHeight: height } = this.#box;
    const isDrawn = width > 0 && height > 0;
    const { lon, lat, zoom } = fitted(this.#bounds, isDrawn ? { width, height } : NOMINAL);
    // Tiles are sharp at whole levels only.
    const now = settled({ lon, lat, zoom: this.#opening.tiles === null ? zoom : Math.floor(zoom) });
    if (samePosition(now, this.position)) return;
    this.position = now;
    if (isDrawn) this.#opening.onMove(now, "python");
  }

  #quietly(move: () => void): void {
    this.#ours = true;
    try {
      move();
    } finally {
      this.#ours = false;
    }
  }

  #moved(): void {
    if (this.#ours) return;
    this.#dragging = false;
    const held = this.#held;
    this.#held = null;
    if (held !== null) {
      this.show(held);
      return;
    }
    const center = this.#map.getCenter();
    const now = settled({ lon: center.lng, lat: center.lat, zoom: this.#map.getZoom() });
    if (samePosition(now, this.position)) return;
    this.position = now;
    this.#bounds = null;
    // Beyond the date line or the poles the same place is shown, written the usual way.
    if (Math.abs(center.lng) > 180 || Math.abs(center.lat) > LAT_LIMIT) this.#place();
    this.#draw();
    this.#opening.onMove(now, "user");
  }

  #clicked(point: L.Point, { lng, lat }: L.LatLng): void {
    const at = settled({ lon: lng, lat, zoom: 0 });
    const target = this.#target(point);
    const click = clicked({ lon: at.lon, lat: at.lat }, target);
    const feature = target.feature;
    if (feature !== null) {
      this.#popup.open(click, contentOf(feature.feature.properties, feature.layer.name));
    } else if (click.label) {
      this.#popup.open(click, { title: click.label, rows: [] });
    } else {
      if (this.#popup.at !== null) this.#popup.close();
      this.#ring.style.translate = `${point.x}px ${point.y}px`;
      this.#ring.dataset.shown = "";
    }
    this.#draw();
    this.#opening.onClick(click);
  }

  #target(point: { x: number; y: number }) {
    const pins = this.#legend.pins(this.#drawing.pins);
    const layers = this.#legend.layers(this.#drawing.layers);
    return targetAt(point, this.#view(), pins, layers, this.#foot);
  }

  /** Where a place stands in the box: at its copy that is nearest to the middle. */
  readonly #foot = ({ lon, lat }: { lon: number; lat: number }) =>
    this.#map.latLngToContainerPoint([lat, nearestLon(lon, this.#map.getCenter().lng)]);

  #view(): View {
    const { x: width, y: height } = this.#map.getSize();
    const corner = this.#map.getPixelBounds().min;
    return { left: corner?.x ?? 0, top: corner?.y ?? 0, width, height, zoom: this.#map.getZoom() };
  }

  /** Something on the map is to be there, or gone, that takes room. */
  #arrange(): void {
    this.#furniture = null;
    this.#draw();
  }

  #draw(): void {
    this.#tell();
    if (!this.#isNear) return;
    const view = this.#view();
    const pen = sharpened(this.#ground, view.width, view.height);
    const over = sharpened(this.#over, view.width, view.height);
    const placed = this.#placed(view);
    if (pen !== null && over !== null) this.#paint(pen, over, view, placed);
    this.#pins.draw(this.#labels.pinNames, placed, view);
    if (this.#popup.at !== null) {
      const { x, y } = this.#foot(this.#popup.at);
      this.#popup.place(x, y, view.width, view.height);
    }
  }

  #now(view: View): Position {
    const center = this.#map.getCenter();
    return { lon: center.lng, lat: center.lat, zoom: view.zoom };
  }

  #placed(view: View): readonly Placed[] {
    const pins = this.#legend.pins(this.#drawing.pins);
    return this.#labels.at(view, pins, this.#taken(view), !this.#tiles.isOn);
  }

  /** Where no name may stand. */
  #taken(view: View): MiddleBox[] {
    const { left, top } = this.#box.getBoundingClientRect();
    this.#furniture ??= [...this.#box.querySelectorAll(FURNITURE)].map((one) => {
      const box = one.getBoundingClientRect();
      return boxOf(box.left - left, box.top - top, box.width, box.height);
    });
    const now = this.#now(view);
    const inset = insetOf(view, now);
    const small = inset && boxOf(inset.x, inset.y, inset.view.width, inset.view.height);
    return [...this.#furniture, scaleBox(view, now), ...(small ? [small] : [])];
  }

  #paint(
    pen: CanvasRenderingContext2D,
    over: CanvasRenderingContext2D,
    view: View,
    placed: readonly Placed[],
  ): void {
    const now = this.#now(view);
    const theme = themeOf(this.#box);
    const taken = [...this.#taken(view), ...placed.map(({ box }) => box)];
    paint(pen, view, now, theme, this.#detail.at(view.zoom), taken);
    over.clearRect(0, 0, view.width, view.height);
    paintLayers(over, view, this.#legend.layers(this.#drawing.layers), theme);
    paintNames(over, placed, theme);
    paintScale(over, view, now, theme);
  }

  #tell(): void {
    const { pins, layers, title, note } = this.#drawing;
    const names = [...pins.map(({ label }) => label), ...layers.map(({ name }) => name)];
    const labels = names.filter((name) => name !== "");
    const named = labels.length > 0 ? ` (${labels.slice(0, 12).join(", ")})` : "";
    const words = `${describe(this.position, pins, title, layers)}${named}. ${KEYS}`;
    if (this.#box.ariaLabel !== words) this.#box.ariaLabel = words;
    if (this.#title.textContent !== title) this.#title.textContent = title;
    this.#title.hidden = title === "";
    this.#legend.show(pins, layers);
    const own = "Natural Earth";
    const source = this.#tiles.isOn ? (this.#opening.tiles?.attribution ?? own) : own;
    const said = note === "" ? source : `${note} · ${source}`;
    if (this.#source.textContent !== said) this.#source.textContent = said;
  }
}
