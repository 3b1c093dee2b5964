/** Where a map looks: the arithmetic and the words of positions, with no page in them. */

/** Degrees WGS 84, longitude first; the zoom levels are Leaflet's, 0 shows the world in 256 px. */
export interface Position {
  readonly lon: number;
  readonly lat: number;
  readonly zoom: number;
}

export interface Pin {
  readonly lon: number;
  readonly lat: number;
  readonly label: string;
}

/** Where Web Mercator ends, so that the world is a square. Source: EPSG:3857. */
export const LAT_LIMIT = 85.0511287798;

export const ZOOM_LIMIT = 18;

const TILE_PX = 256;
/** The equator, and how much the earth is flattened: e². Source: WGS 84. */
const EQUATOR_M = 40_075_016.686;
const FLATNESS = 0.006_694_379_990_14;

/** From this zoom level on a scale is true enough over the whole view. */
const TRUE_FROM_ZOOM = 4;

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** The same meridian in [-180, 180); 180 itself stays, since people write it. */
export function wrapLon(lon: number): number {
  if (lon >= -180 && lon <= 180) return lon;
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** A position as it is kept and sent: on the world, and no finer than a tenth of a metre. */
export function settled(position: Position): Position {
  return {
    lon: rounded(wrapLon(position.lon), 6),
    lat: rounded(clamp(position.lat, -LAT_LIMIT, LAT_LIMIT), 6),
    zoom: rounded(clamp(position.zoom, 0, ZOOM_LIMIT), 2),
  };
}

export function samePosition(a: Position, b: Position): boolean {
  return a.lon === b.lon && a.lat === b.lat && a.zoom === b.zoom;
}

/** How many pixels the world is wide. */
export function worldPx(zoom: number): number {
  return TILE_PX * 2 ** zoom;
}

/** Longitude on the world taken as 0 to 1, west to east. */
export function unitX(lon: number): number {
  return (lon + 180) / 360;
}

/** Latitude on the world taken as 0 to 1, north to south. */
export function unitY(lat: number): number {
  const sine = Math.sin((clamp(lat, -LAT_LIMIT, LAT_LIMIT) * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

export function latAt(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

/** The copy of a meridian that is nearest to another: maps go round. */
export function nearestLon(lon: number, to: number): number {
  return lon + 360 * Math.round((to - lon) / 360);
}

/** How long the parallel of a latitude is, on the ellipsoid. */
function parallelMetres(lat: number): number {
  const radians = (lat * Math.PI) / 180;
  return (EQUATOR_M * Math.cos(radians)) / Math.sqrt(1 - FLATNESS * Math.sin(radians) ** 2);
}

/** A round length that takes at most `max_px` along the parallel in the middle, for the scale bar. */
export function scaleBar(position: Position, maxPx = 100): { metres: number; px: number } {
  const metresPerPx = parallelMetres(drawnLat(position)) / worldPx(position.zoom);
  const most = metresPerPx * maxPx;
  const power = 10 ** Math.floor(Math.log10(most));
  const factor = [5, 2, 1].find((step) => step * power <= most) ?? 1;
  return { metres: factor * power, px: (factor * power) / metresPerPx };
}

/** The latitude in the middle: the poles themselves are not on the map. */
function drawnLat({ lat }: Position): number {
  return clamp(lat, -LAT_LIMIT, LAT_LIMIT);
}

/** `50 km`; of the whole world, where that holds: `2,000 km at 30° N`. */
export function scaleWords(position: Position, metres: number): string {
  const whole = metres >= 1000 ? `${(metres / 1000).toLocaleString("en")} km` : `${metres} m`;
  return position.zoom < TRUE_FROM_ZOOM ? `${whole} at ${latWords(drawnLat(position), 0)}` : whole;
}

/** `10.75° E`; finer than zoom 10, four decimals. */
export function lonWords(lon: number, decimals = 2): string {
  const shown = trimmed(Math.abs(lon), decimals);
  return `${shown}°${shown === "0" || shown === "180" ? "" : lon < 0 ? " W" : " E"}`;
}

export function latWords(lat: number, decimals = 2): string {
  const shown = trimmed(Math.abs(lat), decimals);
  return `${shown}°${shown === "0" ? "" : lat < 0 ? " S" : " N"}`;
}

/** What a screen reader says of the map, and what Python writes as its plain text. */
export function describe(
  position: Position,
  pins: readonly unknown[],
  title = "",
  layers: readonly unknown[] = [],
): string {
  const decimals = position.zoom > 10 ? 4 : 2;
  const where = `${lonWords(position.lon, decimals)}, ${latWords(position.lat, decimals)}`;
  const many = counted(pins.length, "pin") + counted(layers.length, "layer");
  const name = title === "" ? "Map" : `${title}: map`;
  return `${name} at ${where}, zoom ${trimmed(position.zoom, 2)}${many}`;
}

function counted(count: number, thing: string): string {
  return count === 0 ? "" : `, ${count} ${thing}${count === 1 ? "" : "s"}`;
}

function rounded(value: number, decimals: number): number {
  const shift = 10 ** decimals;
  return Math.round(value * shift) / shift + 0;
}

function trimmed(value: number, decimals: number): string {
  return String(Number(value.toFixed(decimals)));
}
