import { describe, expect, test } from "vitest";
import type { Library } from "../../bridge";
import { fold, Sample } from "../../sample-run";
import type { JsonValue } from "../../tree";
import { Stage } from "./stage";
import { Stages } from "./stages";

function payload(kind: string, value: JsonValue, audience: "timeline" | "internal" = "timeline") {
  return { kind, version: 1, audience, value };
}

/** A renderer that remembers what it was told, a list for each time that it drew. */
function fakeKind() {
  const told: JsonValue[][] = [];
  let emit: (value: JsonValue) => void = () => {};
  const library: Library = {
    render(options) {
      const mine = [options.value];
      told.push(mine);
      emit = options.emit;
      options.el.textContent = "drawn";
      return { update: (value) => mine.push(value) };
    },
  };
  return { library, told, drag: (value: JsonValue) => emit(value) };
}

function draw(stage: Stage, library: Library, end = new AbortController()) {
  const emitted: JsonValue[] = [];
  const el = document.createElement("div");
  const done = stage.draw(library, {
    el,
    emit: (value) => emitted.push(value),
    ask: () => Promise.reject(new Error("no kernel")),
    theme: "light",
    signal: end.signal,
  });
  return { done, el, emitted };
}

describe("a stage", () => {
  test("is drawn with what was said first, then told the rest and what is new, in order", async () => {
    const stage = new Stage("map", "map");
    const map = fakeKind();
    stage.show("c1", { zoom: 3 });
    stage.show("c2", { zoom: 4 });
    await draw(stage, map.library).done;
    stage.show("c3", { zoom: 9 });
    expect(map.told).toEqual([[{ zoom: 3 }, { zoom: 4 }, { zoom: 9 }]]);
  });

  test("loses nothing that is said while its module draws for the first time", async () => {
    const stage = new Stage("map", "map");
    const map = fakeKind();
    stage.show("c1", 1);
    const { done } = draw(stage, {
      render: async (options) => {
        await Promise.resolve();
        return map.library.render?.(options);
      },
    });
    stage.show("c1", 2);
    await done;
    expect(map.told).toEqual([[1, 2]]);
  });

  test("says where the person took it, and a later view begins there", async () => {
    const stage = new Stage("map", "map");
    const map = fakeKind();
    stage.show("c1", { zoom: 3, title: "T" });
    const { done, emitted } = draw(stage, map.library);
    await done;
    map.drag({ zoom: 5 });
    map.drag({ zoom: 6 });
    expect(emitted).toEqual([{ zoom: 5 }, { zoom: 6 }]);
    await draw(stage, map.library).done;
    expect(map.told[1]).toEqual([{ zoom: 3, title: "T" }, { zoom: 6 }]);
  });

  test("a view that is gone is told nothing more", async () => {
    const stage = new Stage("map", "map");
    const map = fakeKind();
    const end = new AbortController();
    stage.show("c1", 1);
    await draw(stage, map.library, end).done;
    end.abort();
    stage.show("c1", 2);
    expect(map.told).toEqual([[1]]);
  });

  test("goes back to what a call left, without the person's moves, and on to the newest", async () => {
    const stage = new Stage("map", "map");
    const map = fakeKind();
    stage.show("c1", { zoom: 1 });
    stage.show("c1", { zoom: 2 });
    stage.show("c2", { zoom: 3 });
    const { done, el } = draw(stage, map.library);
    await done;
    map.drag({ zoom: 7 });
    stage.pin("c1");
    expect(map.told[1]).toEqual([{ zoom: 1 }]);
    await Promise.resolve();
    expect(map.told[1]).toEqual([{ zoom: 1 }, { zoom: 2 }]);
    expect(el.children).toHaveLength(1);
    stage.show("c3", { zoom: 9 });
    await Promise.resolve();
    expect(stage.pinned.value).toBeNull();
    expect(map.told[2]?.at(-1)).toEqual({ zoom: 9 });
  });
});

describe("the stages of a run", () => {
  test("there is one for each stateful kind, or for each target", () => {
    const stages = new Stages();
    stages.show("c1", payload("map", { zoom: 3 }));
    stages.show("c2", payload("map", { zoom: 4 }));
    stages.show("c2", payload("map", { zoom: 4, target: "left" }));
    expect(stages.all.value.map(({ name }) => name)).toEqual(["map", "left"]);
    expect(stages.of("c1").map(({ name }) => name)).toEqual(["map"]);
    expect(stages.of("c3")).toEqual([]);
  });

  test("payloads of other kinds, for tools only, and maps that are none draw nothing", () => {
    const stages = new Stages();
    stages.show("c1", payload("table", { zoom: 3 }));
    stages.show("c1", payload("map", { zoom: 3 }, "internal"));
    stages.show("c1", payload("map", "x"));
    expect(stages.all.value).toEqual([]);
  });

  test("of a kind that turns out to be stateful, what has come is shown once", () => {
    const sample = new Sample().start().tool("c1");
    for (const [id, value] of [
      ["p1", 1],
      ["p2", 2],
    ] as const) {
      const given = { tool_call_id: "c1", payload_id: id, payload: payload("board", value) };
      sample.add("tool_data", given);
    }
    const stages = new Stages();
    const tree = fold(sample.events);
    stages.learn(["board", "map"], tree);
    stages.learn(["board"], tree);
    expect(stages.all.value[0]?.values).toEqual([1, 2]);
    expect(stages.isStateful("board")).toBe(true);
  });
});
