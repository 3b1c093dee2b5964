/** Cutting rings and lines to a box, so that no zoom level draws what is not seen. */

/** Coordinates in a row: x, y, x, y, … */
type Points = readonly number[];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

type Inside = (x: number, y: number) => boolean;
type Cross = (x: number, y: number, toX: number, toY: number) => [number, number];

/** A closed ring cut to the box. Source: Sutherland and Hodgman, CACM 17 (1974). */
export function clippedRing(points: Points, box: Box): number[] {
  let ring: number[] = [...points];
  for (const [inside, cross] of edges(box)) {
    if (ring.length === 0) break;
    ring = cutByEdge(ring, inside, cross);
  }
  return ring;
}

/** An open line cut to the box: the pieces that are in it. */
export function clippedLine(points: Points, box: Box): number[][] {
  const pieces: number[][] = [];
  let piece: number[] = [];
  for (let at = 0; at + 3 < points.length; at += 2) {
    const part = clippedSegment(points, at, box);
    if (part === null) continue;
    const [x, y, toX, toY] = part;
    if (piece.at(-2) !== x || piece.at(-1) !== y) {
      piece = [x, y];
      pieces.push(piece);
    }
    piece.push(toX, toY);
  }
  return pieces;
}

function edges(box: Box): [Inside, Cross][] {
  const atX =
    (edge: number): Cross =>
    (x, y, toX, toY) => [edge, y + ((edge - x) / (toX - x)) * (toY - y)];
  const atY =
    (edge: number): Cross =>
    (x, y, toX, toY) => [x + ((edge - y) / (toY - y)) * (toX - x), edge];
  return [
    [(x) => x >= box.left, atX(box.left)],
    [(x) => x <= box.right, atX(box.right)],
    [(_, y) => y >= box.top, atY(box.top)],
    [(_, y) => y <= box.bottom, atY(box.bottom)],
  ];
}

function cutByEdge(ring: Points, inside: Inside, cross: Cross): number[] {
  const kept: number[] = [];
  let fromX = ring.at(-2) ?? 0;
  let fromY = ring.at(-1) ?? 0;
  let fromIn = inside(fromX, fromY);
  for (let at = 0; at + 1 < ring.length; at += 2) {
    const x = ring[at] ?? 0;
    const y = ring[at + 1] ?? 0;
    const isIn = inside(x, y);
    if (isIn !== fromIn) kept.push(...cross(fromX, fromY, x, y));
    if (isIn) kept.push(x, y);
    [fromX, fromY, fromIn] = [x, y, isIn];
  }
  return kept;
}

/** Source: Liang and Barsky, ACM Transactions on Graphics 3 (1984). */
function clippedSegment(
  points: Points,
  at: number,
  box: Box,
): [number, number, number, number] | null {
  const x = points[at] ?? 0;
  const y = points[at + 1] ?? 0;
  const dx = (points[at + 2] ?? 0) - x;
  const dy = (points[at + 3] ?? 0) - y;
  let enter = 0;
  let leave = 1;
  for (const [step, room] of [
    [-dx, x - box.left],
    [dx, box.right - x],
    [-dy, y - box.top],
    [dy, box.bottom - y],
  ] as const) {
    if (step === 0 && room < 0) return null;
    if (step < 0) enter = Math.max(enter, room / step);
    if (step > 0) leave = Math.min(leave, room / step);
  }
  if (enter > leave) return null;
  const end: [number, number] =
    leave === 1 ? [points[at + 2] ?? 0, points[at + 3] ?? 0] : [x + leave * dx, y + leave * dy];
  return enter === 0 ? [x, y, ...end] : [x + enter * dx, y + enter * dy, ...end];
}
