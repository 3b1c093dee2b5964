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

  test("nothing in them is fetched from elsewhere", () => {
    for (const { code } of built.values()) {
      const text = code.toString("utf8");
      expect(text).not.toMatch(/\bimport\s*\(\s*["'`]https?:/);
      expect(text).not.toMatch(/\bfrom\s*["']https?:/);
      expect(text).not.toMatch(/@import\s+(url\()?["']?https?:/);
    }
  });
});
