/** What a handler gets: the value that its schema's validator made of what the agent sent. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import type {
  createAgentSurfaceRegistry,
  AgentComponentContract,
  CapabilityAuthority,
  JsonValue,
} from "@agent-surface/core";
import { authorityEntry, bundle, copyFixture, scratch, VITE_8 } from "../fixtures/apps.js";

afterEach(() => vi.unstubAllGlobals());

interface Chunk {
  /** The core that is in the bundle: its authorities mean nothing to another. */
  createAgentSurfaceRegistry: typeof createAgentSurfaceRegistry;
  authority: CapabilityAuthority;
  contract: AgentComponentContract<never, never>;
}

/** Builds a module of an app that exports its contract, and loads it. */
async function load(app: string, contract: string): Promise<Chunk> {
  const root = copyFixture(app, "app");
  writeFileSync(
    join(root, "src/surface.ts"),
    `export { createAgentSurfaceRegistry } from "@agent-surface/core";
     export { default as authority } from "virtual:agent-surface-contract";
     export { ${contract} as contract } from "./contracts";`,
  );
  const files = await bundle(VITE_8, root, {
    plugins: [authorityEntry()],
    build: {
      rollupOptions: {
        input: join(root, "src/surface.ts"),
        preserveEntrySignatures: "strict",
        output: { entryFileNames: "surface.js" },
      },
    },
  });
  const folder = scratch();
  for (const { fileName, text } of [{ fileName: "package.json", text: '{ "type": "module" }' }, ...files]) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true });
    writeFileSync(join(folder, fileName), text);
  }
  // What people read depends on the page that the app is in.
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  return (await import(pathToFileURL(join(folder, "surface.js")).href)) as Chunk;
}

/** Binds a contract with one handler that notes what it gets; the others do nothing. */
async function invoke(app: string, name: string, input: JsonValue) {
  const { contract, authority, ...core } = await load(app, name);
  const got: unknown[] = [];
  const named = (kind: string) =>
    authority.manifest.capabilities
      .filter((entry) => entry.kind === kind)
      .map(({ capabilityId }) => capabilityId.replace(/^.*\./, ""));
  const bindings = {
    observations: Object.fromEntries(named("observation").map((it) => [it, { read: () => null }])),
    actions: Object.fromEntries(
      named("action").map((it) => [it, { execute: (given: unknown) => (got.push(given), given) }]),
    ),
  };
  const registry = core.createAgentSurfaceRegistry({ authority });
  registry.register((contract.bind as (bindings: object) => never)(bindings));
  const { capabilityId } = authority.manifest.capabilities.find((it) =>
    it.capabilityId.endsWith(".selectRows"),
  ) ?? { capabilityId: "none" };
  const result = await registry.invoke({ capabilityId, input });
  return { got, result };
}

it.each([
  ["zod", "deviceTable", { ids: ["a"], mode: "replace" }],
  ["valibot", "player", { ids: ["a"], mode: "replace" }],
  ["arktype", "sheet", { ids: ["a"], mode: "replace" }],
  // A JSON Schema's default is for the agent to read: no validator fills it in.
  ["typebox", "lamps", { ids: ["a"] }],
])("a handler of %s gets the parsed value", async (app, contract, expected) => {
  const { got, result } = await invoke(app, contract, { ids: ["a"] });
  expect(result).toMatchObject({ status: "ok" });
  expect(got).toEqual([expected]);
});

it.each([
  ["zod", "deviceTable"],
  ["valibot", "player"],
  ["arktype", "sheet"],
  ["typebox", "lamps"],
])("a handler of %s never sees what its schema refuses", async (app, contract) => {
  const { got, result } = await invoke(app, contract, { ids: [], mode: "replace" });
  expect(result).toMatchObject({ status: "error", error: { code: "INVALID_INPUT" } });
  expect(got).toEqual([]);
});
