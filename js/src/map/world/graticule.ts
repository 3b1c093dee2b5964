/** Meridians and parallels at round degrees, so that a map close up still says where it is. */

import { clamp, LAT_LIMIT, latAt, latWords, lonWords, unitX, unitY, worldPx } from "./position";

export interface View {
  /** World pixels from the date line and from 85.05° N to the view's left top corner. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly zoom: number;
}

export interface GridLine {
  /** Pixels from the view's left (a meridian) or top (a parallel). */
  readonly px: number;
  readonly words: string;
}

const STEPS_DEG = [60, 30, 15, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
const APART_PX = 110;

/** The finest of the round steps that keeps meridians at least 110 px apart. */
export function gridStep(zoom: number): number {
  const pxPerDegree = worldPx(zoom) / 360;
  return STEPS_DEG.findLast((step) => step * pxPerDegree >= APART_PX) ?? 60;
}

export function meridians(view: View): GridLine[] {
  const world = worldPx(view.zoom);
  const west = (view.left / world) * 360 - 180;
  const east = ((view.left + view.width) / world) * 360 - 180;
  return multiples(west, east, gridStep(view.zoom)).map((lon) => ({
    px: unitX(lon) * world - view.left,
    words: lonWords(lon - 360 * Math.round(lon / 360), 3),
  }));
}

export function parallels(view: View): GridLine[] {
  const world = worldPx(view.zoom);
  const north = latAt(clamp(view.top / world, 0, 1));
  const south = latAt(clamp((view.top + view.height) / world, 0, 1));
  return multiples(south, north, gridStep(view.zoom))
    .filter((lat) => Math.abs(lat) < LAT_LIMIT)
    .map((lat) => ({ px: unitY(lat) * world - view.top, words: latWords(lat, 3) }));
}

function multiples(from: number, to: number, step: number): number[] {
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}
