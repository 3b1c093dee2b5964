import { expect, test } from "vitest";
import { Sample } from "../sample-events";
import { EventFeed } from "./feed";

const { events } = new Sample().start().tool("c1").ended("c1").said("Hello");

function batch(from: number, to: number) {
  return { type: "events" as const, from, events: events.slice(from, to), idle_ms: 0 };
}

test("what comes in order is all new", () => {
  const feed = new EventFeed();
  expect(feed.accept(batch(0, 2))).toEqual(events.slice(0, 2));
  expect(feed.accept(batch(2, 4))).toEqual(events.slice(2, 4));
});

test("what came before is not new again", () => {
  const feed = new EventFeed();
  feed.accept(batch(0, 3));
  expect(feed.accept(batch(1, 4))).toEqual(events.slice(3, 4));
  expect(feed.accept(batch(0, 2))).toEqual([]);
  expect(feed.next).toBe(4);
});

test("a gap is seen, also by an empty batch, and nothing is taken from behind it", () => {
  const feed = new EventFeed();
  feed.accept(batch(0, 1));
  expect(feed.accept(batch(2, 4))).toBeNull();
  expect(feed.accept(batch(2, 2))).toBeNull();
  expect(feed.next).toBe(1);
});
