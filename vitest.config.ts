import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Of the checkout. */
const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Projects are what cannot run as one: `node` runs anywhere; `react18` is what of it has to do with React, over the
 * oldest one that is supported; `browser` needs a Chromium (tests/browser drives one through playwright-core;
 * `cargo xtask test browser` says which); `devices` is an app with tests of its own, by its own config.
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
        resolve: {
          alias: {
            react: path("tests/react18/node_modules/react"),
            "react-dom": path("tests/react18/node_modules/react-dom"),
            // Its other form would require React, and what is required has no alias.
            "@testing-library/react": path(
              "node_modules/@testing-library/react/dist/@testing-library/react.esm.js",
            ),
          },
        },
        test: {
          name: "react18",
          environment: "jsdom",
          include: ["npm/{react,testing,orpc}/test/**/*.test.tsx"],
          exclude: ["**/*.react19.test.tsx"],
          // What is not inlined is imported by Node, which knows of no alias.
          server: { deps: { inline: ["@testing-library/react"] } },
        },
      },
      {
        extends: path("fixtures/devices/vite.config.ts"),
        root: path("fixtures/devices"),
        test: {
          name: "devices",
          environment: "jsdom",
          include: ["test/**/*.test.tsx"],
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
