/** What crosses between the page and the kernel, on a page without a canvas. */

import { setMaxListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageListener } from "../bridge";
import type { JsonValue } from "../tree";
import { mount, render } from ".";

class Model {
  readonly traits: Record<string, unknown>;
  readonly heard = new Map<string, Set<MessageListener>>();
  saved: string[] = [];
  changed: string[] = [];

  constructor(traits: Record<string, unknown>) {
    const none = { rendered: {}, pins: [], layers: [], tiles: {}, title: "", height_px: 320 };
    this.traits = { ...none, ...traits };
  }
  get(name: string): unknown {
    return this.traits[name];
  }
  set(name: string, value: unknown): void {
    if (JSON.stringify(this.traits[name]) === JSON.stringify(value)) return;
    this.traits[name] = value;
    this.changed.push(name);
    for (const call of [...(this.heard.get(`change:${name}`) ?? [])]) call(null, []);
  }
  save_changes(): void {
    if (this.changed.length > 0) this.saved.push(this.changed.join());
    this.changed = [];
  }
  /** A change that the kernel made is none to be saved. */
  fromKernel(name: string, value: unknown): void {
    this.traits[name] = value;
    for (const call of [...(this.heard.get(`change:${name}`) ?? [])]) call(null, []);
  }
  on(name: string, call: MessageListener): void {
    this.heard.set(name, (this.heard.get(name) ?? new Set()).add(call));
  }
  off(name: string, call: MessageListener): void {
    this.heard.get(name)?.delete(call);
  }
  sent: unknown[] = [];
  send(message: unknown): void {
    this.sent.push(message);
  }
}

const oslo = { lon: 10.75, lat: 59.91, zoom: 9, seq: 1 };
const maps = () => [...document.querySelectorAll<HTMLElement>(".nba-map")];
const labels = () => maps().map((map) => map.ariaLabel?.split(". ")[0]);
// Leaflet reads the number of a key, which jsdom does not derive from its name.
const press = (keyCode: number, at = 0) => {
  const map = maps()[at];
  map?.focus();
  const event = new KeyboardEvent("keydown", { bubbles: true });
  Object.defineProperty(event, "keyCode", { value: keyCode });
  map?.dispatchEvent(event);
};
const [RIGHT, PLUS] = [39, 187];

let end: AbortController;

beforeEach(() => {
  document.body.replaceChildren();
  end?.abort();
  end = new AbortController();
  setMaxListeners(0, end.signal);
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener() {} }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  for (const [name, px] of [
    ["clientWidth", 640],
    ["clientHeight", 320],
  ] as const) {
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value: px });
  }
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

function shown(model: Model): Model {
  mount(model, document.body, end.signal);
  return model;
}

/** A click at a point of the map, counted from its middle. */
function click(x: number, y: number, detail = 1): void {
  const at = { clientX: 320 + x, clientY: 160 + y, detail, bubbles: true };
  for (const name of ["mousedown", "mouseup", "click"]) {
    const event = new MouseEvent(name, at);
    // Of what is no mouse Leaflet takes two quick clicks for a double one.
    Object.defineProperty(event, "pointerType", { value: "mouse" });
    maps()[0]?.dispatchEvent(event);
  }
}

const bounds = { west: -5, south: 45, east: 16, north: 60, padding_px: 24 };
const area = {
  name: "Areas",
  color: "red",
  geojson: {
    type: "Feature",
    properties: { name: "<i>North</i>", people: 7 },
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [-9, -9],
          [9, -9],
          [9, 9],
          [-9, 9],
          [-9, -9],
        ],
      ],
    },
  },
};
const origin = { lon: 0, lat: 0, zoom: 4, seq: 0 };

