/** Both languages read these cases: a map says and measures the same on the page and in a saved file. */

import { expect, describe as group, it } from "vitest";
import cases from "../../../../tests/fixtures/map/cases.json";
import { gridStep, meridians, parallels } from "./graticule";
import { insetOf } from "./inset";
import {
  describe,
  latAt,
  nearestLon,
  scaleBar,
  scaleWords,
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

/** The length of a geodesic on WGS 84. Source: T. Vincenty, Survey Review 23 (1975). */
function geodesic(lon: number, lat: number, toLon: number, toLat: number): number {
  const [a, f] = [6_378_137, 1 / 298.257_223_563];
  const b = a * (1 - f);
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [u1, u2] = [lat, toLat].map((one) => Math.atan((1 - f) * Math.tan(rad(one))));
  const [s1, c1] = [Math.sin(u1 ?? 0), Math.cos(u1 ?? 0)];
  const [s2, c2] = [Math.sin(u2 ?? 0), Math.cos(u2 ?? 0)];
  const l = rad(toLon - lon);
  let lambda = l;
  let [sigma, sinSigma, cosSigma, cosSqAlpha, cos2m] = [0, 0, 0, 0, 0];
  for (let round = 0; round < 50; round += 1) {
    const [sl, cl] = [Math.sin(lambda), Math.cos(lambda)];
    sinSigma = Math.hypot(c2 * sl, c1 * s2 - s1 * c2 * cl);
    cosSigma = s1 * s2 + c1 * c2 * cl;
    sigma = Math.atan2(sinSigma, cosSigma);
    const sinAlpha = (c1 * c2 * sl) / sinSigma;
    cosSqAlpha = 1 - sinAlpha ** 2;
    cos2m = cosSqAlpha === 0 ? 0 : cosSigma - (2 * s1 * s2) / cosSqAlpha;
    const c = (f / 16) * cosSqAlpha * (4 + f * (4 - 3 * cosSqAlpha));
    const more = cos2m + c * cosSigma * (-1 + 2 * cos2m ** 2);
    lambda = l + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * more);
  }
  const uSq = (cosSqAlpha * (a ** 2 - b ** 2)) / b ** 2;
  const bigA = 1 + (uSq / 16_384) * (4096 + uSq * (-768 + uSq * (320 - 175 * uSq)));
  const bigB = (uSq / 1024) * (256 + uSq * (-128 + uSq * (74 - 47 * uSq)));
  const part = cosSigma * (-1 + 2 * cos2m ** 2);
  const rest = (bigB / 6) * cos2m * (-3 + 4 * sinSigma ** 2) * (-3 + 4 * cos2m ** 2);
  return b * bigA * (sigma - bigB * sinSigma * (cos2m + (bigB / 4) * (part - rest)));
}

group("the scale bar", () => {
  it("knows its geodesy: Vincenty's own length between two points", () => {
    expect(geodesic(0, 50.066_388_9, -2.354_722_2, 58.643_888_9)).toBeGreaterThan(900_000);
    expect(geodesic(0, 0, 1, 0)).toBeCloseTo(111_319.491, 2);
  });

  it.each([0, 33.3, -45, 59.91, 71, -80])("is as long as it says at latitude %d", (lat) => {
    for (const zoom of [7, 10, 14.5, 18]) {
      const { metres, px } = scaleBar({ lon: 20, lat, zoom });
      const half = ((px / worldPx(zoom)) * 360) / 2;
      const length = geodesic(20 - half, lat, 20 + half, lat);
      expect(Math.abs(length / metres - 1)).toBeLessThan(1e-4);
      expect(px).toBeLessThanOrEqual(100);
      expect(px).toBeGreaterThan(39);
    }
  });

  it("of the world says where it holds", () => {
    expect(scaleWords({ lon: 0, lat: 30, zoom: 2 }, 2_000_000)).toBe("2,000 km at 30° N");
    expect(scaleWords({ lon: 0, lat: 90, zoom: 3.9 }, 50_000)).toBe("50 km at 85° N");
    expect(scaleWords({ lon: 0, lat: 30, zoom: 4 }, 500_000)).toBe("500 km");
  });
});
