/** GeoJSON that anybody wrote, as shapes on the unit world. What is none is left out. */

import { isRecord } from "../../bridge";
import { type Shape, shaped, unrolled } from "../world";
import { cssColor } from "./colors";

export interface Layer {
  readonly name: string;
  /** As CSS has it. */
  readonly color: string;
  readonly features: readonly Feature[];
}

export interface Feature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly parts: readonly Part[];
}

/** A point, a line, or the rings of an area. */
export interface Part {
  readonly kind: "dot" | "line" | "area";
  readonly shapes: readonly Shape[];
}

const LAYERS_MOST = 20;
/** Longer than this nothing is drawn while it is dragged. */
const POINTS_MOST = 200_000;

type Lonlat = readonly [number, number];

/** The layers of a list that came over the wire, the first below. */
export function layersFrom(value: unknown): readonly Layer[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, LAYERS_MOST).flatMap((one: unknown, place) => {
    if (!isRecord(one)) return [];
    const room = { points: POINTS_MOST };
    return [
      {
        name: typeof one.name === "string" ? one.name : `layer ${place + 1}`,
        color: cssColor(one.color, place),
        features: features(one.geojson, {}, room),
      },
    ];
  });
}

interface Room {
  points: number;
}

function features(value: unknown, properties: Feature["properties"], room: Room): Feature[] {
  if (!isRecord(value)) return [];
  const { type, coordinates } = value;
  const all = (list: unknown, own: Feature["properties"]) =>
    Array.isArray(list) ? list.flatMap((one) => features(one, own, room)) : [];
  if (type === "FeatureCollection") return all(value.features, {});
  if (type === "GeometryCollection") return all(value.geometries, properties);
  if (type === "Feature") {
    return features(value.geometry, isRecord(value.properties) ? value.properties : {}, room);
  }
  const parts = typeof type === "string" ? partsOf(type, coordinates, room) : [];
  return parts.length > 0 ? [{ properties, parts }] : [];
}

function partsOf(type: string, coordinates: unknown, room: Room): Part[] {
  const each = (make: (one: unknown) => Part[]) => list(coordinates).flatMap(make);
  switch (type) {
    case "Point":
      return dot(coordinates, room);
    case "MultiPoint":
      return each((one) => dot(one, room));
    case "LineString":
      return line(coordinates, room);
    case "MultiLineString":
      return each((one) => line(one, room));
    case "Polygon":
      return area(coordinates, room);
    case "MultiPolygon":
      return each((one) => area(one, room));
    default:
      return [];
  }
}

function dot(value: unknown, room: Room): Part[] {
  const [at] = positions([value], room);
  return at === undefined ? [] : [{ kind: "dot", shapes: [shaped([at])] }];
}

function line(value: unknown, room: Room): Part[] {
  const shapes = paths([value], room);
  return shapes.length > 0 ? [{ kind: "line", shapes }] : [];
}

function area(value: unknown, room: Room): Part[] {
  const shapes = paths(list(value), room);
  return shapes.length > 0 ? [{ kind: "area", shapes }] : [];
}

function paths(lines: readonly unknown[], room: Room): Shape[] {
  return lines
    .map((one) => positions(list(one), room))
    .filter((points) => points.length > 1)
    .map((points) => shaped(unrolled(points)));
}

function positions(values: readonly unknown[], room: Room): Lonlat[] {
  const found: Lonlat[] = [];
  for (const value of values) {
    if (!Array.isArray(value) || room.points <= 0) continue;
    const [lon, lat]: unknown[] = value;
    if (!isWithin(lon, 360) || !isWithin(lat, 90)) continue;
    found.push([lon, lat]);
    room.points -= 1;
  }
  return found;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isWithin(value: unknown, most: number): value is number {
  return typeof value === "number" && Math.abs(value) <= most;
}
