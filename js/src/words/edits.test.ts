import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { EditNode } from "../tree";
import { editInWords } from "./edits";

const url = new URL("../../../tests/fixtures/edits.json", import.meta.url);
const cases: { edit: EditNode; words: string }[] = JSON.parse(readFileSync(url, "utf8"));

test.each(cases)("$words", ({ edit, words }) => {
  expect(editInWords(edit)).toBe(words);
});
