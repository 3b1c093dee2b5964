import { afterEach, beforeEach, expect, test, vi } from "vitest";

type Seen = (seen: { target: Element; isIntersecting: boolean }[]) => void;

let tell: Seen;
let watched: Set<Element>;

/** The browser's own, as far as it is used. */
class FakeObserver {
  constructor(hear: Seen) {
    tell = hear;
  }
  observe(el: Element): void {
    watched.add(el);
  }
  unobserve(el: Element): void {
    watched.delete(el);
  }
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  watched = new Set();
  vi.stubGlobal("IntersectionObserver", FakeObserver);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** So many outputs that wait, and which of them were drawn. */
async function outputs(many: number) {
  const { nearSight } = await import("./in-sight");
  const drawn: number[] = [];
  const end = new AbortController();
  const all = Array.from({ length: many }, (_, at) => {
    const el = document.createElement("div");
    void nearSight(el, end.signal).then(() => drawn.push(at));
    return el;
  });
  return { all, drawn, end };
}

test("what comes in sight is drawn at once; the others keep their place until the page is quiet", async () => {
  const { all, drawn } = await outputs(5);
  const [, , third] = all;
  if (!third) throw new Error("no output");
  tell([{ target: third, isIntersecting: true }]);
  await vi.advanceTimersByTimeAsync(100);
  expect(drawn).toEqual([2]);
  expect(all.map(({ style }) => style.minHeight !== "")).toEqual([true, true, false, true, true]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(drawn).toEqual([2, 0, 1, 3, 4]);
  expect([all.some(({ style }) => style.minHeight), watched.size]).toEqual([false, 0]);
});

test("who prints gets all of them, and what has gone waits no more", async () => {
  const { drawn } = await outputs(3);
  dispatchEvent(new Event("beforeprint"));
  await vi.advanceTimersByTimeAsync(10);
  expect(drawn).toEqual([0, 1, 2]);
  const gone = await outputs(2);
  gone.end.abort();
  await vi.advanceTimersByTimeAsync(10);
  expect([gone.drawn, watched.size]).toEqual([[0, 1], 0]);
});

test("a browser that cannot tell what is in sight draws all at once", async () => {
  vi.stubGlobal("IntersectionObserver", undefined);
  const { drawn } = await outputs(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(drawn).toEqual([0, 1, 2]);
});