describe("a map view", () => {
  it("says where it is, to screen readers and to the kernel", () => {
    const model = shown(new Model({ wanted: oslo, pins: [{ ...oslo, label: "Oslo" }] }));
    expect(labels()).toEqual(["Map at 10.75° E, 59.91° N, zoom 9, 1 pin (Oslo)"]);
    expect(model.traits.rendered).toEqual({ ...oslo, by: "python" });
  });

  it("keeps JupyterLab's shortcuts from its keys", () => {
    shown(new Model({ wanted: oslo }));
    expect(maps()[0]?.closest("[data-lm-suppress-shortcuts]")).not.toBeNull();
  });

  it("reports the user's move once, with the command it was made under", () => {
    const model = shown(new Model({ wanted: { ...oslo, seq: 7 } }));
    model.saved = [];
    press(RIGHT);
    expect(model.saved).toEqual(["rendered"]);
    expect(model.traits.rendered).toMatchObject({ by: "user", seq: 7, zoom: 9 });
    expect(Number(Object(model.traits.rendered).lon)).toBeGreaterThan(10.75);
  });

  it("shows the user's move in every view, and reports it from one", () => {
    const model = shown(new Model({ wanted: oslo }));
    shown(model);
    model.saved = [];
    press(PLUS, 1);
    expect(labels()).toEqual(Array(2).fill("Map at 10.75° E, 59.91° N, zoom 10"));
    expect(model.saved).toEqual(["rendered"]);
  });

  it("goes where the kernel sends it, and answers once", () => {
    const model = shown(new Model({ wanted: oslo }));
    press(RIGHT);
    model.saved = [];
    model.fromKernel("wanted", { lon: 2, lat: 48, zoom: 5.5, seq: 2 });
    expect(labels()).toEqual(["Map at 2° E, 48° N, zoom 5.5"]);
    expect(model.saved).toEqual(["rendered"]);
    expect(model.traits.rendered).toEqual({ lon: 2, lat: 48, zoom: 5.5, by: "python", seq: 2 });
  });

  it("does not go back where a late report of an older move says", () => {
    const model = shown(new Model({ wanted: { ...oslo, seq: 3 } }));
    model.fromKernel("rendered", { lon: 0, lat: 0, zoom: 1, by: "user", seq: 2 });
    expect(labels()).toEqual(["Map at 10.75° E, 59.91° N, zoom 9"]);
  });

  it("opens where the user had moved it before a reload", () => {
    shown(new Model({ wanted: oslo, rendered: { lon: 1, lat: 2, zoom: 3, by: "user", seq: 1 } }));
    expect(labels()).toEqual(["Map at 1° E, 2° N, zoom 3"]);
  });

  it("takes new pins, title and height", () => {
    const model = shown(new Model({ wanted: oslo }));
    model.fromKernel("pins", [{ lon: 0, lat: 0, label: "<b>zero</b>" }]);
    model.fromKernel("title", "Trip");
    model.fromKernel("height_px", 200);
    expect(labels()).toEqual(["Trip: map at 10.75° E, 59.91° N, zoom 9, 1 pin (<b>zero</b>)"]);
    expect(document.querySelector("b")).toBeNull();
    expect(maps()[0]?.style.height).toBe("200px");
  });

  it("shows bounds whole, and says where they came to lie", () => {
    const model = shown(new Model({ wanted: { ...oslo, seq: 1, bounds } }));
    expect(labels()).toEqual(["Map at 5.5° E, 53.15° N, zoom 3.93"]);
    expect(model.traits.rendered).toMatchObject({ by: "python", seq: 1, zoom: 3.93 });
    press(PLUS);
    expect(model.traits.rendered).toMatchObject({ by: "user", seq: 1 });
    model.fromKernel("wanted", { ...oslo, seq: 2, bounds });
    expect(model.traits.rendered).toMatchObject({ by: "python", seq: 2, zoom: 3.93 });
  });

  it("tells of clicks on the map, on pins and on features, once each", () => {
    const pins = [{ lon: 20, lat: 0, label: "East" }];
    const model = shown(new Model({ wanted: origin, pins, layers: [area] }));
    click(-300, 100);
    click(0, 0);
    click(228, -12);
    expect(model.sent).toEqual([
      expect.objectContaining({ type: "click", on: "map", lon: expect.closeTo(-26.37, 1) }),
      expect.objectContaining({
        on: "feature",
        label: "<i>North</i>",
        layer: "Areas",
        properties: { name: "<i>North</i>", people: 7 },
      }),
      { type: "click", on: "pin", label: "East", lon: 20, lat: 0 },
    ]);
  });

  it("takes Enter for a click on its middle", () => {
    const model = shown(new Model({ wanted: origin, layers: [area] }));
    maps()[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    expect(model.sent).toEqual([expect.objectContaining({ on: "feature", layer: "Areas" })]);
  });

  it("writes a label to the right of its pin where there is room", () => {
    const pins = [-20, 24].map((lon) => ({ lon, lat: 0, label: "A label" }));
    shown(
      new Model({ wanted: origin, pins: [...pins, { lon: 26, lat: 5, label: "At the edge" }] }),
    );
    const sides = [...document.querySelectorAll(".nba-map-label")].map((label) =>
      label.getAttribute("text-anchor"),
    );
    expect(sides).toEqual(["start", "end", "end"]);
  });

  it("takes a double click for one", () => {
    const model = shown(new Model({ wanted: origin }));
    click(10, 10);
    click(10, 10, 2);
    expect(model.sent).toHaveLength(1);
  });

  it("shows a feature's properties as text, until Escape", () => {
    shown(new Model({ wanted: origin, layers: [area] }));
    click(0, 0);
    const popup = document.querySelector<HTMLElement>(".nba-map-popup");
    expect(popup?.querySelector("strong")?.textContent).toBe("<i>North</i>");
    expect(popup?.querySelector("dl")?.textContent).toBe("people7");
    expect(document.querySelector("i")).toBeNull();
    maps()[0]?.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    expect(popup?.hidden).toBe(true);
  });

  it("asks for the finer coastline when it is first zoomed in, once", async () => {
    const load = vi.fn(() => Promise.reject(new Error("not to be had")));
    mount(new Model({ wanted: origin }), document.body, end.signal, { load });
    expect(load.mock.calls).toEqual([["map-names"]]);
    vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen());
    press(PLUS);
    press(PLUS);
    await Promise.resolve();
    expect(load.mock.calls).toEqual([["map-names"], ["atlas-50m"]]);
  });

  it("leaves nothing behind but its stylesheet", () => {
    const model = shown(new Model({ wanted: oslo }));
    end.abort();
    expect(maps()).toEqual([]);
    expect([...model.heard.values()].every((calls) => calls.size === 0)).toBe(true);
  });
});

