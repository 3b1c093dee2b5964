/** Draws the names of countries, seas and towns where they were given their places. */

import { FONT_PX, type Kind, LINE_PX, type Placed } from "../names";
import type { Theme } from "./theme";

const STYLES: Readonly<Record<Kind, string>> = {
  country: "600",
  sea: "italic",
  town: "",
  capital: "",
  pin: "600",
};
const HALO_PX = 3;
const BESIDE_PX = 5;
const DOT_PX = 2;
const RING_PX = 3;

/** All names but the pins' own. */
export function paintNames(
  pen: CanvasRenderingContext2D,
  placed: readonly Placed[],
  theme: Theme,
): void {
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  for (const kind of ["sea", "country", "town", "capital"] as const) {
    pen.font = `${STYLES[kind]} ${FONT_PX[kind]}px system-ui, sans-serif`;
    for (const one of placed) if (one.name.kind === kind) paintName(pen, one, theme);
  }
}

function paintName(pen: CanvasRenderingContext2D, placed: Placed, theme: Theme): void {
  const { name, side, x, box } = placed;
  if (name.kind === "town" || name.kind === "capital") paintDot(pen, placed, theme);
  pen.lineWidth = HALO_PX;
  pen.strokeStyle = theme.halo;
  pen.fillStyle = name.kind === "sea" ? theme.seaName : theme.name;
  pen.textAlign = side === "right" ? "left" : side === "left" ? "right" : "center";
  const at = side === "right" ? x + BESIDE_PX : side === "left" ? x - BESIDE_PX : box.x;
  const top = box.y - ((name.lines.length - 1) * LINE_PX) / 2;
  name.lines.forEach((text, line) => {
    // A font that is wider than was reckoned with is made to fit.
    pen.strokeText(text, at, top + line * LINE_PX, 2 * box.across);
    pen.fillText(text, at, top + line * LINE_PX, 2 * box.across);
  });
}

function paintDot(pen: CanvasRenderingContext2D, { name, x, y }: Placed, theme: Theme): void {
  pen.strokeStyle = theme.name;
  pen.fillStyle = name.kind === "capital" ? theme.halo : theme.name;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.arc(x, y, name.kind === "capital" ? RING_PX : DOT_PX, 0, 2 * Math.PI);
  pen.fill();
  if (name.kind === "capital") pen.stroke();
}
