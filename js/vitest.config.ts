/** Two projects: what only computes runs in node, what draws runs in a document. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  test: {
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
          setupFiles: ["src/run-view/parts-here.ts"],
        },
      },
    ],
  },
});