describe("a map of a run", () => {
  const value = { center: { lon: 10.75, lat: 59.91 }, zoom: 9, seq: 1, map_id: "mapAgent-1" };
  const opened = () => {
    const emitted: JsonValue[] = [];
    const emit = (said: JsonValue) => emitted.push(said);
    const ask = () => Promise.reject(new Error("no kernel"));
    const map = render({ el: document.body, value, emit, ask, theme: "light", signal: end.signal });
    return { emitted, map };
  };

  it("says where the user moved it, and whose map it is", () => {
    const { emitted } = opened();
    press(PLUS);
    expect(emitted).toEqual([
      { center: { lon: 10.75, lat: 59.91 }, zoom: 10, bounds: null, map_id: "mapAgent-1" },
    ]);
  });

  it("says nothing of what payloads do", () => {
    const { emitted, map } = opened();
    map.update({ center: { lon: 1, lat: 2 }, zoom: 3 });
    expect(labels()).toEqual(["Map at 1° E, 2° N, zoom 3"]);
    expect(emitted).toEqual([]);
  });

  it("says what the user clicked on, and whose map it is", () => {
    const { emitted } = opened();
    click(0, 0);
    expect(emitted).toEqual([
      {
        click: { lon: expect.closeTo(10.75, 2), lat: expect.closeTo(59.91, 2), on: "map" },
        map_id: "mapAgent-1",
      },
    ]);
  });

  it("goes nowhere online, whatever a payload says", () => {
    const { map } = opened();
    map.update({ tiles: { url: "https://evil.example/{z}/{x}/{y}.png" }, seq: 2, zoom: 3 });
    expect(document.querySelector("img")).toBeNull();
  });

  it("shows layers and bounds, and says nothing of it", () => {
    const { emitted, map } = opened();
    map.update({ bounds, layers: [area], seq: 2 });
    expect(labels()).toEqual(["Map at 5.5° E, 53.15° N, zoom 3.93, 1 layer (Areas)"]);
    expect(emitted).toEqual([]);
  });

  it("says which layers a saved notebook has not kept", () => {
    const { map } = opened();
    map.update({ left_out: ["<b>Roads</b>"] });
    const said = document.querySelector(".nba-map-source")?.textContent;
    expect(said).toBe("Not saved, too large: <b>Roads</b> · Natural Earth");
  });

  it("keeps the user's place when a pin comes, and leaves it for a new command", () => {
    const { map } = opened();
    press(PLUS);
    map.update({ ...value, pins: [{ lon: 10.75, lat: 59.91, label: "Oslo" }] });
    expect(labels()).toEqual(["Map at 10.75° E, 59.91° N, zoom 10, 1 pin (Oslo)"]);
    map.update({ ...value, seq: 2 });
    expect(labels()).toEqual(["Map at 10.75° E, 59.91° N, zoom 9, 1 pin (Oslo)"]);
  });
});

describe("online tiles", () => {
  const tiles = { url: "https://tiles.example/{z}/{x}/{y}.png", attribution: "© <b>us</b>" };
  const source = () => document.querySelector(".nba-map-source")?.textContent;
  const sorry = () => document.querySelector<HTMLElement>(".nba-map-sorry");
  const failAll = () => {
    for (const tile of document.querySelectorAll("img")) tile.dispatchEvent(new Event("error"));
  };

  it("are asked for where Python names them, and thanked as text", () => {
    shown(new Model({ wanted: oslo, tiles }));
    const [first] = document.querySelectorAll("img");
    expect(first?.src).toMatch(/^https:\/\/tiles\.example\/9\/\d+\/\d+\.png$/);
    expect(source()).toBe("© <b>us</b>");
    expect(sorry()?.hidden).toBe(true);
  });

  it("that cannot be had give way to the map's own, in words, and can be tried again", () => {
    shown(new Model({ wanted: oslo, tiles }));
    failAll();
    expect(document.querySelector("img")).toBeNull();
    expect(source()).toBe("Natural Earth");
    expect(sorry()?.hidden).toBe(false);
    expect(sorry()?.textContent).toContain("could not be loaded");
    sorry()?.querySelector("button")?.click();
    expect(document.querySelectorAll("img").length).toBeGreaterThan(0);
    expect(sorry()?.hidden).toBe(true);
  });

  it("are never asked for otherwise", () => {
    shown(new Model({ wanted: oslo }));
    shown(new Model({ wanted: oslo, tiles: { url: "javascript:alert(1)" } }));
    expect(document.querySelector("img")).toBeNull();
    expect(source()).toBe("Natural Earth");
  });
});

/** A pen that draws nowhere, on a page without a canvas. */
function pen(): CanvasRenderingContext2D {
  vi.stubGlobal(
    "Path2D",
    class {
      moveTo() {}
      lineTo() {}
      closePath() {}
    },
  );
  const nothing = new Proxy({}, { get: () => () => undefined, set: () => true });
  return nothing as CanvasRenderingContext2D;
}
