/** Online tiles over the map's own basemap, as long as they can be had. */

import type { Map as LeafletMap } from "leaflet";
import * as L from "leaflet/dist/leaflet-src.esm.js";
import { isRecord } from "../../bridge";
import { ZOOM_LIMIT } from "../world";
import { keepFromMap } from "./wheel";

export interface TileSource {
  readonly url: string;
  readonly attribution: string;
}

export interface Tiles {
  /** Whether they are shown: until too many could not be had. */
  readonly isOn: boolean;
}

/** One tile after the other that cannot be had: then it is not the tile. */
const ERRORS_MOST = 4;
const SORRY = "The online tiles could not be loaded. This is the map that comes with nbagents.";

/** Where Python says that tiles are; only the person's own code does. */
export function tilesFrom(value: unknown): TileSource | null {
  if (!isRecord(value) || typeof value.url !== "string") return null;
  if (!/^https?:\/\//.test(value.url)) return null;
  return { url: value.url, attribution: String(value.attribution ?? "") };
}

/** Show tiles; `changed` is called when they are given up, or tried again. */
export function openTiles(
  map: LeafletMap,
  box: HTMLElement,
  source: TileSource,
  changed: () => void,
  signal: AbortSignal,
): Tiles {
  const layer = L.tileLayer(source.url, { maxZoom: ZOOM_LIMIT, updateWhenIdle: false });
  const sorry = apology(() => start(), signal);
  box.append(sorry);
  const tiles = { isOn: false };
  let errors = 0;
  layer.on("tileload", () => {
    errors = 0;
  });
  layer.on("tileerror", () => {
    errors += 1;
    if (errors >= ERRORS_MOST && tiles.isOn) show(false);
  });
  const show = (isOn: boolean) => {
    tiles.isOn = isOn;
    sorry.hidden = isOn;
    errors = 0;
    if (isOn) layer.addTo(map);
    else layer.remove();
    changed();
  };
  const start = () => show(true);
  start();
  return tiles;
}

function apology(again: () => void, signal: AbortSignal): HTMLElement {
  const box = document.createElement("div");
  box.className = "nba-map-sorry";
  box.setAttribute("role", "status");
  const words = document.createElement("span");
  words.textContent = SORRY;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try again";
  button.addEventListener("click", again, { signal });
  keepFromMap(box, signal);
  box.append(words, button);
  return box;
}
