/** A part of the world that a map is to show whole, and the place and zoom level that do. */

import { isRecord } from "../../bridge";
import { clamp, latAt, type Position, unitY, wrapLon } from "./position";

/** Degrees WGS 84; west > east means that they cross 180°. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Room that is left free on each side. */
  readonly padding_px: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Of a map that no page has drawn yet. */
export const NOMINAL: Size = { width: 640, height: 320 };

const PADDING_PX = 24;
const PADDING_MOST_PX = 200;
/** No bounds are shown closer than this: those of one point would be a doorstep. */
const CLOSEST = 15;

/** The bounds of a payload or command; `null` where there are none. */
export function boundsFrom(value: unknown): Bounds | null {
  if (!isRecord(value)) return null;
  const { west, south, east, north } = value;
  if (!isDegrees(west, 180) || !isDegrees(east, 180)) return null;
  if (!isDegrees(south, 90) || !isDegrees(north, 90) || south > north) return null;
  const padding = isDegrees(value.padding_px, PADDING_MOST_PX) ? value.padding_px : PADDING_PX;
  return { west, south, east, north, padding_px: Math.abs(padding) };
}

/** Where a map of this size shows the bounds whole, as closely as they allow. */
export function fitted(bounds: Bounds, size: Size = NOMINAL): Position {
  const { west, south, east, north, padding_px } = bounds;
  const span = east - west + (east < west ? 360 : 0);
  const [top, bottom] = [unitY(north), unitY(south)];
  const across = level(size.width, padding_px, span / 360);
  const down = level(size.height, padding_px, bottom - top);
  return {
    lon: wrapLon(west + span / 2),
    lat: latAt((top + bottom) / 2),
    zoom: Math.floor(clamp(Math.min(CLOSEST, across, down), 0, CLOSEST) * 100) / 100,
  };
}

/** The zoom level at which a part of the world fills a room. */
function level(roomPx: number, paddingPx: number, part: number): number {
  const room = Math.max(roomPx - 2 * paddingPx, roomPx / 4);
  return part <= 0 ? Number.POSITIVE_INFINITY : Math.log2(room / (256 * part));
}

function isDegrees(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}
