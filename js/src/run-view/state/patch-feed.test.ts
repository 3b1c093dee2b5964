import { expect, test } from "vitest";
import { Sample } from "../../sample-run";
import { PatchFeed } from "./patch-feed";

const patches = new Sample().start().events.flat();

function batch(from: number, to: number) {
  return { type: "patches" as const, from, patches: patches.slice(from, to), idle_ms: 0 };
}

/** A part of what comes to the same as the first `from` patches. */
function part(from: number, at: number, to: number) {
  return { ...batch(at, to), from, part: { at, of: 4 } };
}

test("what comes in order is all new", () => {
  const feed = new PatchFeed();
  expect(feed.accept(batch(0, 2), false)?.patches).toEqual(patches.slice(0, 2));
  expect(feed.accept(batch(2, 4), false)?.patches).toEqual(patches.slice(2, 4));
});

test("what came before is not new again", () => {
  const feed = new PatchFeed();
  feed.accept(batch(0, 3), false);
  expect(feed.accept(batch(1, 4), false)?.patches).toEqual(patches.slice(3, 4));
  expect(feed.accept(batch(0, 2), false)?.patches).toEqual([]);
  expect(feed.next).toBe(4);
});

test("a gap is seen, also by an empty batch, and nothing is taken from behind it", () => {
  const feed = new PatchFeed();
  feed.accept(batch(0, 1), false);
  expect(feed.accept(batch(2, 4), false)).toBeNull();
  expect(feed.accept(batch(2, 2), false)).toBeNull();
  expect(feed.next).toBe(1);
});

test("a page that asked takes the whole when all parts of it are there, and goes on from it", () => {
  const feed = new PatchFeed();
  expect(feed.accept(part(90, 0, 3), true)?.patches).toEqual([]);
  expect(feed.next).toBe(0);
  expect(feed.accept(part(90, 3, 4), true)).toEqual({ patches, isWhole: true });
  expect(feed.next).toBe(90);
  expect(feed.accept({ ...batch(0, 1), from: 90 }, false)?.patches).toHaveLength(1);
});

test("of a whole that lacks a part nothing is taken, and it may come again", () => {
  const feed = new PatchFeed();
  feed.accept(part(90, 0, 1), true);
  expect(feed.accept(part(90, 3, 4), true)?.patches).toEqual([]);
  expect(feed.next).toBe(0);
  feed.accept(part(95, 0, 2), true);
  expect(feed.accept(part(95, 2, 4), true)).toEqual({ patches, isWhole: true });
});

test("the whole that another page asked for is left alone", () => {
  const feed = new PatchFeed();
  feed.accept(batch(0, 3), false);
  expect(feed.accept(part(90, 0, 4), false)?.patches).toEqual([]);
  expect(feed.next).toBe(3);
});
