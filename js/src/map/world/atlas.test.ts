import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import ours from "../../../../widgets/nbagents_widgets/world/atlas.json";
import { atlas, seen } from "./atlas";
import { clippedLine, clippedRing } from "./clip";
import { unitX, unitY } from "./position";

const world = 1024;
const all = { left: 0, top: 0, right: world, bottom: world };

function holds(lon: number, lat: number): boolean {
  const [x, y] = [unitX(lon), unitY(lat)];
  return atlas().land.filter(({ points }) => crossings(points, x, y) % 2 === 1).length % 2 === 1;
}

function crossings(points: readonly number[], x: number, y: number): number {
  let count = 0;
  for (let at = 0; at + 3 < points.length; at += 2) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = points.slice(at, at + 4);
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) count += 1;
  }
  return count;
}

describe("the atlas", () => {
  it("is the one that world-atlas packs", () => {
    const theirs: unknown = createRequire(import.meta.url)("world-atlas/countries-110m.json");
    expect(ours).toEqual(theirs);
  });

  it.each([
    ["Paris", 2.35, 48.86, true],
    ["Nairobi", 36.8, -1.3, true],
    ["the Atlantic", -40, 30, false],
    ["the Caspian", 51, 41, false],
  ])("knows whether %s is land", (_, lon, lat, land) => {
    expect(holds(lon, lat)).toBe(land);
  });

  it("has no line that jumps across the world", () => {
    const { land, polar, borders } = atlas();
    for (const { points } of [...land, ...polar.map(({ coast }) => coast), ...borders]) {
      const xs = points.filter((_, at) => at % 2 === 0);
      const steps = xs.slice(1).map((x, at) => Math.abs(x - (xs[at] ?? 0)));
      expect(Math.max(...steps)).toBeLessThan(0.5);
    }
  });

  it("closes Antarctica along the bottom, a little over a turn", () => {
    const [antarctica] = atlas().polar;
    expect(atlas().polar).toHaveLength(1);
    expect(antarctica?.area.bottom).toBeCloseTo(1, 6);
    expect((antarctica?.area.right ?? 0) - (antarctica?.area.left ?? 0)).toBeGreaterThan(1);
  });

  it("shows a shape where it is, once in each copy of the world", () => {
    const [shape] = atlas().land;
    if (shape === undefined) throw new Error("no land");
    expect(seen(shape, world, all, 0, "ring")).toHaveLength(1);
    expect(seen(shape, world, all, 5, "ring")).toEqual([]);
  });
});

describe("cutting to a box", () => {
  const box = { left: 0, top: 0, right: 10, bottom: 10 };

  it("keeps what is inside as it is", () => {
    const ring = [1, 1, 5, 1, 5, 5];
    expect(clippedRing(ring, box)).toEqual(ring);
    expect(clippedLine(ring, box)).toEqual([ring]);
  });

  it("cuts a ring along the edges", () => {
    expect(clippedRing([-5, -5, 5, -5, 5, 5, -5, 5], box)).toEqual([0, 0, 5, 0, 5, 5, 0, 5]);
  });

  it("gives a whole box to a ring around it, and nothing to one beside it", () => {
    expect(clippedRing([-5, -5, 15, -5, 15, 15, -5, 15], box)).toHaveLength(8);
    expect(clippedRing([20, 20, 30, 20, 30, 30], box)).toEqual([]);
  });

  it("cuts a line into the pieces that are seen", () => {
    expect(clippedLine([-5, 5, 5, 5, 15, 5, 15, 8, 5, 8], box)).toEqual([
      [0, 5, 5, 5, 10, 5],
      [10, 8, 5, 8],
    ]);
  });
});
