/** What is named on the basemap: countries, seas, towns, each from some zoom level on. */

import { isRecord } from "../../bridge";
import { type Pin, unitX, unitY } from "../world";

export type Kind = "country" | "sea" | "town" | "capital" | "pin";

/** A text that wants a place on the map. */
export interface Name {
  readonly kind: Kind;
  /** One or two lines. */
  readonly lines: readonly string[];
  /** On the world taken as a unit square. */
  readonly x: number;
  readonly y: number;
  readonly from_zoom: number;
}

/** Names of the basemap give way to others close up: a country is then wider than the view. */
const UP_TO_ZOOM: Readonly<Record<Kind, number>> = {
  country: 8,
  sea: 10,
  town: 19,
  capital: 19,
  pin: 19,
};
const LINE_MOST = 12;
const LABEL_MOST = 40;

/** The names of a table, those that matter most first. Rows that are none are left out. */
export function namesFrom(table: unknown): Name[] {
  if (!isRecord(table)) return [];
  const { countries, seas, towns } = table;
  const all = [...rows(countries, "country"), ...rows(seas, "sea"), ...rows(towns, "town")];
  return all.sort((a, b) => a.from_zoom - b.from_zoom); // what is equal stays in order
}

export function isShown(name: Name, zoom: number): boolean {
  return name.from_zoom <= zoom && zoom <= UP_TO_ZOOM[name.kind];
}

/** What a pin says: a few words on one line. */
export function pinName({ lon, lat, label }: Pin): Name {
  const letters = [...label.replace(/\s+/g, " ").trim()];
  const isLong = letters.length > LABEL_MOST;
  const text = isLong ? `${letters.slice(0, LABEL_MOST - 1).join("")}…` : letters.join("");
  const lines = text === "" ? [] : [text];
  return { kind: "pin", lines, x: unitX(lon), y: unitY(lat), from_zoom: 0 };
}

function rows(value: unknown, kind: Kind): Name[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((row: unknown) => {
    if (!Array.isArray(row)) return [];
    const [text, lon, lat, from_zoom, isCapital]: unknown[] = row;
    if (typeof text !== "string" || typeof from_zoom !== "number") return [];
    if (typeof lon !== "number" || typeof lat !== "number") return [];
    const own = isCapital === 1 ? "capital" : kind;
    const lines = kind === "town" ? [text] : broken(text);
    return [{ kind: own, lines, x: unitX(lon), y: unitY(lat), from_zoom }];
  });
}

/** A long name in two lines, as equal as its words allow. */
function broken(text: string): string[] {
  if (text.length <= LINE_MOST) return [text];
  const gaps = [...text.matchAll(/ /g)].map(({ index }) => index);
  const off = (gap: number) => Math.abs(2 * gap + 1 - text.length);
  const [gap] = gaps.sort((a, b) => off(a) - off(b) || a - b);
  return gap === undefined ? [text] : [text.slice(0, gap), text.slice(gap + 1)];
}
