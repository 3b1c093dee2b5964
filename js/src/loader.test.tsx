import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FakeModel } from "./fake-model";

/** What a page imports in place of a module's text: a module that writes into what it is given. */
const MODULE = `data:text/javascript,${encodeURIComponent(`
  export const attach = (model, signal) => ({ signal, model });
  export const mount = (model, el, signal, attached) => {
    el.append("drawn" + (attached.signal.aborted ? " after the end" : ""));
    signal.addEventListener("abort", () => el.append(", gone"));
  };
`)}`;

const TEXT = new DataView(new ArrayBuffer(1));

function answer(model: FakeModel, hash = "h1") {
  model.tell({ type: "library", name: "run-view", hash }, [TEXT]);
}

/** One model of a page, as anywidget makes it from `_esm`. */
async function widget() {
  const { default: make } = await import("./loader");
  const model = new FakeModel();
  const made = make();
  const end = made.initialize({ model });
  return { model, made, end };
}

function view({ model, made }: Awaited<ReturnType<typeof widget>>) {
  const el = document.createElement("div");
  return { el, end: made.render({ model, el }) };
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal("NBA_LIBRARIES", { "run-view": "h1", map: "h2" });
  vi.stubGlobal("__nbagents", undefined);
  vi.stubGlobal("nbaLoaded", undefined);
  vi.spyOn(URL, "createObjectURL").mockReturnValue(MODULE);
  vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

// jsdom has neither; a page has both.
URL.createObjectURL ??= () => "";
URL.revokeObjectURL ??= () => {};

test("the module is asked for, imported and mounted, in every view of the model", async () => {
  const one = await widget();
  const first = view(one);
  expect(one.model.sent).toEqual([{ type: "library", name: "run-view" }]);
  answer(one.model);
  await expect.poll(() => first.el.textContent).toBe("drawn");
  const second = view(one);
  await expect.poll(() => second.el.textContent).toBe("drawn");
  first.end();
  expect(first.el.textContent).toBe("drawn, gone");
  expect(second.el.textContent).toBe("drawn");
});

test("a page asks once, however many models it has", async () => {
  const one = await widget();
  const two = await widget();
  expect(two.model.sent).toEqual([]);
  answer(one.model);
  const { el } = view(two);
  await expect.poll(() => el.textContent).toBe("drawn");
  const three = await widget();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([...two.model.sent, ...three.model.sent]).toEqual([]);
});

test("where no answer comes, a view says so in words, asks again, and recovers", async () => {
  const one = await widget();
  const { el } = view(one);
  await vi.advanceTimersByTimeAsync(3100);
  expect(el.textContent).toContain("Waiting for the kernel");
  expect(one.model.sent).toHaveLength(2);
  answer(one.model);
  await expect.poll(() => el.textContent).toBe("drawn");
});

test("where the one who asked is gone, another asks", async () => {
  const one = await widget();
  const two = await widget();
  one.end();
  expect(one.model.listeners).toBe(0);
  await vi.advanceTimersByTimeAsync(3100);
  expect(one.model.sent).toHaveLength(1);
  expect(two.model.sent).toEqual([{ type: "library", name: "run-view" }]);
});

test("another content under the same name is not taken", async () => {
  const one = await widget();
  const { el } = view(one);
  answer(one.model, "h0");
  await vi.advanceTimersByTimeAsync(100);
  expect(el.textContent).toBe("");
});

test("a module that does not exist is said in the view's own box", async () => {
  const one = await widget();
  const { el } = view(one);
  one.model.tell({ type: "library", name: "run-view", error: "It is not built." });
  await expect.poll(() => el.textContent).toContain("It is not built.");
});

test("a view that is gone before its module came is not drawn", async () => {
  const one = await widget();
  const { el, end } = view(one);
  end();
  answer(one.model);
  await vi.advanceTimersByTimeAsync(5000);
  expect(el.textContent).toBe("");
});

/** The page that a module is given, of a model whose main module has come. */
async function attachedPage() {
  const one = await widget();
  answer(one.model);
  await view(one);
  await vi.advanceTimersByTimeAsync(20);
  return one;
}

test("a module that Python offers is asked for by each model, and its text sent once", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue(ASKING);
  const first = await attachedPage();
  const renderer = { type: "library", name: "renderer:dice", hash: "r1" };
  expect(first.model.sent.at(-1)).toEqual({ type: "library", name: "renderer:dice", known: [] });
  vi.spyOn(URL, "createObjectURL").mockReturnValue(module("export const drawn = 1;"));
  first.model.tell(renderer, [TEXT]);
  await expect.poll(() => loaded().length).toBe(1);
  const second = await attachedPage();
  expect(second.model.sent.at(-1)).toEqual({
    type: "library",
    name: "renderer:dice",
    known: ["r1"],
  });
  second.model.tell(renderer);
  await expect.poll(() => loaded().length).toBe(2);
  expect(loaded()[1]).toBe(loaded()[0]);
});

test("a module that is offered anew takes the place of the old one", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue(ASKING);
  const first = await attachedPage();
  vi.spyOn(URL, "createObjectURL").mockReturnValue(module("export const drawn = 2;"));
  first.model.tell({ type: "library", name: "renderer:dice", hash: "r2" }, [TEXT]);
  await expect.poll(() => loaded().length).toBe(1);
  vi.spyOn(URL, "createObjectURL").mockReturnValue(module("export const drawn = 3;"));
  const second = await attachedPage();
  second.model.tell({ type: "library", name: "renderer:dice", hash: "r3" }, [TEXT]);
  await expect.poll(() => loaded().length).toBe(2);
  expect(loaded()[1]).not.toBe(loaded()[0]);
});

test("an offered module that cannot be had is refused in words", async () => {
  vi.spyOn(URL, "createObjectURL").mockReturnValue(ASKING);
  const { model } = await attachedPage();
  model.tell({ type: "library", name: "renderer:dice", error: "No such file." });
  await expect.poll(() => loaded()).toEqual(["Error: No such file."]);
});

function module(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** A main module that asks for a renderer's as soon as it is attached. */
const ASKING = module(`
  export const attach = (model, signal, page) => {
    const all = (globalThis.nbaLoaded ??= []);
    page.load("renderer:dice").then((one) => all.push(one), (error) => all.push(String(error)));
  };
`);

function loaded(): unknown[] {
  return (globalThis as { nbaLoaded?: unknown[] }).nbaLoaded ?? [];
}
