/** Draws the layers, and knows what of them is under a pointer. */

import { type Box, seen, type View, worldPx } from "../world";
import type { Feature, Layer, Part } from "./layers";
import { copies, trace } from "./paint";
import type { Theme } from "./theme";

const LINE_PX = 2.5;
const EDGE_PX = 1.5;
const DOT_PX = 4.5;
/** A line is drawn on a wider one of the land's colour, so that it is seen on any ground. */
const CASING_PX = 1.5;
/** How far from a dot or line a click still means it. */
const DOT_REACH_PX = 9;
const LINE_REACH_PX = 6;

/** A feature that was hit, and the layer that it is in. */
export interface Hit {
  readonly layer: Layer;
  readonly feature: Feature;
}

export function paintLayers(
  pen: CanvasRenderingContext2D,
  view: View,
  layers: readonly Layer[],
  theme: Theme,
): void {
  pen.lineJoin = "round";
  pen.lineCap = "round";
  for (const layer of layers) {
    for (const { parts } of layer.features) {
      for (const part of parts) paintPart(pen, view, part, layer.color, theme);
    }
  }
}

function paintPart(
  pen: CanvasRenderingContext2D,
  view: View,
  part: Part,
  color: string,
  theme: Theme,
): void {
  const points = drawn(part, view);
  if (points.length === 0) return;
  pen.fillStyle = color;
  if (part.kind === "dot") {
    pen.strokeStyle = theme.halo;
    pen.lineWidth = CASING_PX;
    for (const [x = 0, y = 0] of points) {
      pen.beginPath();
      pen.arc(x, y, DOT_PX, 0, 2 * Math.PI);
      pen.fill();
      pen.stroke();
    }
    return;
  }
  const path = trace(points, part.kind === "area");
  if (part.kind === "area") {
    pen.globalAlpha = 0.25;
    pen.fill(path, "evenodd");
    pen.globalAlpha = 1;
  } else {
    pen.strokeStyle = theme.halo;
    pen.lineWidth = LINE_PX + 2 * CASING_PX;
    pen.stroke(path);
  }
  pen.strokeStyle = color;
  pen.lineWidth = part.kind === "area" ? EDGE_PX : LINE_PX;
  pen.stroke(path);
}

/** The topmost feature at a point of the view. */
export function hit(layers: readonly Layer[], view: View, x: number, y: number): Hit | null {
  for (const layer of layers.toReversed()) {
    const feature = layer.features.findLast(({ parts }) =>
      parts.some((part) => isAt(part, view, x, y)),
    );
    if (feature !== undefined) return { layer, feature };
  }
  return null;
}

function isAt(part: Part, view: View, x: number, y: number): boolean {
  const reach = part.kind === "dot" ? DOT_REACH_PX : part.kind === "line" ? LINE_REACH_PX : 0;
  const near = { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach };
  const paths = drawn(part, view, near);
  if (part.kind !== "area") {
    return paths.some((points) => distance(points, x, y) <= reach);
  }
  return paths.reduce((count, points) => count + crossings(points, x, y), 0) % 2 === 1;
}

/** The part in pixels of the view, in each copy of the world; only what is near a box, if given. */
function drawn(part: Part, view: View, near?: Box): number[][] {
  const world = worldPx(view.zoom);
  const box: Box = {
    left: view.left,
    top: view.top,
    right: view.left + view.width,
    bottom: view.top + view.height,
  };
  const kind = part.kind === "area" ? "ring" : "line";
  return copies(view, world).flatMap((shift) =>
    part.shapes.flatMap((shape) => {
      if (near && !reaches(shape, view, world, shift, near)) return [];
      if (part.kind !== "dot") return seen(shape, world, box, shift, kind);
      const [x = 0, y = 0] = shape.points;
      return [[(x + shift) * world - view.left, y * world - view.top]];
    }),
  );
}

function reaches(shape: Box, view: View, world: number, shift: number, near: Box): boolean {
  return (
    (shape.left + shift) * world - view.left <= near.right &&
    (shape.right + shift) * world - view.left >= near.left &&
    shape.top * world - view.top <= near.bottom &&
    shape.bottom * world - view.top >= near.top
  );
}

/** How far a point is from a line, or from a dot. */
function distance(points: readonly number[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [ax = 0, ay = 0] = [points[at], points[at + 1]];
    const [dx, dy] = [(points[at + 2] ?? ax) - ax, (points[at + 3] ?? ay) - ay];
    const length = dx * dx + dy * dy;
    const along = length === 0 ? 0 : ((x - ax) * dx + (y - ay) * dy) / length;
    const part = Math.min(1, Math.max(0, along));
    least = Math.min(least, Math.hypot(x - ax - part * dx, y - ay - part * dy));
  }
  return least;
}

/** How many edges of a ring a ray to the right crosses. */
function crossings(points: readonly number[], x: number, y: number): number {
  let count = 0;
  for (let at = 0; at < points.length; at += 2) {
    const [ax = 0, ay = 0] = [points[at], points[at + 1]];
    const next = (at + 2) % points.length;
    const [bx = 0, by = 0] = [points[next], points[next + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) count += 1;
  }
  return count;
}
