import { expect, test } from "vitest";
import type { AnyEvent, JsonValue } from "../events";
import { Sample } from "../sample-events";
import { MapStage } from "./stage";

function data(kind: string, value: JsonValue, audience: "timeline" | "internal" = "timeline") {
  const payload = { kind, version: 1, audience, value };
  const sample = new Sample().add("tool_data", { tool_call_id: "c1", payload_id: "p", payload });
  return sample.events[0];
}

function take(stage: MapStage, ...events: (AnyEvent | undefined)[]) {
  for (const event of events) if (event?.type === "tool_data") stage.show(event.payload);
}

/** A map that remembers what it was told. */
function fakeMap() {
  const told: JsonValue[] = [];
  let emit: (value: JsonValue) => void = () => {};
  const library = {
    render(options: { value: JsonValue; emit(value: JsonValue): void }) {
      told.push(options.value);
      emit = options.emit;
      return { update: (value: JsonValue) => told.push(value) };
    },
  };
  return { library, told, drag: (value: JsonValue) => emit(value) };
}

function options(emit: (value: JsonValue) => void, signal: AbortSignal) {
  const ask = () => Promise.reject(new Error("no kernel"));
  return { el: Object.create(null), emit, ask, theme: "light" as const, signal };
}

test("a map is drawn with all that was said of it, then told what is new", async () => {
  const stage = new MapStage();
  const map = fakeMap();
  expect(stage.isSet.value).toBe(false);
  take(stage, data("map", { zoom: 3 }), data("map", { pins: [] }));
  expect(stage.isSet.value).toBe(true);
  await stage.draw(
    map.library,
    options(() => {}, new AbortController().signal),
  );
  take(stage, data("map", { zoom: 9 }));
  expect(map.told).toEqual([{ zoom: 3, pins: [] }, { zoom: 9 }]);
});

test("payloads of other kinds, and for tools only, draw nothing", async () => {
  const stage = new MapStage();
  take(stage, data("table", { zoom: 3 }), data("map", { zoom: 3 }, "internal"), data("map", "x"));
  expect(stage.isSet.value).toBe(false);
});

test("where the person took the map is said, and a later view begins there", async () => {
  const stage = new MapStage();
  const map = fakeMap();
  const moved: JsonValue[] = [];
  take(stage, data("map", { zoom: 3, title: "T" }));
  await stage.draw(
    map.library,
    options((value) => moved.push(value), new AbortController().signal),
  );
  map.drag({ zoom: 5 });
  expect(moved).toEqual([{ zoom: 5 }]);
  expect(stage.value).toEqual({ zoom: 5, title: "T" });
});

test("a view that is gone is told nothing more", async () => {
  const stage = new MapStage();
  const map = fakeMap();
  const end = new AbortController();
  await stage.draw(
    map.library,
    options(() => {}, end.signal),
  );
  end.abort();
  take(stage, data("map", { zoom: 9 }));
  expect(map.told).toEqual([{}]);
});
