import { describe, expect, test } from "vitest";
import type { JsonValue, Payload } from "../../tree";
import { shownOf } from "./payload";

function payload(kind: string, value: JsonValue): Payload {
  return { kind, version: 1, audience: "timeline", value };
}

function shown(kind: string, value: JsonValue) {
  return shownOf(payload(kind, value));
}

function displayed(data: JsonValue, metadata: JsonValue = {}) {
  return shown("mime", { data, metadata });
}

describe("images", () => {
  test.each(["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"])(
    "one of type %s is the source of an <img>",
    (media_type) => {
      expect(shown("image", { media_type, data: "AAAA", width: 240, alt: "A\nplot" })).toEqual({
        type: "image",
        src: `data:${media_type};base64,AAAA`,
        alt: "A plot",
        width: 240,
      });
    },
  );

  test.each([
    ["another type", { media_type: "text/html", data: "AAAA" }],
    ["a type with more behind it", { media_type: "image/png,<b>", data: "AAAA" }],
    ["no data", { media_type: "image/png" }],
    ["data that is no text", { media_type: "image/png", data: 1 }],
  ])("with %s it stays JSON", (_what, value) => {
    expect(shown("image", value)).toBeNull();
  });
});

describe("files", () => {
  test("are named, and offered without a type that a browser would open", () => {
    const file = { name: "a.html", media_type: "text/html", size: 45_230, data: "AAAA" };
    expect(shown("file", file)).toEqual({
      type: "file",
      name: "a.html",
      about: "text/html, 45.2 kB",
      href: "data:application/octet-stream;base64,AAAA",
    });
    expect(shown("file", { name: "a.html" })).toMatchObject({ about: "", href: null });
  });

  test("that can be played are, with their own type and no other", () => {
    const file = { name: "a.wav", media_type: "audio/wav", size: 45_230, data: "AAAA" };
    expect(shown("file", file)).toMatchObject({
      type: "media",
      src: "data:audio/wav;base64,AAAA",
      href: "data:application/octet-stream;base64,AAAA",
    });
    expect(shown("file", { ...file, media_type: "video/mp4" })).toMatchObject({ type: "media" });
    for (const media_type of ["video/html", "audio/wav,<script>", "text/html", "audio/midi"])
      expect(shown("file", { ...file, media_type })).toMatchObject({ type: "file" });
    const { data: _, ...named } = file;
    expect(shown("file", named)).toMatchObject({ type: "file", href: null }); // too large to send
  });
});

describe("a captured display", () => {
  test("is its picture where it has one", () => {
    const data = { "text/html": "<b>", "text/plain": ["<Figure>"], "image/png": ["AA\n", "AA"] };
    expect(displayed(data, { "image/png": { width: 300 } })).toEqual({
      type: "image",
      src: "data:image/png;base64,AA\nAA",
      alt: "<Figure>",
      width: 300,
    });
  });

  test("that is a drawing is the source of an <img>, never part of the page", () => {
    const image = displayed({ "image/svg+xml": '<svg onload="x">#</svg>' });
    expect(image).toMatchObject({
      src: "data:image/svg+xml,%3Csvg%20onload%3D%22x%22%3E%23%3C%2Fsvg%3E",
    });
  });

  test("is prose, JSON or text, in this order", () => {
    const text = { "text/plain": "plain" };
    expect(displayed({ ...text, "text/markdown": "**a**" })).toEqual({
      type: "markdown",
      text: "**a**",
    });
    expect(displayed({ ...text, "application/json": { a: 1 } })).toEqual({
      type: "json",
      value: { a: 1 },
    });
    expect(displayed(text)).toEqual({ type: "text", text: "plain" });
  });

  test("of HTML is that, with its text beside it", () => {
    const said = { "text/html": "<b>1</b>", "text/plain": "[1]" };
    expect(displayed(said)).toEqual({ type: "html", text: "[1]", html: "<b>1</b>" });
    const silent = { ...said, "text/plain": "<IPython.core.display.HTML object>" };
    expect(displayed(silent)).toEqual({ type: "html", text: "", html: "<b>1</b>" });
  });

  test("says what of it was too large, whatever it is shown as", () => {
    const left_out = { "text/html": 5_000_000, "image/svg+xml": 300_000 };
    const leftOut = "Left out as too large: text/html (5.0 MB), image/svg+xml (300.0 kB)";
    expect(shown("mime", { data: { "text/plain": "Map" }, left_out })).toEqual({
      type: "text",
      text: "Map",
      leftOut,
    });
    expect(shown("mime", { data: { "text/markdown": "a" }, left_out })).toEqual({
      type: "markdown",
      text: "a",
      leftOut,
    });
    for (const odd of [null, "all", {}, { "text/html": "x" }]) {
      const text = { type: "text", text: "Map" };
      expect(shown("mime", { data: { "text/plain": "Map" }, left_out: odd })).toEqual(text);
    }
  });

  test("of nothing that is known stays JSON", () => {
    expect(displayed({ "application/x-other": "1" })).toBeNull();
    expect(shown("mime", { data: "text" })).toBeNull();
  });
});

test("what was too large is said with its size; half a picture is not shown as text", () => {
  const note = "2.9 MB of 3.1 MB left out";
  expect(shown("cut", { of: "rows", note, head: "[1, 2" })).toEqual({
    type: "cut",
    words: "rows · 2.9 MB of 3.1 MB left out",
    head: "[1, 2",
    isView: false,
  });
  expect(shown("cut", { of: "image", note, head: '{"data": "AA' })).toMatchObject({
    head: "",
    isView: true,
  });
});

test("an unknown kind stays JSON, also one that every object has", () => {
  expect(shown("rows", [1])).toBeNull();
  expect(shown("table", { columns: ["a"], rows: [[1]] })).toBeNull(); // has a view of its own
  expect(shown("constructor", { a: 1 })).toBeNull();
  expect(shown("image", "AAAA")).toBeNull();
});

test("a payload is read once, however often it is drawn", () => {
  const one = payload("file", { name: "a" });
  expect(shownOf(one)).toBe(shownOf(one));
});
