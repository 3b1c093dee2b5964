/** Draws the basemap on a canvas: sea, land, borders, graticule, scale. */

import { boxOf, type MiddleBox, touch, widthPx } from "../names";
import {
  type Atlas,
  type Box,
  type GridLine,
  type Inset,
  insetOf,
  meridians,
  type Position,
  parallels,
  type Shape,
  scaleBar,
  scaleWords,
  seen,
  type View,
  worldPx,
} from "../world";
import type { Theme } from "./theme";

const BORDERS_FROM_ZOOM = 1;
const FONT_PX = 10;
const FONT = `${FONT_PX}px system-ui, sans-serif`;

export function paint(
  pen: CanvasRenderingContext2D,
  view: View,
  position: Position,
  theme: Theme,
  atlas: Atlas,
  taken: readonly MiddleBox[],
): void {
  pen.clearRect(0, 0, view.width, view.height);
  pen.lineJoin = "round";
  paintWorld(pen, view, theme, atlas);
  const inset = insetOf(view, position);
  paintGrid(pen, view, theme, taken);
  if (inset !== null) paintInset(pen, inset, theme, atlas);
}

function paintWorld(pen: CanvasRenderingContext2D, view: View, theme: Theme, atlas: Atlas): void {
  const world = worldPx(view.zoom);
  paintSea(pen, view, world, theme);
  for (const shift of copies(view, world)) {
    paintLand(pen, view, world, shift, theme, atlas);
  }
}

function paintInset(
  pen: CanvasRenderingContext2D,
  { x, y, view, mark }: Inset,
  theme: Theme,
  atlas: Atlas,
): void {
  pen.save();
  pen.translate(x, y);
  pen.beginPath();
  pen.rect(0, 0, view.width, view.height);
  pen.clip();
  paintWorld(pen, view, theme, atlas);
  pen.strokeStyle = theme.mark;
  pen.lineWidth = 1.5;
  pen.strokeRect(mark.left, mark.top, mark.right - mark.left, mark.bottom - mark.top);
  pen.restore();
  pen.strokeStyle = theme.coast;
  pen.lineWidth = 1;
  pen.strokeRect(x - 0.5, y - 0.5, view.width + 1, view.height + 1);
}

/** Which copies of the world are in view: maps go round. */
export function copies(view: View, world: number): number[] {
  // A shape may reach a little past the date line, so the neighbours are looked at too.
  const first = Math.floor(view.left / world) - 1;
  const last = Math.floor((view.left + view.width) / world) + 1;
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function paintSea(pen: CanvasRenderingContext2D, view: View, world: number, theme: Theme): void {
  pen.fillStyle = theme.beyond;
  pen.fillRect(0, 0, view.width, view.height);
  pen.fillStyle = theme.sea;
  pen.fillRect(0, -view.top, view.width, world);
}

function paintLand(
  pen: CanvasRenderingContext2D,
  view: View,
  world: number,
  shift: number,
  theme: Theme,
  atlas: Atlas,
): void {
  const box: Box = {
    left: view.left,
    top: view.top,
    right: view.left + view.width,
    bottom: Math.min(view.top + view.height, world),
  };
  const traced = (shapes: readonly Shape[], kind: "ring" | "line"): Path2D =>
    trace(
      shapes.flatMap((shape) => seen(shape, world, box, shift, kind)),
      kind === "ring",
    );
  pen.fillStyle = theme.land;
  pen.strokeStyle = theme.coast;
  pen.lineWidth = 0.9;
  const land = traced(atlas.land, "ring");
  pen.fill(land, "evenodd");
  pen.stroke(land);
  pen.fill(
    traced(
      atlas.polar.map(({ area }) => area),
      "ring",
    ),
  );
  pen.stroke(
    traced(
      atlas.polar.map(({ coast }) => coast),
      "line",
    ),
  );
  if (view.zoom < BORDERS_FROM_ZOOM) return;
  pen.strokeStyle = theme.border;
  pen.lineWidth = 0.8;
  pen.stroke(traced(atlas.borders, "line"));
}

export function trace(parts: readonly (readonly number[])[], closed: boolean): Path2D {
  const path = new Path2D();
  for (const points of parts) {
    for (let at = 0; at + 1 < points.length; at += 2) {
      const [x = 0, y = 0] = [points[at], points[at + 1]];
      if (at === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    }
    if (closed) path.closePath();
  }
  return path;
}

/** Meridians and parallels, named where nothing else is written. */
function paintGrid(
  pen: CanvasRenderingContext2D,
  view: View,
  theme: Theme,
  taken: readonly MiddleBox[],
): void {
  const upright = meridians(view);
  const level = parallels(view);
  pen.strokeStyle = theme.grid;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const { px } of upright) line(pen, px, 0, px, view.height);
  for (const { px } of level) line(pen, 0, px, view.width, px);
  pen.stroke();
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  for (const { words: text, left, floor } of gridWords(upright, level, view)) {
    const width = widthPx(text, FONT_PX);
    const box = boxOf(left, floor - FONT_PX, width, FONT_PX + 2);
    const isWhole = left > 0 && left + width < view.width && floor > FONT_PX && floor < view.height;
    if (isWhole && !taken.some((one) => touch(one, box))) words(pen, text, left, floor, theme);
  }
}

/** Where the grid is named: meridians at the top, parallels at the right. */
function gridWords(upright: readonly GridLine[], level: readonly GridLine[], view: View) {
  return [
    ...upright.map((one) => ({ words: one.words, left: one.px + 3, floor: 11 })),
    ...level.map((one) => {
      const left = view.width - 4 - widthPx(one.words, FONT_PX);
      return { words: one.words, left, floor: one.px - 3 };
    }),
  ];
}

/** Where the scale stands. */
export function scaleBox(view: View, position: Position): MiddleBox {
  const { metres, px } = scaleBar(position);
  const width = Math.max(px, widthPx(scaleWords(position, metres), FONT_PX) + 6);
  return boxOf(8, view.height - 26, width + 4, 26);
}

export function paintScale(
  pen: CanvasRenderingContext2D,
  view: View,
  position: Position,
  theme: Theme,
): void {
  const { metres, px } = scaleBar(position);
  const [left, floor] = [10.5, view.height - 9.5];
  pen.strokeStyle = theme.text;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(left, floor - 5);
  pen.lineTo(left, floor);
  pen.lineTo(left + px, floor);
  pen.lineTo(left + px, floor - 5);
  pen.stroke();
  pen.textBaseline = "alphabetic";
  pen.textAlign = "left";
  words(pen, scaleWords(position, metres), left + 4, floor - 4, theme);
}

function line(pen: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  pen.moveTo(Math.round(x) + 0.5, Math.round(y) + 0.5);
  pen.lineTo(Math.round(toX) + 0.5, Math.round(toY) + 0.5);
}

function words(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  theme: Theme,
): void {
  pen.font = FONT;
  pen.lineWidth = 3;
  pen.strokeStyle = theme.halo;
  pen.strokeText(text, x, y);
  pen.fillStyle = theme.text;
  pen.fillText(text, x, y);
}
