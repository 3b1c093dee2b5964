/**
 * Two projects: what only computes runs in node, what draws runs in a document.
 *
 * A worker keeps its modules and its document from one file to the next: making them anew for each
 * took two thirds of the time. A test is ended only where it hangs: machines may be busy.
 */
import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
    isolate: false,
    pool: "threads",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: "node", environment: "node", include: ["src/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "view",
          environment: "jsdom",
          include: ["src/**/*.test.tsx"],
          setupFiles: ["vitest.frames.ts", "src/run-view/late/parts-here.ts"],
        },
      },
    ],
  },
});
