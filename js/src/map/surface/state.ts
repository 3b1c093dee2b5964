/** What a map shows, merged from what Python sends and what the user does. */

import { isNumber, isRecord, textIn } from "../../bridge";
import { type Layer, layersFrom } from "../paint";
import {
  type Bounds,
  boundsFrom,
  fitted,
  type Pin,
  type Position,
  samePosition,
  settled,
} from "../world";

/** All that a map shows. `seq` counts the commands that moved it, so that none is done twice. */
export interface MapState {
  readonly position: Position;
  /** What is to be shown whole; the position is then that of a usual size. */
  readonly bounds: Bounds | null;
  readonly pins: readonly Pin[];
  readonly layers: readonly Layer[];
  readonly title: string;
  /** What is not shown of it, in words; mostly nothing. */
  readonly note: string;
  readonly seq: number;
  /** Whose map it is; the answer to a move carries it back. */
  readonly mapId: string | null;
}

export const NOWHERE_YET: MapState = {
  position: { lon: 10, lat: 30, zoom: 2 },
  bounds: null,
  pins: [],
  layers: [],
  title: "",
  note: "",
  seq: 0,
  mapId: null,
};

/** Where the page has the map, and who put it there: the trait `rendered`. */
export interface Rendered extends Position {
  readonly by: "user" | "python";
  /** The command that the map had carried out by then. */
  readonly seq: number;
}

/** A payload of kind `map` over what was shown: absent and unusable keys keep what there was. */
export function merged(shown: MapState, value: unknown): MapState {
  if (!isRecord(value)) return shown;
  const seq = numberOr(value.seq, shown.seq);
  // A payload with a `seq` already carried out only repeats where the map was once sent: the user
  // may have moved it since. One without a `seq` comes from somebody's own tool, and always moves.
  const moves = value.seq === undefined || seq > shown.seq;
  const placed = moves ? placedBy(value, shown) : shown;
  const { position, bounds } = isRecord(value.left_at) ? placedBy(value.left_at, placed) : placed;
  return {
    position,
    bounds,
    pins: Array.isArray(value.pins) ? pinsFrom(value.pins) : shown.pins,
    layers: Array.isArray(value.layers) ? layersFrom(value.layers) : shown.layers,
    title: typeof value.title === "string" ? value.title : shown.title,
    note: Array.isArray(value.left_out) ? noteOf(value.left_out) : shown.note,
    seq: Math.max(seq, shown.seq),
    mapId: typeof value.map_id === "string" ? value.map_id : shown.mapId,
  };
}

/** Layers that were too large to be saved. */
function noteOf(names: readonly unknown[]): string {
  const known = names.filter((name) => typeof name === "string");
  return known.length === 0 ? "" : `Not saved, too large: ${known.join(", ")}`;
}

/** Where a map view stands: at the newest command, unless the user moved it after that one. */
export function standing(wanted: unknown, rendered: unknown): Rendered {
  const command = renderedFrom(wanted, "python");
  const last = renderedFrom(rendered, "python");
  return last.by === "user" && last.seq >= command.seq ? last : command;
}

/** The pins of a list that came over the wire; what is no pin is left out. */
export function pinsFrom(value: unknown): readonly Pin[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown) => {
    const at = pointFrom(one);
    if (at === null || !isRecord(one)) return [];
    return [{ ...at, label: textIn(one.label) }];
  });
}

/** What the page reports: the same report twice is the same value, so nothing echoes. */
export function report(position: Position, by: Rendered["by"], seq: number): Rendered {
  return { ...settled(position), by, seq };
}

/** Whether a report says nothing new; a command is carried out once, in each view as it fits. */
export function sameReport(a: Rendered, b: Rendered): boolean {
  if (a.by !== b.by || a.seq !== b.seq) return false;
  return a.by === "python" || samePosition(a, b);
}

type Placed = Pick<MapState, "position" | "bounds">;

/** Bounds count more than a center; a new center or zoom level ends what was to be shown whole. */
function placedBy(value: Record<string, unknown>, shown: Placed): Placed {
  const bounds = boundsFrom(value.bounds);
  if (bounds !== null) return { position: settled(fitted(bounds)), bounds };
  const center = pointFrom(value.center);
  if (center === null && !isNumber(value.zoom)) return shown;
  const { lon, lat } = center ?? shown.position;
  const zoom = numberOr(value.zoom, shown.position.zoom);
  return { position: settled({ lon, lat, zoom }), bounds: null };
}

function renderedFrom(value: unknown, by: Rendered["by"]): Rendered {
  const record = isRecord(value) ? value : {};
  const at = pointFrom(record) ?? NOWHERE_YET.position;
  return {
    lon: at.lon,
    lat: at.lat,
    zoom: numberOr(record.zoom, NOWHERE_YET.position.zoom),
    by: record.by === "user" ? "user" : by,
    seq: numberOr(record.seq, -1),
  };
}

function pointFrom(value: unknown): { lon: number; lat: number } | null {
  if (!isRecord(value)) return null;
  const { lon, lat } = value;
  return isNumber(lon) && isNumber(lat) ? { lon, lat } : null;
}

function numberOr(value: unknown, otherwise: number): number {
  return isNumber(value) ? value : otherwise;
}
