/**
 * The oracle over the fixtures: whatever app lies in that folder is built by its own config, its bundle is loaded, and the
 * definitions that its macros are called with are the manifest, field by field. That goes for the bundle as it
 * ships and for the same app without the plugin: what its author's code evaluates to all by itself.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { loadConfigFromFile, type InlineConfig, type Plugin, type PluginOption } from "vite";
import { describe, expect, it } from "vitest";
import { CONTRACT_FILE } from "@agent-surface/compiler";
import type { CapabilityContractEntry, CapabilityContractManifest } from "@agent-surface/core";
import {
  bundle,
  fileNamed,
  fixture,
  scratch,
  VITES,
  workspace,
  type OutputFile,
  type Vite,
} from "../fixtures/apps.js";
import { canonical, hashOf, rowsOf, type Call, type Row } from "./rows.js";

/** Apps that no manifest can be made of. */
const REFUSED = ["broken"];

/**
 * Apps whose schemas are made by a library. What its converter says when nobody names a side is another side than the
 * contract's for half of them; `tests/schemas` holds their schemas against the library.
 */
const WITH_LIBRARIES = ["zod", "valibot", "arktype", "typebox"];

/** Those of them that can't even be loaded without the compiler, and what their libraries say to a check. */
const NEEDING_THE_COMPILER: Record<string, string> = {
  valibot: 'The "check" action cannot be converted to JSON Schema',
  arktype: 'code: "predicate"',
};

/** Those that a server renders, too: what one of their graphs declares, both have in their manifest. */
const RENDERED = ["ssr"];

const APPS = readdirSync(workspace("fixtures"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !REFUSED.includes(entry.name))
  .map(({ name }) => name);

describe.each(VITES)("the manifest of an app that $name builds", (vite) => {
  it.each(APPS)("is what the macros of %s are called with as it ships", async (app) => {
    const files = await bundles(vite, app, { plugins: [recordMacros(), dropAnnotations()] });
    const manifest = JSON.parse(fileNamed(files.flat(), CONTRACT_FILE).text) as CapabilityContractManifest;
    expect(manifest.capabilities.length).toBeGreaterThan(0);

    const { calls, errors } = await loadAll(files);
    expect(errors).toEqual([]);
    const rows = calls.flatMap((call) => {
      const { proof } = call;
      if (proof === null) throw new Error(`a ${call.called} ships without a proof`);
      expect(proof.manifestHash).toBe(manifest.hash);
      return rowsOf(call).map((row) => ({
        ...row,
        contractHash: proof.contracts[row.capabilityId],
        declarationId: proof.declarationId,
        origin: proof.declarationId.split("#")[0],
        targets: manifest.targets,
      }));
    });
    expect(sorted(rows)).toEqual(sorted(manifest.capabilities));
    for (const entry of manifest.capabilities) expect(hashOf(entry)).toBe(entry.contractHash);
  });

  const loadable = APPS.filter((app) => !(app in NEEDING_THE_COMPILER));
  it.each(loadable)("is what the macros of %s are called with as it was written", async (app) => {
    const root = fixture(app);
    const files = await bundle(vite, root);
    const manifest = JSON.parse(fileNamed(files, CONTRACT_FILE).text) as CapabilityContractManifest;

    // Without proofs an app may not get to its end; what it declares, it declares while its modules are loaded.
    const { calls } = await loadAll(await bundlesWithoutCompiler(vite, app, manifest));
    const compared = WITH_LIBRARIES.includes(app) ? withoutSchemas : (row: Row) => row;
    const rows = manifest.capabilities.map((entry) => compared(withoutBuild(entry)));
    expect(sorted(calls.flatMap(rowsOf).map(compared))).toEqual(sorted(rows));
    for (const { definition, later } of calls) expect(later).toEqual(definition);
  });

  it.each(Object.entries(NEEDING_THE_COMPILER))(
    "is what %s can't be asked for without the compiler: its library refuses a check",
    async (app, refusal) => {
      const root = fixture(app);
      const manifest = JSON.parse(
        fileNamed(await bundle(vite, root), CONTRACT_FILE).text,
      ) as CapabilityContractManifest;
      const { errors } = await loadAll(await bundlesWithoutCompiler(vite, app, manifest));
      expect(errors.join()).toContain(refusal);
    },
  );
});

/** What the row says that only a build knows is left out. */
function withoutBuild(entry: CapabilityContractEntry): Row {
  const row: Partial<CapabilityContractEntry> = { ...entry };
  for (const field of ["contractHash", "declarationId", "origin", "targets"] as const) delete row[field];
  return row as Row;
}

function withoutSchemas(row: Row): Row {
  const rest = { ...row };
  delete rest.inputSchema;
  delete rest.outputSchema;
  return rest;
}

/** In an order that only depends on what they say, and each once: a page and its server share modules. */
function sorted(rows: readonly object[]): unknown[] {
  return [...new Set(rows.map((row) => canonical(row)))]
    .toSorted()
    .map((text) => JSON.parse(text) as unknown);
}

/** The bundle of an app's page, and that of its server where it has one. */
async function bundles(vite: Vite, app: string, inline: InlineConfig): Promise<OutputFile[][]> {
  const root = fixture(app);
  const page = await bundle(vite, root, inline);
  if (!RENDERED.includes(app)) return [page];
  return [page, await bundle(vite, root, { ...inline, build: { ssr: true }, ssr: { noExternal: true } })];
}

/** Loads bundles, each in a process of its own. */
async function loadAll(
  all: readonly (readonly OutputFile[])[],
): Promise<{ calls: Call[]; errors: string[] }> {
  const loaded = await Promise.all(all.map(load));
  return {
    calls: loaded.flatMap(({ calls }) => calls),
    errors: loaded.flatMap(({ error }) => error ?? []),
  };
}

/** Loads a bundle in a process of its own, where its page's globals disturb nobody. */
async function load(files: readonly OutputFile[]): Promise<{ calls: Call[]; error: string | null }> {
  const folder = scratch();
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const { fileName, text } of files) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true });
    writeFileSync(join(folder, fileName), text);
  }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [workspace("tests/soundness/load.mjs"), folder],
    { maxBuffer: 64 << 20 },
  );
  return JSON.parse(stdout) as { calls: Call[]; error: string | null };
}

