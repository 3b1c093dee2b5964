/** Both languages read these cases: a map says and measures the same on the page and in a saved file. */

import { expect, describe as group, it } from "vitest";
import cases from "../../../tests/fixtures/map/cases.json";
import { gridStep, meridians, parallels } from "./graticule";
import { insetOf } from "./inset";
import {
  describe,
  latAt,
  nearestLon,
  scaleBar,
  settled,
  unitX,
  unitY,
  worldPx,
  wrapLon,
} from "./position";

const pin = { lon: 0, lat: 0, label: "" };

group("a position", () => {
  it.each(cases.described)("is described as $words", ({ pins, layers, words, ...position }) => {
    expect(describe(position, Array(pins).fill(pin), "", Array(layers ?? 0).fill(pin))).toBe(words);
  });

  it("is named by the map's title", () => {
    expect(describe({ lon: 1, lat: 2, zoom: 3 }, [], "Trip")).toBe(
      "Trip: map at 1° E, 2° N, zoom 3",
    );
  });

  it.each(cases.unit)("$lon, $lat lies on the unit square", ({ lon, lat, x, y }) => {
    expect(unitX(lon)).toBeCloseTo(x, 9);
    expect(unitY(lat)).toBeCloseTo(y, 9);
  });

  it("comes back from the unit square", () => {
    expect(latAt(unitY(59.91))).toBeCloseTo(59.91, 9);
  });

  it.each([
    [180, 180],
    [-180, -180],
    [190, -170],
    [-190, 170],
    [725, 5],
  ])("at longitude %d is written %d", (lon, written) => {
    expect(wrapLon(lon)).toBe(written);
  });

  it("is kept on the world, and no finer than is of use", () => {
    expect(settled({ lon: 370.12345678, lat: 89, zoom: 25 })).toEqual({
      lon: 10.123457,
      lat: 85.051129,
      zoom: 18,
    });
  });

  it("is drawn at the copy nearest to the middle", () => {
    expect(nearestLon(-178, 179)).toBe(182);
    expect(nearestLon(178, -179)).toBe(-182);
    expect(nearestLon(10, 20)).toBe(10);
  });
});

group("what helps to read a map", () => {
  it.each(cases.grid_steps)("at zoom $zoom is a grid of $step°", ({ zoom, step }) => {
    expect(gridStep(zoom)).toBe(step);
  });

  it("has meridians and parallels with names", () => {
    expect(meridians(cases.grid.view).map(({ words }) => words)).toEqual(cases.grid.meridians);
    expect(parallels(cases.grid.view).map(({ words }) => words)).toEqual(cases.grid.parallels);
  });

  it("goes on over the date line", () => {
    expect(meridians(cases.date_line.view).map(({ words }) => words)).toEqual(
      cases.date_line.meridians,
    );
  });

  it.each(cases.scale_bars)("at $lat°, zoom $zoom is $metres m", ({ lat, zoom, metres, px }) => {
    const bar = scaleBar({ lon: 0, lat, zoom });
    expect(bar.metres).toBe(metres);
    expect(bar.px).toBeCloseTo(px, 1);
  });

  it("shows the region in a corner, close up", () => {
    const { lon, lat, zoom, width, height, x, y, mark } = cases.inset;
    const world = worldPx(zoom);
    const view = {
      left: unitX(lon) * world - width / 2,
      top: unitY(lat) * world - height / 2,
      width,
      height,
      zoom,
    };
    expect(insetOf(view, { lon, lat, zoom })).toMatchObject({ x, y, mark: mark });
  });

  it("shows no region where the map itself shows one, or is too small for it", () => {
    const at = { lon: 0, lat: 0, zoom: 9 };
    const view = { left: 0, top: 0, width: 640, height: 320, zoom: 4 };
    expect(insetOf(view, { ...at, zoom: 4 })).toBeNull();
    expect(insetOf({ ...view, width: 300, zoom: 9 }, at)).toBeNull();
  });
});
