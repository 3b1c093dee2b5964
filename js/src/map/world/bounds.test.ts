/** Both languages read these cases: bounds are fitted alike on the page and in a saved file. */

import { expect, describe as group, it } from "vitest";
import cases from "../../../../tests/fixtures/map/cases.json";
import { cssColor } from "../paint/colors";
import { boundsFrom, fitted } from "./bounds";

group("bounds", () => {
  it.each(cases.fits)("$bounds in $width px are fitted", ({ bounds, width, height, ...at }) => {
    const given = boundsFrom(bounds);
    if (given === null) throw new Error("no bounds");
    const found = fitted(given, { width, height });
    expect(found.lon).toBeCloseTo(at.lon, 5);
    expect(found.lat).toBeCloseTo(at.lat, 5);
    expect(found.zoom).toBeCloseTo(at.zoom, 5);
  });

  it.each([
    null,
    "world",
    { west: 1, south: 2, east: 3 },
    { west: 1, south: 5, east: 3, north: 2 },
    { west: 999, south: 1, east: 3, north: 2 },
    { west: Number.NaN, south: 1, east: 3, north: 2 },
  ])("%j are none", (value) => {
    expect(boundsFrom(value)).toBeNull();
  });
});

group("a colour", () => {
  it.each(cases.colors)("$color is $css", ({ color, css }) => {
    expect(cssColor(color, 0)).toBe(css);
  });

  it.each([undefined, 3, "url(x)", "red;x", "</style>"])(
    "%j is none, so the layer has its place's",
    (color) => {
      expect(cssColor(color, 1)).toBe("#e07b00");
      expect(cssColor(color, 11)).toBe("#e07b00");
    },
  );
});
