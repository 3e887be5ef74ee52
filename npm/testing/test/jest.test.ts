import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { linkPackages, scratch, workspace } from "../../../tests/fixtures/apps.js";

/** Runs the tests in `jest/` as an app with Jest would: as modules, with the packages as they are published. */
async function prepare() {
  const folder = scratch();
  linkPackages(folder);
  await build({
    entryPoints: ["surface.jest.ts", "globals.jest.ts", "page.jest.tsx"].map((name) =>
      fileURLToPath(new URL(`jest/${name}`, import.meta.url)),
    ),
    outdir: folder,
    outExtension: { ".js": ".test.mjs" },
    bundle: true,
    packages: "external",
    jsx: "automatic",
    format: "esm",
    platform: "node",
  });
  const config = {
    rootDir: folder,
    testMatch: ["**/*.test.mjs"],
    testEnvironment: "node",
    // What Jest does with a document that a test has made ends in a loop.
    testEnvironmentOptions: { globalsCleanup: "off" },
    transform: {},
  };
  writeFileSync(join(folder, "jest.config.json"), JSON.stringify(config));
  return {
    folder,
    run: (env: Record<string, string> = {}) => {
      const { NODE_OPTIONS: _, ...inherited } = process.env;
      const { status, stderr } = spawnSync(
        process.execPath,
        [
          "--experimental-vm-modules",
          workspace("node_modules/jest/bin/jest.js"),
          "--config=jest.config.json",
          "--colors=false",
          "--watchman=false",
          "--ci=false",
        ],
        { cwd: folder, encoding: "utf8", env: { ...inherited, ...env } },
      );
      return { status, stderr };
    },
  };
}

it("the harness, the matchers, snapshots and fake timers work in Jest", async () => {
  const { folder, run } = await prepare();
  const first = run();
  expect(first.stderr).toContain("Tests:       7 passed, 7 total");
  expect(first.stderr).toContain("2 snapshots written");
  expect(first.status).toBe(0);
  const file = readFileSync(join(folder, "__snapshots__/surface.jest.test.mjs.snap"), "utf8");
  expect(file).toContain('"registrationId": "<reg#1>"');
  expect(file).not.toMatch(/reg_|srf_/);

  const again = run();
  expect(again.stderr).toContain("Snapshots:   2 passed, 2 total");

  const changed = run({ ANOTHER: "1" });
  expect(changed.status).toBe(1);
  expect(changed.stderr).toContain("Tests:       1 failed, 6 passed, 7 total");
  expect(changed.stderr).toContain("the surface is not that of snapshot");
  expect(changed.stderr).toContain('+       "description": "A safe"');
});
