import { describe, expect, it } from "vitest";
import { contentOf } from "../surface/popup";
import { worldPx } from "../world/position";
import { hit } from "./layer-paint";
import { layersFrom } from "./layers";

const line = {
  type: "LineString",
  coordinates: [
    [-10, 0],
    [10, 0],
  ],
} as const;
const ring = [
  [-10, -10],
  [10, -10],
  [10, 10],
  [-10, 10],
  [-10, -10],
];
const hole = [
  [-2, -2],
  [2, -2],
  [2, 2],
  [-2, 2],
  [-2, -2],
];
const layer = (geojson: unknown, name = "a") => ({ name, color: "blue", geojson });
const zoom = 4;
/** The middle of the view is where the equator meets Greenwich. */
const view = {
  left: worldPx(zoom) / 2 - 320,
  top: worldPx(zoom) / 2 - 160,
  width: 640,
  height: 320,
  zoom,
};
const at = (geojson: unknown, x: number, y: number) =>
  hit(layersFrom([layer(geojson)]), view, 320 + x, 160 + y)?.layer.name;

describe("layers", () => {
  it("come of any GeoJSON", () => {
    const point = { type: "Point", coordinates: [1, 2, 300] };
    const parts = (geojson: unknown) =>
      layersFrom([layer(geojson)])[0]?.features.flatMap((one) => one.parts.map(({ kind }) => kind));
    expect(parts(point)).toEqual(["dot"]);
    expect(
      parts({
        type: "MultiPoint",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      }),
    ).toEqual(["dot", "dot"]);
    expect(parts(line)).toEqual(["line"]);
    expect(parts({ type: "MultiLineString", coordinates: [line.coordinates] })).toEqual(["line"]);
    expect(parts({ type: "Polygon", coordinates: [ring, hole] })).toEqual(["area"]);
    expect(parts({ type: "MultiPolygon", coordinates: [[ring], [hole]] })).toEqual([
      "area",
      "area",
    ]);
    const feature = { type: "Feature", geometry: point, properties: { a: 1 } };
    const all = { type: "FeatureCollection", features: [feature, feature] };
    expect(parts(all)).toEqual(["dot", "dot"]);
    expect(parts({ type: "GeometryCollection", geometries: [point, line] })).toEqual([
      "dot",
      "line",
    ]);
  });

  it.each([
    null,
    7,
    { type: "Map" },
    { type: "Point", coordinates: ["1", 2] },
    { type: "Point", coordinates: [1, 200] },
    { type: "LineString", coordinates: [[1, 2]] },
    { type: "Polygon", coordinates: "x" },
    { type: "Feature", geometry: null },
  ])("leave out what is none: %j", (geojson) => {
    expect(layersFrom([layer(geojson)])[0]?.features).toEqual([]);
  });

  it("are no more than twenty, each with a name", () => {
    const many = layersFrom([...Array(30)].map(() => ({ geojson: line })));
    expect(many).toHaveLength(20);
    expect(many[1]?.name).toBe("layer 2");
    expect(layersFrom("x")).toEqual([]);
  });
});

describe("a click", () => {
  it("hits a line within a few pixels of it", () => {
    expect(at(line, 50, 4)).toBe("a");
    expect(at(line, 50, 14)).toBeUndefined();
    expect(at(line, 300, 0)).toBeUndefined();
  });

  it("hits a dot near it", () => {
    const dot = { type: "Point", coordinates: [0, 0] };
    expect(at(dot, 5, 5)).toBe("a");
    expect(at(dot, 12, 0)).toBeUndefined();
  });

  it("hits an area in it, and not its hole", () => {
    const area = { type: "Polygon", coordinates: [ring, hole] };
    expect(at(area, 60, 60)).toBe("a");
    expect(at(area, 0, 0)).toBeUndefined();
    expect(at(area, 200, 0)).toBeUndefined();
  });

  it("hits what is on top", () => {
    const area = { type: "Polygon", coordinates: [ring] };
    const both = layersFrom([layer(area, "below"), layer(line, "above")]);
    expect(hit(both, view, 320, 160)?.layer.name).toBe("above");
    expect(hit(both, view, 320, 200)?.layer.name).toBe("below");
  });

  it("hits a line beyond the date line in the copy of the world that is seen", () => {
    const far = {
      type: "LineString",
      coordinates: [
        [170, 0],
        [-170, 0],
      ],
    };
    const seam = { ...view, left: -320 };
    expect(hit(layersFrom([layer(far)]), seam, 320, 160)?.layer.name).toBe("a");
    expect(hit(layersFrom([layer(far)]), view, 320, 160)).toBeNull();
  });
});

describe("a popup", () => {
  it("is named by the feature, and lists what is plain", () => {
    const properties = { Name: "R1", length: 12, open: true, nested: { a: 1 }, none: null };
    expect(contentOf(properties, "Routes")).toEqual({
      title: "R1",
      rows: [
        ["length", "12"],
        ["open", "true"],
      ],
    });
  });

  it("of a feature without a name is named by the layer, and is not endless", () => {
    const many = Object.fromEntries([...Array(40)].map((_, at) => [`k${at}`, "x".repeat(500)]));
    const { title, rows } = contentOf(many, "Routes");
    expect(title).toBe("Routes");
    expect(rows).toHaveLength(12);
    expect(rows[0]?.[1]).toHaveLength(200);
  });
});
