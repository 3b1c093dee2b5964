/** What crosses between the page and the kernel, on a page without a canvas. */

import { setMaxListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { MessageListener } from "../bridge";
import type { JsonValue } from "../events";
import { mount, render } from "./index";

class Model {
  readonly traits: Record<string, unknown>;
  readonly heard = new Map<string, Set<MessageListener>>();
  saved: string[] = [];
  changed: string[] = [];

  constructor(traits: Record<string, unknown>) {
    this.traits = { rendered: {}, pins: [], title: "", height_px: 320, ...traits };
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
  send(): void {}
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
      { center: { lon: 10.75, lat: 59.91 }, zoom: 10, map_id: "mapAgent-1" },
    ]);
  });

  it("says nothing of what payloads do", () => {
    const { emitted, map } = opened();
    map.update({ center: { lon: 1, lat: 2 }, zoom: 3 });
    expect(labels()).toEqual(["Map at 1° E, 2° N, zoom 3"]);
    expect(emitted).toEqual([]);
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
