/** The world's land and borders, from the one atlas file that Python reads too. */

import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import topology from "../../../../widgets/nbagents_widgets/world/atlas.json";
import { type Box, clippedLine, clippedRing } from "./clip";
import { unitX, unitY } from "./position";

/** A ring or line on the world taken as a unit square; it may reach past its east or west edge. */
export interface Shape extends Box {
  readonly points: readonly number[];
}

export interface Atlas {
  /** Coastlines that close; islands, continents, and the Caspian as a hole. */
  readonly land: readonly Shape[];
  /** The land that goes round a pole, and so closes only along the bottom of the map. */
  readonly polar: readonly { readonly area: Shape; readonly coast: Shape }[];
  readonly borders: readonly Shape[];
}

type Lonlat = readonly number[];
type World = Topology<{ countries: GeometryCollection; land: GeometryCollection }>;

let read: Atlas | null = null;

/** The atlas, decoded when the first map of a page opens. */
export function atlas(): Atlas {
  read ??= atlasOf(topology);
  return read;
}

/** The part of a shape that a box shows; coordinates scaled to pixels, the copy of the world moved by `shift`. */
export function seen(
  shape: Shape,
  world: number,
  view: Box,
  shift: number,
  kind: "ring" | "line",
): number[][] {
  if (!overlaps(shape, world, view, shift)) return [];
  const points = shape.points.map((value, at) =>
    at % 2 === 0 ? (value + shift) * world - view.left : value * world - view.top,
  );
  const box = {
    left: -8,
    top: -8,
    right: view.right - view.left + 8,
    bottom: view.bottom - view.top + 8,
  };
  return kind === "ring" ? [clippedRing(points, box)] : clippedLine(points, box);
}

/** Land and borders of a TopoJSON. */
export function atlasOf(data: unknown): Atlas {
  if (!isWorld(data)) throw new Error("The atlas is no TopoJSON with countries and land.");
  const rings = feature(data, data.objects.land)
    .features.flatMap(({ geometry }) => polygons(geometry))
    .flat()
    .map(unrolled);
  const round = rings.filter(goesRound);
  return {
    land: rings.filter((ring) => !goesRound(ring)).map(shaped),
    polar: round.map((ring) => ({ area: shaped(closedAtThePole(ring)), coast: shaped(ring) })),
    borders: mesh(data, data.objects.countries, (one, other) => one !== other).coordinates.map(
      (line) => shaped(unrolled(line)),
    ),
  };
}

function polygons(geometry: GeoJSON.Geometry): Lonlat[][][] {
  if (geometry.type === "MultiPolygon") return geometry.coordinates;
  return geometry.type === "Polygon" ? [geometry.coordinates] : [];
}

/** A line without jumps: lines may cross the date line, from 180 to -180. */
export function unrolled(line: readonly Lonlat[]): [number, number][] {
  let turns = 0;
  let before = line[0]?.[0] ?? 0;
  return line.map(([lon = 0, lat = 0]) => {
    turns += Math.round((before - lon) / 360);
    before = lon;
    return [lon + 360 * turns, lat];
  });
}

function goesRound(ring: readonly Lonlat[]): boolean {
  return Math.abs((ring.at(-1)?.[0] ?? 0) - (ring[0]?.[0] ?? 0)) > 180;
}

/** A ring round the pole, closed below the map, and a little longer than a turn: no seam shows. */
function closedAtThePole(ring: readonly Lonlat[]): Lonlat[] {
  const [first, last] = [ring[0]?.[0] ?? 0, ring.at(-1)?.[0] ?? 0];
  const more = ring.slice(1, 3).map(([lon = 0, lat = 0]) => [lon + last - first, lat]);
  return [...ring, ...more, [more.at(-1)?.[0] ?? last, -90], [first, -90]];
}

/** A line of longitudes and latitudes on the unit square. */
export function shaped(line: readonly Lonlat[]): Shape {
  const points = line.flatMap(([lon = 0, lat = 0]) => [unitX(lon), unitY(lat)]);
  const [nothing, all] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const box = { left: nothing, right: all, top: nothing, bottom: all };
  // A long line would be too many arguments for Math.min.
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]];
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return { points, ...box };
}

function overlaps(shape: Shape, world: number, view: Box, shift: number): boolean {
  return (
    (shape.right + shift) * world >= view.left - 8 &&
    (shape.left + shift) * world <= view.right + 8 &&
    shape.bottom * world >= view.top - 8 &&
    shape.top * world <= view.bottom + 8
  );
}

function isWorld(data: unknown): data is World {
  return (
    typeof data === "object" &&
    data !== null &&
    "type" in data &&
    data.type === "Topology" &&
    "objects" in data &&
    typeof data.objects === "object" &&
    data.objects !== null &&
    "countries" in data.objects &&
    "land" in data.objects
  );
}
