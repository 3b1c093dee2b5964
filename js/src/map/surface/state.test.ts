import { describe, expect, it } from "vitest";
import cases from "../../../../tests/fixtures/map/cases.json";
import { merged, NOWHERE_YET, pinsFrom, report, sameReport, standing } from "./state";

const oslo = { lon: 10.75, lat: 59.91 };
const whole = { center: oslo, zoom: 9, pins: [], title: "Trip", seq: 1, map_id: "mapAgent-1" };

describe("a payload", () => {
  it("moves the map, and says whose it is", () => {
    expect(merged(NOWHERE_YET, whole)).toEqual({
      position: { ...oslo, zoom: 9 },
      bounds: null,
      pins: [],
      layers: [],
      title: "Trip",
      note: "",
      seq: 1,
      mapId: "mapAgent-1",
    });
  });

  it.each(cases.states)("after another shows what Python shows: $name", ({ values, shows }) => {
    const state = values.reduce<typeof NOWHERE_YET>(merged, NOWHERE_YET);
    const { lon, lat, zoom, ...others } = shows;
    expect(state.position.lon).toBeCloseTo(lon, 5);
    expect(state.position.lat).toBeCloseTo(lat, 5);
    expect(state.position.zoom).toBeCloseTo(zoom, 5);
    expect({
      bounds: state.bounds,
      pins: state.pins.map(({ label }) => label),
      layers: state.layers.map(({ name }) => name),
      title: state.title,
    }).toEqual(others);
  });

  it("with bounds of a command that is done leaves the user's place alone", () => {
    const bounds = { west: 0, south: 0, east: 10, north: 10 };
    const moved = {
      ...merged(NOWHERE_YET, { bounds, seq: 1 }),
      position: { lon: 1, lat: 2, zoom: 3 },
    };
    expect(merged({ ...moved, bounds: null }, { bounds, seq: 1 }).bounds).toBeNull();
    expect(merged({ ...moved, bounds: null }, { bounds, seq: 2 }).bounds).not.toBeNull();
  });

  it("keeps what it does not name", () => {
    const shown = merged(NOWHERE_YET, whole);
    const pin = { ...oslo, label: "Oslo" };
    expect(merged(shown, { pins: [pin] })).toEqual({ ...shown, pins: [pin] });
    expect(merged(shown, { zoom: 3 }).position).toEqual({ ...oslo, zoom: 3 });
    expect(merged(shown, { center: { lon: 1, lat: 2 } }).position).toEqual({
      lon: 1,
      lat: 2,
      zoom: 9,
    });
  });

  it("that repeats a command leaves the user's place alone", () => {
    const moved = { ...merged(NOWHERE_YET, whole), position: { lon: 1, lat: 2, zoom: 3 } };
    const next = merged(moved, { ...whole, pins: [{ ...oslo, label: "Oslo" }] });
    expect(next.position).toBe(moved.position);
    expect(next.pins).toHaveLength(1);
  });

  it("with a new command moves the map, also to where it was once sent", () => {
    const moved = { ...merged(NOWHERE_YET, whole), position: { lon: 1, lat: 2, zoom: 3 } };
    expect(merged(moved, { ...whole, seq: 2 }).position).toEqual({ ...oslo, zoom: 9 });
  });

  it("from somebody's own tool, without a seq, always moves", () => {
    const shown = merged(NOWHERE_YET, whole);
    expect(merged(shown, { center: { lon: 5, lat: 6 } }).position.lon).toBe(5);
  });

  it.each([null, "map", 3, [], { center: "x", zoom: "y", pins: "z", title: 1 }])(
    "that makes no sense (%j) changes nothing shown",
    (value) => {
      expect(merged(NOWHERE_YET, value)).toEqual(NOWHERE_YET);
    },
  );

  it("is brought back onto the world", () => {
    const { position } = merged(NOWHERE_YET, { center: { lon: 190, lat: 99 }, zoom: 40 });
    expect(position).toEqual({ lon: -170, lat: 85.051129, zoom: 18 });
  });

  it("keeps of a list of pins those that are pins", () => {
    expect(pinsFrom([{ ...oslo, label: "Oslo" }, { lon: "1", lat: 2 }, null, oslo])).toEqual([
      { ...oslo, label: "Oslo" },
      { ...oslo, label: "" },
    ]);
  });
});

describe("a map view", () => {
  const wanted = { ...oslo, zoom: 9, seq: 2 };

  it("stands where Python sent it", () => {
    expect(standing(wanted, {})).toEqual({ ...wanted, by: "python" });
  });

  it("stands where the user moved it after that", () => {
    const rendered = { lon: 1, lat: 2, zoom: 3, by: "user", seq: 2 };
    expect(standing(wanted, rendered)).toEqual(rendered);
  });

  it("leaves a user's move behind when Python sends it elsewhere", () => {
    const rendered = { lon: 1, lat: 2, zoom: 3, by: "user", seq: 1 };
    expect(standing(wanted, rendered)).toEqual({ ...wanted, by: "python" });
  });

  it("reports the same place in the same words, so that nothing echoes", () => {
    const once = report({ ...oslo, zoom: 9 }, "user", 2);
    const again = report({ lon: 370.75, lat: 59.91, zoom: 9 }, "user", 2);
    expect(sameReport(once, again)).toBe(true);
    expect(sameReport(once, { ...once, seq: 3 })).toBe(false);
    expect(sameReport(once, { ...once, by: "python" })).toBe(false);
    const command = report({ ...oslo, zoom: 9 }, "python", 2);
    expect(sameReport(command, { ...command, zoom: 8 })).toBe(true); // another view's fit of it
  });
});