/** Builds an app by its own config less our plugin. */
async function bundlesWithoutCompiler(
  vite: Vite,
  app: string,
  manifest: CapabilityContractManifest,
): Promise<OutputFile[][]> {
  const root = fixture(app);
  const environment = { command: "build", mode: "production" } as const;
  const loaded = await loadConfigFromFile(environment, join(root, "vite.config.ts"), root, "silent");
  if (loaded === null) throw new Error(`${root} has no config`);
  const plugins = await flat(loaded.config.plugins ?? []);
  const others = plugins.filter(({ name }) => !name.startsWith("agent-surface"));
  expect(others.length, "the app is built with our plugin").toBeLessThan(plugins.length);
  return bundles(vite, app, {
    ...loaded.config,
    configFile: false,
    plugins: [...others, recordMacros(), dropAnnotations(), authorityOver(manifest)],
  });
}

/** Plugins as a config may have them, each by itself. */
async function flat(option: PluginOption): Promise<Plugin[]> {
  const plugins = await option;
  if (Array.isArray(plugins)) return (await Promise.all(plugins.map(flat))).flat();
  return plugins ? [plugins] : [];
}

const MACROS = [
  "defineAgentComponentContract",
  "defineAgentProcedureContract",
  "defineExternalAgentToolContract",
];

/** The core package's entry, and the query under which it is still what it was. */
const CORE_ENTRY = realpathSync(workspace("npm/core/dist/index.js"));
const AS_IT_WAS = "?as-it-was";

/**
 * Puts a recorder before each macro of the core package. Where the macros lie does not change. A declaration that
 * nobody uses is in the manifest and would not be in the bundle, which takes it for pure: here it no longer is.
 */
function recordMacros(): Plugin {
  return {
    name: "test:record-macros",
    enforce: "pre",
    resolveId: (source) => (source.endsWith(AS_IT_WAS) ? source : null),
    load(id) {
      if (id === CORE_ENTRY + AS_IT_WAS)
        return readFileSync(CORE_ENTRY, "utf8").replaceAll('"./', `"${dirname(CORE_ENTRY)}/`);
      if (id !== CORE_ENTRY) return null;
      const original = JSON.stringify(CORE_ENTRY + AS_IT_WAS);
      const recorders = MACROS.map(
        (name) =>
          `export function ${name}(...given) { $record("${name}", given[0], given[1]); return original.${name}(...given); }\n`,
      );
      return `import * as original from ${original};\nexport * from ${original};\n${recorders.join("")}`;
    },
  };
}

/** Takes from every call the word that it has no effect, last of all: after what the compiler adds at the end. */
function dropAnnotations(): Plugin {
  const last: Plugin = {
    name: "test:drop-annotations",
    transform: {
      order: "post",
      handler: (code) => code.replaceAll("/* @__PURE__ */", ""),
    },
  };
  return {
    name: "test:drop-annotations-last",
    enforce: "post",
    options: {
      order: "post",
      handler: (input) => ({ ...input, plugins: [...[input.plugins].flat(), last] }),
    },
  };
}

/** The authority's module, as the plugin would have it: over the manifest of the app's build. */
function authorityOver(manifest: CapabilityContractManifest): Plugin {
  const id = "virtual:agent-surface-contract";
  return {
    name: "test:authority",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: (loaded) =>
      loaded === `\0${id}`
        ? `import { createCapabilityAuthority } from "@agent-surface/core";
           export const manifest = ${JSON.stringify(manifest)};
           export default createCapabilityAuthority(manifest);`
        : null,
  };
}
