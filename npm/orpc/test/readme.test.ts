import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { OrpcAgentManifest } from "@agent-surface/orpc";
import { rolldown } from "rolldown";
import { expect, it } from "vitest";
import { checkSnippets, writeFiles } from "../../../tests/docs/snippets.js";
import { linkPackages, scratch } from "../../../tests/fixtures/apps.js";

const README = "npm/orpc/README.md";

it("every snippet compiles", () => {
  const files = { "src/agent/manifest.json": '{ "tools": {} }' };
  expect(() => checkSnippets(README, { files })).not.toThrow();
});

it("the script writes the manifest of the router that is shown, and nothing of what it does not expose", async () => {
  const folder = scratch();
  linkPackages(folder);
  writeFiles(README, folder);
  mkdirSync(join(folder, "src/agent"), { recursive: true });
  const build = await rolldown({
    cwd: folder,
    input: "scripts/agent-manifest.ts",
    external: /^[^./]/,
    platform: "node",
  });
  await build.write({ dir: join(folder, "out"), format: "esm", entryFileNames: "[name].mjs" });
  await build.close();
  const before = process.cwd();
  process.chdir(folder);
  try {
    await import(pathToFileURL(join(folder, "out/agent-manifest.mjs")).href);
  } finally {
    process.chdir(before);
  }
  const { tools } = JSON.parse(
    readFileSync(join(folder, "src/agent/manifest.json"), "utf8"),
  ) as OrpcAgentManifest;
  expect(Object.keys(tools)).toEqual(["devices.disable", "devices.list"]);
  expect(tools["devices.disable"]).toMatchObject({
    description: "Disable the given devices",
    effect: "destructive",
    inputSchema: { required: ["deviceIds"], additionalProperties: false },
  });
  expect(tools["devices.list"]).toMatchObject({ effect: "server-query" });
});
