import fs from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { bundles, excess, MODULES } from "../build.mjs";

describe("the bundles", () => {
  let built: Awaited<ReturnType<typeof bundles>>;

  beforeAll(async () => {
    built = await bundles();
  });

  test.each(Object.keys(MODULES))("%s is what its source builds", (name) => {
    const module = built.get(name);
    const committed = module ? fs.readFileSync(module.file) : Buffer.from("");
    expect(module?.code.equals(committed), "Run: node js/build.mjs").toBe(true);
  });

  test.each(Object.keys(MODULES))("%s is no larger than it may be", (name) => {
    expect(excess(built.get(name))).toEqual([]);
  });

  test("building again gives the same bytes", async () => {
    const again = await bundles();
    for (const [name, { code }] of built) expect(again.get(name)?.code.equals(code)).toBe(true);
  });

  describe("of the run view and what it lends", () => {
    const holds = (module: string, file: string) =>
      built
        .get(module)
        ?.sources.some((one: string) => one.replace(/\.tsx?$/, "") === `src/${file}`);

    test.each([
      "run-view/answers/ask",
      "run-view/answers/editor",
      "run-view/answers/external",
      "run-view/forms/fields",
      "run-view/seen/seen-view",
      "media/player",
      "renderers/code",
      "renderers/json-tree",
      "renderers/diff",
      "renderers/html-frame",
      "renderers/log",
    ])("%s comes late", (file) => {
      expect([holds("run-view", file), holds("run-parts", file)]).toEqual([false, true]);
    });

    test("a table is a module of its own", () => {
      const holders = ["run-view", "run-parts", "table"];
      expect(holders.map((name) => holds(name, "table/grid/grid"))).toEqual([false, false, true]);
    });

    test.each(["run-view/answers/form", "page/fold-box", "texts/texts", "words/words"])(
      "%s is there once",
      (file) => {
        expect([holds("run-view", file), holds("run-parts", file)]).toEqual([true, false]);
      },
    );
  });

  test("nothing in them is fetched from elsewhere", () => {
    for (const { code } of built.values()) {
      const text = code.toString("utf8");
      expect(text).not.toMatch(/\bimport\s*\(\s*["'`]https?:/);
      expect(text).not.toMatch(/\bfrom\s*["']https?:/);
      expect(text).not.toMatch(/@import\s+(url\()?["']?https?:/);
    }
  });
});
