import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { exact, plain, visible, visibleName } from "./visible-text";

interface Fixture {
  texts: { what: string; text: string; visible: string; exact: string; plain: string }[];
  names: { what: string; name: string; shown: string }[];
}

const FILE = path.join(import.meta.dirname, "../../tests/fixtures/visible.json");
const { texts, names }: Fixture = JSON.parse(fs.readFileSync(FILE, "utf8"));

describe("both languages write out the same", () => {
  test.each(texts)("$what", ({ text, ...written }) => {
    expect(visible(text)).toBe(written.visible);
    expect(exact(text)).toBe(written.exact);
    expect(plain(text)).toBe(written.plain);
  });

  test.each(names)("in a name, $what", ({ name, shown }) => {
    expect(visibleName(name)).toBe(shown);
  });
});

/** Every code point. */
const EVERY = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
const HIDES = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}\p{NChar}\u2800\u3164\uffa0]$/u;

test("all that acts unseen or looks blank is written out between letters", () => {
  const hides = EVERY.filter((one) => HIDES.test(one) && one !== "\t" && one !== "\n");
  expect(hides.length).toBeGreaterThan(140_000);
  expect(hides.filter((one) => visible(`a${one}b`).includes(one))).toEqual([]);
});

test("a value shows each space that is none", () => {
  const spaces = EVERY.filter((one) => /\p{Zs}/u.test(one) && one !== " ");
  expect(spaces.filter((one) => exact(`a${one}b`).includes(one))).toEqual([]);
});

test("a mark with nothing to stand on is written out", () => {
  const marks = EVERY.filter((one) => /[\p{Mn}\p{Me}]/u.test(one));
  expect(
    marks.filter((one) => visible(one).includes(one) || visible(`"${one}`).includes(one)),
  ).toEqual([]);
});
