import { defineConfig } from "vitest/config";

/**
 * Two projects, because they need different machines: `node` runs anywhere, `browser` needs a Chromium
 * (tests/browser drives one through playwright-core; `cargo xtask test browser` says which).
 * The packages are tested as they are published: their `dist` is built before any suite starts.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          environment: "node",
          include: [
            "npm/*/src/**/*.test.{ts,tsx}",
            "npm/*/test/**/*.test.{ts,tsx}",
            "tests/**/*.test.{ts,tsx}",
          ],
          exclude: ["**/node_modules/**", "**/dist/**", "tests/browser/**"],
          // One case is often a whole production build, and CI has two cores.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "browser",
          environment: "node",
          include: ["tests/browser/**/*.test.ts"],
          globalSetup: "tests/browser/harness/chromium.ts",
          testTimeout: 60_000,
        },
      },
    ],
  },
});
