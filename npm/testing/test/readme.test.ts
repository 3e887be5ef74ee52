import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkSnippets, writeFiles } from "../../../tests/docs/snippets.js";
import { workspace } from "../../../tests/fixtures/apps.js";

const README = "npm/testing/README.md";

/** The component that the page tests. */
const DEVICES = `
import { actionContract, defineAgentComponentContract, emptyObjectSchema, fromJsonSchema, observationContract } from "@agent-surface/core";
import { useAgentComponent } from "@agent-surface/react";
import { useState } from "react";

const ids = fromJsonSchema<string[]>({ type: "array", items: { type: "string" } });

const devicesContract = defineAgentComponentContract({
  type: "devices.table",
  description: "Devices",
  observations: {
    readState: observationContract({
      description: "What is selected",
      output: fromJsonSchema<{ selected: string[] }>({ type: "object" }),
    }),
  },
  actions: {
    select: actionContract({ description: "Select devices", input: ids, effect: "local-state" }),
    clear: actionContract({ description: "Select none", input: emptyObjectSchema, effect: "local-state" }),
    wipe: actionContract({ description: "Forget devices", input: ids, effect: "local-state", confirmation: "required" }),
  },
});

export function Devices() {
  const [selected, setSelected] = useState<string[]>([]);
  useAgentComponent(devicesContract, {
    observations: { readState: { read: () => ({ selected }) } },
    actions: {
      select: { execute: setSelected },
      clear: {
        when: () => selected.length > 0,
        unavailableReason: "Nothing is selected",
        execute: () => setSelected([]),
      },
      wipe: { execute: () => setSelected([]) },
    },
  });
  return null;
}
`;

/** What the setup file brings, for the compiler. */
const SETUP = 'import "@agent-surface/testing/vitest";';

it("every snippet compiles", () => {
  const files = { "src/Devices.tsx": DEVICES, "src/setup.ts": SETUP };
  expect(() => checkSnippets(README, { files })).not.toThrow();
});

it("the tests that the page shows pass in Vitest, with the contract that the plugin proves", () => {
  // In the checkout: Vitest takes setup files of the workspace only.
  mkdirSync(workspace("target"), { recursive: true });
  const app = mkdtempSync(workspace("target/testing-page-"));
  onTestFinished(() => rmSync(app, { recursive: true, force: true }));
  writeFiles(README, app);
  const files = {
    "src/Devices.tsx": DEVICES,
    "src/main.tsx": 'import "virtual:agent-surface-contract"; import "./Devices";',
    "index.html": '<script type="module" src="/src/main.tsx"></script>',
    "package.json": '{ "type": "module" }',
    "tsconfig.json": '{ "compilerOptions": { "jsx": "react-jsx" } }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(app, name), text);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    // In CI no snapshot is written without being told to.
    [workspace("node_modules/vitest/vitest.mjs"), "run", "--update"],
    {
      cwd: app,
      encoding: "utf8",
      env: { ...process.env, NODE_ENV: undefined, VITEST: undefined, FORCE_COLOR: undefined, NO_COLOR: "1" },
    },
  );
  expect(stdout + stderr).toContain("Tests  5 passed (5)");
  expect(status).toBe(0);
});
