/** Both languages read these cases: a saved picture has the names of the page. */

import { describe, expect, it } from "vitest";
import cases from "../../../../tests/fixtures/map/cases.json";
import { type Pin, type Position, unitX, unitY, type View, worldPx } from "../world";
import { boxOf, type MiddleBox, overlap, touch } from "./boxes";
import { namesFrom, pinName } from "./names";
import { inView, type Placed, placement } from "./placement";
import { table } from "./table";

const names = namesFrom(table);
const HEAD: MiddleBox = { x: 0, y: -10.5, across: 8, down: 11.5 };

/** The same numbers each time. Source: Park and Miller, CACM 31 (1988). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function viewOf({ lon, lat, zoom }: Position, width = 640, height = 320): View {
  const world = worldPx(zoom);
  const [left, top] = [unitX(lon) * world - width / 2, unitY(lat) * world - height / 2];
  return { left, top, width, height, zoom };
}

function somePins(count: number, roll: () => number): Pin[] {
  const label = () => "Łódź, a place 東京 مكان".slice(0, Math.floor(roll() * 22));
  return Array.from({ length: count }, () => ({
    lon: roll() * 360 - 180,
    lat: roll() * 170 - 85,
    label: label(),
  }));
}

function clashes(boxes: readonly MiddleBox[], world: number): [MiddleBox, MiddleBox][] {
  return boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter((other) => overlap(one, other, world))
      .map((other): [MiddleBox, MiddleBox] => [one, other]),
  );
}

const ZOOMS = [0, 0.37, 1, 2, 2.5, 3, 3.99, 4, 5, 6.3, 8, 11, 18];

describe("names", () => {
  it.each(ZOOMS)("cover neither each other nor a pin at zoom %d", (zoom) => {
    const pins = somePins(120, dice(1 + zoom * 100)).map(pinName);
    const { placed, world } = placement(names, pins, zoom);
    const boxes = placed.map(({ box }) => box);
    expect(clashes(boxes, world)).toEqual([]);
    const heads = pins.map(({ x, y }) => ({ ...HEAD, x: x * world, y: y * world + HEAD.y }));
    const covered = boxes.filter((box) => heads.some((head) => overlap(box, head, world)));
    expect(covered).toEqual([]);
    expect(placed.length).toBeGreaterThan(0);
  });

  it("do not cover each other in a view either, where labels turn away from its edges", () => {
    const roll = dice(7);
    let turned = 0;
    for (let round = 0; round < 150; round += 1) {
      const at = { lon: roll() * 360 - 180, lat: roll() * 160 - 80, zoom: roll() * 9 };
      const pins = somePins(60, roll).map(pinName);
      const all = placement(names, pins, at.zoom);
      const view = viewOf(at, 300 + roll() * 900, 200 + roll() * 300);
      const title = boxOf(8, 8, 150, 24);
      const seen = inView(all, view, [title]);
      const boxes = seen.map(({ box }) => box);
      expect(clashes(boxes, Number.MAX_SAFE_INTEGER)).toEqual([]);
      const underTitle = seen.filter(({ name, box }) => name.kind !== "pin" && touch(title, box));
      expect(underTitle).toEqual([]);
      turned += seen.filter(({ name, side }) => name.kind === "pin" && side === "left").length;
    }
    expect(turned).toBeGreaterThan(10);
  });

  it("stand where they stand, wherever the map is dragged", () => {
    const all = placement(names, [], 4);
    const at = (lon: number) => inView(all, viewOf({ lon, lat: 48, zoom: 4 }));
    const places = (seen: readonly Placed[], lon: number) =>
      new Map(seen.map(({ name, box }) => [name, box.x + (unitX(lon) * worldPx(4) - 320)]));
    const [here, there] = [places(at(10), 10), places(at(14), 14)];
    const both = [...here.keys()].filter((name) => there.has(name));
    expect(both.length).toBeGreaterThan(10);
    for (const name of both) expect(there.get(name)).toBeCloseTo(here.get(name) ?? 0, 6);
  });

  it.each(cases.names)("at $center.lon, $center.lat, zoom $zoom are $words", (one) => {
    const at = { ...one.center, zoom: one.zoom };
    const seen = inView(placement(names, one.pins.map(pinName), one.zoom), viewOf(at), []);
    expect(seen.map(({ name, side }) => `${name.lines.join(" ")} ${side}`)).toEqual(one.words);
  });

  it("of a table that is none are none", () => {
    expect(namesFrom(null)).toEqual([]);
    expect(namesFrom({ countries: [["X"], 7], seas: "no", towns: [[1, 2, 3, 4]] })).toEqual([]);
  });
});
