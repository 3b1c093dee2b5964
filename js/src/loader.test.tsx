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
