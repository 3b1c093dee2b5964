/** A map on the page: Leaflet moves it, our painter draws it, and user moves are told apart from ours. */

import * as L from "leaflet/dist/leaflet-src.esm.js";
import { atlas } from "./atlas";
import css from "./map.css";
import { paint } from "./paint";
import { drawPins, pinLayer } from "./pins";
import {
  describe,
  LAT_LIMIT,
  nearestLon,
  type Pin,
  type Position,
  samePosition,
  settled,
  ZOOM_LIMIT,
} from "./position";
import { followTheme, themeOf } from "./theme";
import { guardWheel } from "./wheel";

export interface Surface {
  /** Moves the map; while the user drags it, when they let go. */
  show(position: Position): void;
  label(pins: readonly Pin[], title: string): void;
  setHeight(px: number): void;
}

export interface Opening {
  readonly position: Position;
  readonly pins: readonly Pin[];
  readonly title: string;
  readonly heightPx: number;
  /** Only for what the user did. */
  readonly onMove: (position: Position) => void;
  readonly signal: AbortSignal;
}

const KEYS = "Arrow keys move the map, plus and minus zoom.";

export function openSurface(el: HTMLElement, opening: Opening): Surface {
  putStyle(el);
  return new OpenSurface(el, opening);
}

class OpenSurface implements Surface {
  readonly #box = document.createElement("div");
  readonly #canvas = document.createElement("canvas");
  readonly #pinLayer = pinLayer();
  readonly #map: L.Map;
  readonly #onMove: (position: Position) => void;
  #position: Position;
  #pins: readonly Pin[];
  #title: string;
  #ours = true;
  #dragging = false;
  #held: Position | null = null;

  constructor(el: HTMLElement, { position, pins, title, heightPx, onMove, signal }: Opening) {
    this.#onMove = onMove;
    this.#position = settled(position);
    this.#pins = pins;
    this.#title = title;
    this.#box.className = "nba-map";
    this.#box.dataset.lmSuppressShortcuts = "true";
    this.#box.setAttribute("role", "application");
    this.#box.setAttribute("aria-roledescription", "map");
    this.setHeight(heightPx);
    el.append(this.#box);
    this.#map = openLeaflet(this.#box);
    this.#box.prepend(this.#canvas);
    this.#box.append(this.#pinLayer);
    this.#map.on("move zoom", () => this.#draw());
    this.#map.on("dragstart", () => {
      this.#dragging = true;
    });
    this.#map.on("moveend", () => this.#moved());
    guardWheel(this.#box, this.#map, signal);
    this.#place();
    this.#watch(signal);
  }

  show(position: Position): void {
    if (this.#dragging) {
      this.#held = position;
      return;
    }
    this.#position = settled(position);
    this.#place();
  }

  label(pins: readonly Pin[], title: string): void {
    this.#pins = pins;
    this.#title = title;
    this.#draw();
  }

  setHeight(px: number): void {
    this.#box.style.height = `${px}px`;
  }

  #watch(signal: AbortSignal): void {
    followTheme(this.#box, () => this.#draw(), signal);
    const watcher = new ResizeObserver(() => {
      this.#quietly(() => this.#map.invalidateSize({ animate: false, pan: false }));
      if (this.#dragging) this.#draw();
      else this.#place();
    });
    watcher.observe(this.#box);
    signal.addEventListener("abort", () => {
      watcher.disconnect();
      this.#map.remove();
      this.#box.remove();
    });
  }

  /** Puts the map where it should be, exactly: the buttons and the wheel go by whole levels, we do not. */
  #place(): void {
    const { lon, lat, zoom } = this.#position;
    this.#quietly(() => {
      this.#map.options.zoomSnap = 0;
      this.#map.setView([lat, lon], zoom, { animate: false });
      this.#map.options.zoomSnap = 1;
    });
    this.#draw();
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
    if (samePosition(now, this.#position)) return;
    this.#position = now;
    // Beyond the date line or the poles the same place is shown, written the usual way.
    if (Math.abs(center.lng) > 180 || Math.abs(center.lat) > LAT_LIMIT) this.#place();
    this.#draw();
    this.#onMove(now);
  }

  #draw(): void {
    this.#tell();
    const { x: width, y: height } = this.#map.getSize();
    const pen = this.#canvas.getContext("2d");
    if (width === 0 || height === 0 || pen === null) return;
    sharpen(this.#canvas, pen, width, height);
    const corner = this.#map.getPixelBounds().min ?? new L.Point(0, 0);
    const view = { left: corner.x, top: corner.y, width, height, zoom: this.#map.getZoom() };
    const center = this.#map.getCenter();
    const now = { lon: center.lng, lat: center.lat, zoom: view.zoom };
    paint(pen, view, now, themeOf(this.#box), atlas());
    drawPins(this.#pinLayer, this.#pins, (pin) =>
      this.#map.latLngToContainerPoint([pin.lat, nearestLon(pin.lon, center.lng)]),
    );
  }

  #tell(): void {
    const labels = this.#pins.map((pin) => pin.label).filter((label) => label !== "");
    const named = labels.length > 0 ? ` (${labels.slice(0, 12).join(", ")})` : "";
    const words = `${describe(this.#position, this.#pins, this.#title)}${named}. ${KEYS}`;
    if (this.#box.ariaLabel !== words) this.#box.ariaLabel = words;
  }
}

function openLeaflet(box: HTMLElement): L.Map {
  const map = L.map(box, {
    attributionControl: false,
    fadeAnimation: false,
    inertia: false,
    markerZoomAnimation: false,
    maxZoom: ZOOM_LIMIT,
    minZoom: 0,
    wheelPxPerZoomLevel: 120,
    worldCopyJump: true,
    zoomAnimation: false,
  });
  L.control.attribution({ prefix: false }).addAttribution("Natural Earth").addTo(map);
  // Leaflet takes the focus when the map is pressed, which would scroll the notebook to show it all.
  const focus = box.focus.bind(box);
  box.focus = (options) => focus({ ...options, preventScroll: true });
  // The arrow keys would glide; a map that is somewhere else at once says where it is at once.
  const panBy = map.panBy.bind(map);
  map.panBy = (offset, options) => panBy(offset, { ...options, animate: false });
  return map;
}

function sharpen(
  canvas: HTMLCanvasElement,
  pen: CanvasRenderingContext2D,
  width: number,
  height: number,
): void {
  const dots = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  pen.setTransform(dots, 0, 0, dots, 0, 0);
}

/** Once into each document, or shadow root, that holds a map. */
function putStyle(el: HTMLElement): void {
  const node = el.getRootNode();
  const home = node instanceof ShadowRoot ? node : document.head;
  const known = [...home.querySelectorAll("style[data-nba-map]")];
  if (known.some((style) => style.textContent === css)) return; // another build has its own
  const style = document.createElement("style");
  style.dataset.nbaMap = "";
  style.textContent = css;
  home.append(style);
}
