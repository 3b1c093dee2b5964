import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const CSS = fs.readFileSync(path.join(import.meta.dirname, "prose.css"), "utf8");
const COLOURS = [...CSS.matchAll(/(--nba-hl-\w+): light-dark\((#\w{6}), (#\w{6})\)/g)].map(
  ([, name = "", light = "", dark = ""]) => ({ name, light, dark }),
);
/** Behind code: JupyterLab's, VS Code's and our own page, a little towards the colour of its text. */
const BEHIND = { light: ["#f5f5f5", "#f3f3f3"], dark: ["#2b2b2b", "#1b1b1d", "#29292c"] };
const LEAST = 4.5; // WCAG 2.2, 1.4.3

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test("the colours of code are there", () => {
  expect(COLOURS.map(({ name }) => name.slice("--nba-hl-".length)).sort()).toEqual(
    ["attribute", "comment", "keyword", "meta", "name", "number", "string"].sort(),
  );
});

test.each(COLOURS)("$name can be read", ({ light, dark }) => {
  for (const behind of BEHIND.light) expect(contrast(light, behind)).toBeGreaterThanOrEqual(LEAST);
  for (const behind of BEHIND.dark) expect(contrast(dark, behind)).toBeGreaterThanOrEqual(LEAST);
});
