/** The legend on a page without a canvas: what it explains, and what it takes off the map. */

import { beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonValue } from "../../tree";
import { render } from "..";

const origin = { center: { lon: 0, lat: 0 }, zoom: 4 };
const [west, east, south, north] = [-9, 9, -9, 9];
const ring = [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const area = {
  name: "<i>Areas</i>",
  color: "red",
  geojson: { type: "Polygon", coordinates: [ring] },
};
const pins = [-20, 20].map((lon) => ({ lon, lat: 0, label: "A label" }));

beforeEach(() => {
  document.body.replaceChildren();
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {} }));
  const none = class {
    observe() {}
    disconnect() {}
  };
  vi.stubGlobal("ResizeObserver", none);
  for (const [name, px] of Object.entries({ clientWidth: 640, clientHeight: 320 })) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: px });
  }
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

function opened(value: JsonValue) {
  const emit = vi.fn();
  const ask = () => Promise.reject(new Error("no kernel"));
  const { signal } = new AbortController();
  const map = render({ el: document.body, value, emit, ask, theme: "light", signal });
  const one = (name: string) => document.querySelector<HTMLElement>(`.nba-map-${name}`);
  const [head, ...rows] = one("legend")?.querySelectorAll("button") ?? [];
  return { map, emit, one, head, rows };
}

/** A click a little right of the middle, in the area. */
function clickTheMap(): void {
  for (const name of ["mousedown", "mouseup", "click"]) {
    const event = new MouseEvent(name, { clientX: 325, clientY: 165, detail: 1, bubbles: true });
    Object.defineProperty(event, "pointerType", { value: "mouse" });
    document.querySelector(".nba-map")?.dispatchEvent(event);
  }
}

describe("a legend", () => {
  it("names layers and pins, as text, and the map its title", () => {
    const { one, rows } = opened({ ...origin, layers: [area], pins, title: "<b>Trip</b>" });
    expect(one("title")?.textContent).toBe("<b>Trip</b>");
    expect(one("legend")?.hidden).toBe(false);
    expect(rows.map((row) => row.textContent)).toEqual(["<i>Areas</i>", "2 pins"]);
    expect(document.querySelector("i, b")).toBeNull();
  });

  it("takes them off the map, also for clicks, and puts them back", () => {
    const { emit, rows } = opened({ ...origin, layers: [area], pins });
    const labels = () => document.querySelectorAll(".nba-map-label").length;
    const press = () => rows.map((row) => row.click());
    expect(labels()).toBe(2);
    press();
    expect(rows.map((row) => row.ariaPressed)).toEqual(["false", "false"]);
    expect(labels()).toBe(0);
    clickTheMap();
    press();
    expect(rows.map((row) => row.ariaPressed)).toEqual(["true", "true"]);
    expect(labels()).toBe(2);
    clickTheMap();
    const said = emit.mock.calls.map(([value]) => value.click.on);
    expect(said).toEqual(["map", "feature"]);
  });

  it("opens and closes, and stays as somebody left it", () => {
    const { head, one, map } = opened({ ...origin, layers: [area] });
    const list = () => one("legend")?.querySelector("ul")?.hidden;
    const before = list();
    head?.click();
    expect(list()).toBe(!before);
    expect(head?.ariaExpanded).toBe(String(before));
    map.update({ ...origin, layers: [area, { ...area, name: "More" }] });
    expect(list()).toBe(!before);
  });

  it("is not there where one pin says itself what it is", () => {
    const { one } = opened({ ...origin, pins: pins.slice(1) });
    expect(one("legend")?.hidden).toBe(true);
    expect(one("title")?.hidden).toBe(true);
  });
});
