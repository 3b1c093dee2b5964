import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JsonValue } from "../tree";
import { BUDGET_MS, type Drawer, type FromWorker, StillFrame } from "./still-picture";

/** A worker that says what the test tells it to. */
class FakeWorker implements Drawer {
  static all: FakeWorker[] = [];
  asked: JsonValue[] = [];
  isEnded = false;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;
  constructor() {
    FakeWorker.all.push(this);
  }
  postMessage(value: JsonValue): void {
    this.asked.push(value);
  }
  terminate(): void {
    this.isEnded = true;
  }
  say(data: FromWorker): void {
    this.onmessage?.(new MessageEvent("message", { data }));
  }
}

let el: HTMLElement;
let end: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.all = [];
  el = document.body.appendChild(document.createElement("div"));
  end = new AbortController();
});

afterEach(async () => {
  for (const one of FakeWorker.all) one.say({ problem: "over" });
  await vi.advanceTimersByTimeAsync(BUDGET_MS);
  el.remove();
  vi.useRealTimers();
});

const frame = (value: JsonValue = "a") =>
  new StillFrame(el, value, end.signal, () => new FakeWorker());
const turn = () => vi.advanceTimersByTimeAsync(0);
const words = () => el.querySelector("figcaption")?.textContent;

test("it is drawn by a worker, as a picture in which nothing acts, and the worker is ended", async () => {
  const { drawn } = frame("a chart");
  await turn();
  const worker = FakeWorker.all[0];
  expect(worker?.asked).toEqual([]); // it is not given before it hears
  worker?.say({ ready: true });
  expect(worker?.asked).toEqual(["a chart"]);
  worker?.say({ svg: "<svg/>", name: "Rain" });
  await drawn;
  const image = el.querySelector("img");
  expect(image?.getAttribute("src")).toBe("data:image/svg+xml,%3Csvg%2F%3E");
  expect(image?.alt).toBe("Chart: Rain");
  expect(words()).toContain("not trusted");
  expect(worker?.isEnded).toBe(true);
});

test("one that takes too long is ended, said, and the next one has its turn", async () => {
  frame("endless");
  frame("next");
  await turn();
  expect(FakeWorker.all).toHaveLength(1);
  FakeWorker.all[0]?.say({ ready: true });
  await vi.advanceTimersByTimeAsync(BUDGET_MS);
  expect(FakeWorker.all[0]?.isEnded).toBe(true);
  expect(words()).toContain(`not drawn within ${BUDGET_MS / 1000} s`);
  expect(FakeWorker.all).toHaveLength(2);
});

test("a slow start is no fault of the chart's", async () => {
  frame();
  await vi.advanceTimersByTimeAsync(10 * BUDGET_MS);
  expect(FakeWorker.all[0]?.isEnded).toBe(false);
});

test.each<[string, FromWorker, string]>([
  ["a problem", { problem: "no mark" }, "no mark"],
  ["a drawing that is too large", { svg: "x".repeat(2_000_001), name: "" }, "2,000,001 characters"],
])("%s is said", async (_, said, expected) => {
  const { drawn } = frame();
  await turn();
  FakeWorker.all[0]?.say({ ready: true });
  FakeWorker.all[0]?.say(said);
  await drawn;
  expect(words()).toContain(expected);
  expect(el.querySelector("img")).toBeNull();
});

test("of one that is gone nothing is drawn any more", async () => {
  const { drawn } = frame();
  end.abort();
  await drawn;
  expect(FakeWorker.all).toEqual([]);
  expect(el.textContent).toBe("");
});
