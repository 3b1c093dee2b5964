import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Door, Library, RenderOptions } from "../../bridge";
import { FakeModel } from "../../fake-model";
import * as prose from "../../markdown";
import { fold, Sample } from "../../sample-run";
import type { JsonValue, Tree } from "../../tree";
import { attach, mount, mountSaved } from "..";
import { PAYLOAD_MIME } from "./own-kind";

let model: FakeModel;
let end: AbortController;
let el: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  model = new FakeModel();
  end = new AbortController();
  el = document.createElement("div");
  document.body.append(el);
});

afterEach(async () => {
  end.abort();
  el.remove();
  await vi.advanceTimersByTimeAsync(500);
  vi.useRealTimers();
});

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(60);
}

/** A payload of kind `dice` in a run whose page gets this module. */
async function shown(library: Library | Error, kinds: JsonValue = { dice: { hash: "h1" } }) {
  const asked: string[] = [];
  const page = {
    load: async (name: string): Promise<Library> => {
      if (name === "markdown") return prose;
      asked.push(name);
      if (library instanceof Error) throw library;
      return library;
    },
  };
  mount(model, el, end.signal, attach(model, end.signal, page));
  const sample = new Sample().start().tool("c1");
  model.tellUnits(rolled(sample, { eyes: 3 }).events);
  await settled();
  answer("renderers:", kinds);
  await settled();
  return { asked, sample };
}

function rolled(sample: Sample, value: JsonValue): Sample {
  const payload = { kind: "dice", version: 1, audience: "timeline", value } as const;
  return sample.add("tool_data", { tool_call_id: "c1", payload_id: "dice-1", payload });
}

/** Answer what the page has asked of this kind. */
function answer(kind: string, value: JsonValue): void {
  for (const one of model.sent) {
    const { type, id, kind: asked } = one as { type: string; id: number; kind: string };
    if (type === "ask" && asked === kind) model.tell({ type: "answer", id, value });
  }
}

const still = { [PAYLOAD_MIME]: { kind: "markdown", value: { text: "**3** eyes" } } };

describe("a kind with a module", () => {
  test("is drawn by it, says what the person does, and is given what comes next", async () => {
    const values: JsonValue[] = [];
    let given: RenderOptions | undefined;
    const { asked, sample } = await shown({
      render: (options) => {
        given = options;
        options.el.textContent = "drawn";
        values.push(options.value);
        return { update: (value) => values.push(value) };
      },
    });
    expect(asked).toEqual(["renderer:dice"]);
    expect(el.querySelector(".nba-custom")?.textContent).toBe("drawn");
    expect(given?.theme).toBe("light");
    given?.emit({ rolled: 5 });
    expect(model.sentOf("emit")).toEqual([{ type: "emit", kind: "dice", value: { rolled: 5 } }]);
    model.tellUnits(rolled(sample, { eyes: 5 }).events.slice(3), 3);
    await settled();
    expect(values).toEqual([{ eyes: 3 }, { eyes: 5 }]);
    expect(given?.signal.aborted).toBe(false);
    end.abort();
    await settled();
    expect(given?.signal.aborted).toBe(true);
  });

  test("that cannot update is drawn anew", async () => {
    const signals: AbortSignal[] = [];
    const { sample } = await shown({
      render: ({ el: place, value, signal }) => {
        signals.push(signal);
        place.append(JSON.stringify(value));
        return undefined;
      },
    });
    model.tellUnits(rolled(sample, { eyes: 5 }).events.slice(3), 3);
    await settled();
    expect(el.querySelector(".nba-custom")?.textContent).toBe('{"eyes":5}');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  test.each<[string, Library | Error, string]>([
    ["cannot be fetched", new Error("No such file."), "No such file."],
    ["exports nothing", {}, "exports no function `render`"],
    [
      "raises",
      {
        render: () => {
          throw new Error("no luck");
        },
      },
      "no luck",
    ],
  ])(
    "that %s gives way to JSON, then to the static form, with the error in words",
    async (_what, library, words) => {
      await shown(library);
      expect(el.querySelector(".nba-problem")?.textContent).toContain(
        "The renderer of dice failed: Error:",
      );
      expect(el.querySelector(".nba-problem")?.textContent).toContain(words);
      expect(el.querySelector(".nba-json")?.textContent).toContain("eyes");
      answer("renderers:static", still);
      await settled();
      expect(el.querySelector(".nba-views strong")?.textContent).toBe("3");
      expect(el.querySelector(".nba-views .nba-json")).toBeNull();
    },
  );

  test("that raises when it is updated says so", async () => {
    const { sample } = await shown({
      render: () => ({
        update: () => {
          throw new Error("no luck");
        },
      }),
    });
    model.tellUnits(rolled(sample, { eyes: 5 }).events.slice(3), 3);
    await settled();
    expect(el.querySelector(".nba-problem")?.textContent).toContain("no luck");
  });
});

test("a kind that keeps one view is drawn on the run's stage, and not once more at its call", async () => {
  const values: JsonValue[] = [];
  await shown(
    {
      render: ({ el: place, value }) => {
        place.textContent = "the board";
        values.push(value);
        return { update: (next) => values.push(next) };
      },
    },
    { dice: { hash: "h1", stateful: true } },
  );
  await settled();
  expect(el.querySelector(".nba-views")).toBeNull();
  expect(el.querySelector(".nba-stage")?.textContent).toContain("the board");
  expect(values).toEqual([{ eyes: 3 }]);
});

test("a kind without a module is asked for its static form", async () => {
  const { asked } = await shown({}, { dice: { hash: null } });
  answer("renderers:static", still);
  await settled();
  expect(asked).toEqual([]);
  expect(el.querySelector(".nba-views strong")?.textContent).toBe("3");
});

test("a kind that nobody knows is JSON among the data", async () => {
  await shown({}, {});
  expect(el.querySelector(".nba-views")).toBeNull();
});

test("in a saved run the static form is there, with no kernel and no module", async () => {
  const { tree } = await savedTree();
  const door: Door = {
    isLive: false,
    load: () => Promise.reject(new Error("no kernel")),
    emit: () => {},
    ask: () => Promise.reject(new Error("no kernel")),
    stop: () => {},
    resolve: () => Promise.reject(new Error("no kernel")),
  };
  mountSaved(el, end.signal, tree, door);
  await settled();
  expect(el.querySelector(".nba-views strong")?.textContent).toBe("3");
  expect(el.querySelector(".nba-problem")).toBeNull();
});

/** What a notebook would have saved. */
async function savedTree(): Promise<{ tree: Tree }> {
  const tree = fold(rolled(new Sample().start().tool("c1"), { eyes: 3 }).ended("c1").events);
  for (const run of Object.values(tree.runs)) {
    for (const call of Object.values(run.calls)) {
      for (const node of call.payloads) node.static = still;
    }
  }
  return { tree };
}
