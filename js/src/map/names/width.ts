/**
 * How wide a text is, at most, in a usual sans-serif. Not measured: the page and the saved picture,
 * which has no fonts, must place the same names.
 */

import { once } from "../../tree";

/** Widths of DejaVu Sans, the widest of the fonts that pages use, in ems. */
const CLASSES: readonly (readonly [RegExp, number])[] = [
  [/[\p{Mn}\p{Me}\p{Cf}]/u, 0],
  [/[ ijl|.,:;'’‘`!]/, 0.34],
  [/[frtI()[\]\-/"°·ıí]/, 0.46],
  [/[mwMW%@—…]/, 0.99],
  [/[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/, 1],
  [/[\p{Lu}\d+=<>&]/u, 0.74],
  [/[a-z]/, 0.62],
  [/\p{Ll}/u, 0.66],
  [/[\p{Lo}\p{Lm}]/u, 0.8],
];
/** Of any other sign: emoji and the like. */
const WIDEST = 1.3;
const BOLD = 1.1;

const known = new Map<string, number>();

export function widthPx(text: string, fontPx: number, isBold = false): number {
  let ems = 0;
  for (const sign of text) ems += widthOf(sign);
  return ems * fontPx * (isBold ? BOLD : 1);
}

function widthOf(sign: string): number {
  return once(known, sign, () => CLASSES.find(([signs]) => signs.test(sign))?.[1] ?? WIDEST);
}
