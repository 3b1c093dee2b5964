import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Frames, MOST_FRAMES, type Standing } from "./frames";

/** Tells what the test says is in sight. */
class FakeWatcher {
  static newest: FakeWatcher;
  readonly seen = new Set<Element>();
  constructor(readonly heard: IntersectionObserverCallback) {
    FakeWatcher.newest = this;
  }
  observe(el: Element): void {
    this.seen.add(el);
  }
  unobserve(el: Element): void {
    this.seen.delete(el);
  }
  tell(places: Element[], isIntersecting: boolean): void {
    const entries = places.map((target) => ({ target, isIntersecting }));
    this.heard(entries as never, this as never); // the rest of an entry is not read
  }
}

beforeEach(() => vi.stubGlobal("IntersectionObserver", FakeWatcher));
afterEach(() => vi.unstubAllGlobals());

function places(count: number) {
  const frames = new Frames();
  const standings = new Map<Element, Standing>();
  const ends = Array.from({ length: count }, () => {
    const el = document.createElement("div");
    const end = new AbortController();
    standings.set(el, "away");
    frames.watch(el, (now) => standings.set(el, now), end.signal);
    return { el, end };
  });
  const els = ends.map(({ el }) => el);
  const drawn = () => els.filter((el) => standings.get(el) === "drawn");
  return { ends, els, drawn, standings, tell: FakeWatcher.newest.tell.bind(FakeWatcher.newest) };
}

test("nothing is drawn that is not in sight", () => {
  const { drawn, els, tell } = places(3);
  expect(drawn()).toEqual([]);
  tell([els[1] as Element], true);
  expect(drawn()).toEqual([els[1]]);
  tell([els[1] as Element], false);
  expect(drawn()).toEqual([]);
});

test("whatever comes and goes, no more than a few are drawn, and none waits in vain", () => {
  const { drawn, els, tell, standings } = places(60);
  let seed = 7;
  const inSight = new Set<Element>();
  for (let turn = 0; turn < 500; turn++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    const el = els[seed % els.length] as Element;
    const comes = (seed >> 8) % 3 > 0;
    tell([el], comes);
    if (comes) inSight.add(el);
    else inSight.delete(el);
    expect(drawn()).toHaveLength(Math.min(inSight.size, MOST_FRAMES));
    for (const one of els)
      expect(standings.get(one) === "away", "away is what is out of sight").toBe(!inSight.has(one));
  }
});

test("the place of one that is gone is taken by one that waits", () => {
  const { drawn, els, ends, tell, standings } = places(MOST_FRAMES + 1);
  tell(els, true);
  const last = els[MOST_FRAMES] as Element;
  expect(standings.get(last)).toBe("waiting");
  ends[0]?.end.abort();
  expect(drawn()).toContain(last);
  expect(FakeWatcher.newest.seen.has(els[0] as Element)).toBe(false);
});

test("where nothing tells what is in sight, everything counts as seen", () => {
  vi.stubGlobal("IntersectionObserver", undefined);
  const told: Standing[] = [];
  new Frames().watch(
    document.createElement("div"),
    (now) => told.push(now),
    new AbortController().signal,
  );
  expect(told).toEqual(["drawn"]);
});
