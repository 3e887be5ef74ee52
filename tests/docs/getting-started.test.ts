import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { expect, it } from "vitest";
import { linkPackages, scratch, workspace } from "../fixtures/apps.js";
import { checkSnippets, writeFiles } from "./snippets.js";

const PAGE = "docs/getting-started.md";

/** What `npm create vite` writes, and the page takes for granted. */
const TEMPLATE = {
  "index.html": '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
  "package.json": JSON.stringify({ name: "counter", private: true, type: "module" }),
  "tsconfig.json": JSON.stringify({ compilerOptions: { jsx: "react-jsx" } }),
};

it("every snippet compiles", () => {
  expect(() => checkSnippets(PAGE, { given: '/// <reference types="vite/client" />' })).not.toThrow();
});

it("an app of the page's files builds with the contract it promises, passes its test, and is checked", () => {
  const app = scratch();
  linkPackages(app);
  writeFiles(PAGE, app);
  for (const [name, text] of Object.entries(TEMPLATE)) writeFileSync(join(app, name), text);
  /** Runs a program of the checkout in the app. */
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [workspace(program), ...args], {
      cwd: app,
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: undefined, VITEST: undefined },
    });
    return { status, output: stdout + stderr };
  };

  expect(run("node_modules/vite/bin/vite.js", "build")).toMatchObject({ status: 0 });
  const contract = readFileSync(join(app, "dist/agent-surface.contract.json"), "utf8");
  const { capabilities, completeness } = JSON.parse(contract) as CapabilityContractManifest;
  expect(capabilities.map(({ capabilityId, confirmation }) => [capabilityId, confirmation])).toEqual([
    ["view:demo.counter.increment", undefined],
    ["view:demo.counter.reset", "required"],
    ["view:demo.counter.value", undefined],
  ]);
  expect(completeness).toEqual({ status: "proven" });

  expect(run("node_modules/vitest/vitest.mjs", "run")).toMatchObject({ status: 0 });

  const cli = "npm/cli/bin/agent-surface.js";
  expect(run(cli, "check").status).not.toBe(0);
  expect(run(cli, "snapshot")).toMatchObject({ status: 0 });
  expect(run(cli, "check")).toMatchObject({ status: 0 });
});
