/** What the user clicked on: a pin, a feature, or the map itself. */

import { type Hit, hit, type Layer } from "../paint";
import type { Pin, View } from "../world";
import { type Place, pinAt } from "./pins";
import { contentOf } from "./popup";

/** A click as it is told to Python: degrees WGS 84. */
export interface Clicked {
  readonly lon: number;
  readonly lat: number;
  readonly on: "map" | "pin" | "feature";
  readonly label?: string;
  readonly layer?: string;
  readonly properties?: Record<string, string | number | boolean>;
}

/** What is at a point of the view. */
interface Target {
  readonly pin: Pin | null;
  readonly feature: Hit | null;
}

const PROPERTIES_MOST = 20;
const TEXT_MOST = 200;

export function targetAt(
  point: { x: number; y: number },
  view: View,
  pins: readonly Pin[],
  layers: readonly Layer[],
  place: Place,
): Target {
  const pin = pinAt(pins, place, point.x, point.y);
  return { pin, feature: pin === null ? hit(layers, view, point.x, point.y) : null };
}

export function clicked(at: { lon: number; lat: number }, { pin, feature }: Target): Clicked {
  if (pin !== null) return { lon: pin.lon, lat: pin.lat, on: "pin", label: pin.label };
  if (feature === null) return { ...at, on: "map" };
  const { properties } = feature.feature;
  const layer = feature.layer.name;
  const label = contentOf(properties, layer).title;
  return { ...at, on: "feature", label, layer, properties: plain(properties) };
}

function plain(properties: Readonly<Record<string, unknown>>): NonNullable<Clicked["properties"]> {
  const kept: NonNullable<Clicked["properties"]> = {};
  for (const [key, value] of Object.entries(properties).slice(0, PROPERTIES_MOST)) {
    if (typeof value === "string") kept[key] = value.slice(0, TEXT_MOST);
    else if (typeof value === "number" || typeof value === "boolean") kept[key] = value;
  }
  return kept;
}
