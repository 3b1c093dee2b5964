import { describe, expect, test } from "vitest";
import { shown, written } from "./terminal";

/** All texts of up to six of these characters. */
function texts(): string[] {
  let longest = [""];
  const all = [""];
  for (let size = 1; size <= 6; size++) {
    longest = longest.flatMap((text) => ["a", "b", "\r", "\n"].map((one) => text + one));
    all.push(...longest);
  }
  return all;
}

/** What a terminal shows that moves its cursor character by character. */
function terminal(text: string): string {
  const lines: string[][] = [[]];
  let column = 0;
  for (const character of text) {
    const line = lines.at(-1) ?? [];
    if (character === "\n") lines.push([]);
    else if (character !== "\r") line[column] = character;
    column = character === "\n" || character === "\r" ? 0 : column + 1;
  }
  return lines.map((line) => line.join("")).join("\n");
}

describe("what follows a carriage return overwrites what stands before it", () => {
  test.each([
    ["10 %\r20 %", "20 %"],
    ["10 %\r", "10 %"],
    ["one\r\ntwo\r\r\n", "one\ntwo\n"],
    ["[ ] load\r[x]", "[x] load"],
    ["🌍🌍\r🌍a", "🌍a"],
    ["a\n10 %\r20 %\r\nb\r", "a\n20 %\nb"],
  ])("%j", (text, said) => {
    expect(shown(text)).toBe(said);
  });

  test("in any short text, as in a terminal", () => {
    expect(texts().filter((text) => shown(text) !== terminal(text))).toEqual([]);
  });
});

test("however a text is cut, the same is kept", () => {
  const isSame = (text: string) => {
    const whole = written("", text);
    const cuts = Array.from(text, (_, at) =>
      written(written("", text.slice(0, at)), text.slice(at)),
    );
    return [written("", whole), ...cuts].every((one) => one === whole);
  };
  expect(texts().filter((text) => !isSame(text))).toEqual([]);
});
