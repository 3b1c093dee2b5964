import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeModel } from "../fake-model";
import type { JsonValue } from "../tree";
import { mount, render } from ".";

const ROWS = [
  { city: "Oslo", mm: 52 },
  { city: "Rome", mm: 80 },
];
const BARS = {
  mark: "bar",
  encoding: { x: { field: "city", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
};

let end: AbortController;
let el: HTMLElement;
let told: JsonValue[];

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  end = new AbortController();
  el = document.createElement("div");
  document.body.append(el);
  told = [];
});

afterEach(async () => {
  end.abort();
  await turns();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

async function turns(ms = 5): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

/** Wait until something holds, however slow the machine is. */
function comes(claim: () => void): Promise<void> {
  return vi.waitFor(claim, { timeout: 60_000, interval: 10 });
}

async function draw(value: JsonValue) {
  const { signal } = end;
  const emit = (said: JsonValue) => told.push(said);
  const ask = () => Promise.reject(new Error("nobody"));
  const drawing = render({ el, value, emit, ask, theme: "light", signal });
  await drawing.drawn;
  await turns();
  return drawing;
}

function bars(): string[] {
  return [...el.querySelectorAll(".mark-rect path")].map((one) => one.getAttribute("d") ?? "");
}

function words(): string {
  return el.querySelector("figcaption")?.textContent ?? "";
}

describe("a chart on a page", () => {
  test("is an SVG, and tells its picture when it has stood still", async () => {
    await draw({ spec: { ...BARS, title: "Rain" }, data: ROWS });
    expect(bars()).toHaveLength(2);
    expect(words()).toBe("");
    expect(el.querySelector("svg[role=img]")?.getAttribute("aria-label")).toBe("Chart: Rain");
    await comes(() => expect(told).not.toEqual([]));
    await turns(100);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ svg: expect.stringMatching(/^<svg .*<\/svg>$/) });
  });

  test("takes other rows without being made anew", async () => {
    const drawing = await draw({ spec: BARS, data: ROWS });
    const svg = el.querySelector("svg");
    const before = bars();
    drawing.update({ spec: BARS, data: [...ROWS, { city: "Quito", mm: 110 }] });
    await comes(() => expect(bars()).toHaveLength(3));
    expect(el.querySelector("svg")).toBe(svg);
    expect(bars()).not.toEqual(before);
  });

  test("is dark once the system is, where the page says nothing of its theme", async () => {
    const system = new EventTarget();
    vi.stubGlobal("matchMedia", () => system);
    el.style.color = "rgb(31, 31, 31)";
    await draw({ spec: { ...BARS, title: "Rain" }, data: ROWS });
    const colour = () => el.querySelector(".mark-text.role-title-text text")?.getAttribute("fill");
    const before = colour();
    el.style.color = "rgb(228, 228, 230)";
    system.dispatchEvent(new Event("change"));
    await comes(() => expect(colour()).not.toBe(before));
  });

  test("is made anew where more than its rows changed", async () => {
    const drawing = await draw({ spec: BARS, data: ROWS });
    const svg = el.querySelector("svg");
    drawing.update({ spec: { ...BARS, mark: "point" }, data: ROWS });
    await comes(() => {
      expect(el.querySelectorAll("svg")).toHaveLength(1);
      expect(el.querySelector("svg")).not.toBe(svg);
    });
  });

  test("that cannot be drawn says why, and may become one", async () => {
    const drawing = await draw({ spec: "bar" });
    expect(words()).toMatch(/^This chart could not be drawn: a chart is/);
    await comes(() => expect(told).toEqual([{ none: true }]));
    drawing.update({ spec: BARS, data: ROWS });
    await comes(() => expect([words(), bars().length]).toEqual(["", 2]));
  });

  test("says what it would have fetched", async () => {
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    await draw({ spec: { ...BARS, data: { url: "https://example.org/a.csv" } } });
    const said = "Not fetched, as charts load nothing: https://example.org/a.csv";
    await comes(() => expect(words()).toBe(said));
    expect(fetched).not.toHaveBeenCalled();
  });

  test("keeps to its box: no address is a colour, no control is what it likes", async () => {
    await draw({
      spec: {
        ...BARS,
        params: [
          { name: "evil", value: 1, bind: { input: "image", src: "https://example.org/i" } },
          { name: "other", value: 1, bind: { element: "body" } },
          { name: "good", value: 1, bind: { input: "range", max: 3, style: "color:red" } },
        ],
        encoding: { ...BARS.encoding, fill: { field: "c", type: "nominal", scale: null } },
        config: { events: { bind: "any", globalCursor: true } },
      },
      data: [{ city: "Oslo", mm: 52, c: "u\\72l(https://example.org/x.svg#a)" }],
    });
    expect(bars()).toHaveLength(1);
    const said = [...el.querySelectorAll("*")].flatMap((one) => [...one.attributes]);
    const reaching = said.filter(({ value }) => value.includes("example.org"));
    expect(reaching).toEqual([]);
    expect([...el.querySelectorAll("input")].map((one) => one.type)).toEqual(["range"]);
    expect(el.querySelector("input")?.getAttribute("style")).toBeNull();
  });

  test("makes no code from text", async () => {
    vi.stubGlobal("Function", () => {
      throw new Error("code from text");
    });
    const transform = [{ calculate: "datum.mm * 2", as: "twice" }];
    const y = { field: "twice", type: "quantitative" };
    await draw({ spec: { ...BARS, transform, encoding: { ...BARS.encoding, y } }, data: ROWS });
    expect([words(), bars().length]).toEqual(["", 2]);
  });

  test("leaves nothing behind", async () => {
    await draw({ spec: BARS, data: ROWS });
    end.abort();
    const before = [...told]; // on a slow machine the picture is told already
    await turns(250);
    expect([el.childElementCount, told]).toEqual([0, before]);
  });

  test("follows the page from light to dark", async () => {
    document.body.dataset.jpThemeLight = "true";
    await draw({ spec: BARS, data: ROWS });
    const light = el.querySelector(".mark-rect path")?.getAttribute("fill");
    document.body.dataset.jpThemeLight = "false";
    await comes(() =>
      expect(el.querySelector(".mark-rect path")?.getAttribute("fill")).not.toBe(light),
    );
    delete document.body.dataset.jpThemeLight;
  });
});

test("a ChartView draws its trait, and tells its picture", async () => {
  const model = Object.assign(new FakeModel(), { get: () => ({ spec: BARS, data: ROWS }) });
  mount(model, el, end.signal);
  await comes(() => expect(model.sentOf("emit")).toHaveLength(1));
  expect(bars()).toHaveLength(2);
});
