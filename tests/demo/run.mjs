/**
 * What `cargo xtask demo` shows: the production build of a whole app, the contract it proved, and that the
 * authority in the built bundle accepts that contract.
 *
 * The app is built by its own vite.config. One plugin is added: it makes the authority's module an entry of its
 * own, so that Node can load the very chunk that the app loads, without a page around it.
 */
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { printTable } from "./table.mjs";

const WORKSPACE = fileURLToPath(new URL("../..", import.meta.url));
const APP = join(WORKSPACE, "fixtures/devices");
const AUTHORITY_MODULE = "virtual:agent-surface-contract";
const CONTRACT_FILE = "agent-surface.contract.json";

/**
 * What the build left behind.
 * @typedef {object} Built
 * @property {string} contract Absolute path of the emitted contract.
 * @property {string} chunk Absolute path of the app's chunk that the authority is in.
 * @property {string} entry Absolute path of the added entry, which imports that chunk.
 * @property {Map<string, string>} places Where each capability is declared, by {@link keyOf}.
 */

/** Builds the app as its authors would, and finds in the output what this demo needs. */
async function buildApp() {
  /** @type {Built | undefined} */
  let built;
  await build({
    root: APP,
    configFile: join(APP, "vite.config.ts"),
    plugins: [observe((found) => (built = found))],
  });
  if (built === undefined) throw new Error("the build ended without writing a bundle");
  return built;
}

/**
 * The added plugin.
 * @param {(built: Built) => void} report
 * @returns {import("vite").Plugin}
 */
function observe(report) {
  /** @type {string} */
  let entryReference;
  /** @type {import("@agent-surface/compiler").AgentSurfaceApi} */
  let compiler;
  return {
    name: "demo:observe",
    configResolved(config) {
      const plugin = config.plugins.find(({ name }) => name === "agent-surface:compiler");
      if (plugin === undefined) throw new Error("the app's vite.config does not use agentSurface()");
      compiler = plugin.api;
    },
    buildStart() {
      entryReference = this.emitFile({
        type: "chunk",
        id: AUTHORITY_MODULE,
        name: "authority",
        preserveSignature: "strict",
      });
    },
    writeBundle(output, bundle) {
      const folder = output.dir ?? APP;
      const entry = this.getFileName(entryReference);
      if (bundle[CONTRACT_FILE] === undefined) throw new Error(`the build did not emit ${CONTRACT_FILE}`);
      report({
        contract: join(folder, CONTRACT_FILE),
        chunk: join(folder, findAuthority(bundle, entry)),
        entry: join(folder, entry),
        places: new Map(
          compiler.proof()?.capabilities.map((capability) => [keyOf(capability), at(capability)]),
        ),
      });
    },
  };
}

/**
 * The chunk that the authority's module is in. That the app really loads it is checked from the app's entries:
 * they must reach it without the entry that was added.
 * @param {import("vite").Rolldown.OutputBundle} bundle
 * @param {string} addedEntry
 */
function findAuthority(bundle, addedEntry) {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const pending = chunks.filter((chunk) => chunk.isEntry && chunk.fileName !== addedEntry);
  // The list grows while it is walked.
  for (const reached of pending) {
    if (reached.moduleIds.some((id) => id.endsWith(AUTHORITY_MODULE))) return reached.fileName;
    const imported = new Set([...reached.imports, ...reached.dynamicImports]);
    pending.push(...chunks.filter((chunk) => imported.has(chunk.fileName) && !pending.includes(chunk)));
  }
  throw new Error(`the built app does not load ${AUTHORITY_MODULE}`);
}

/** @param {import("@agent-surface/compiler").LocatedCapability} place */
function at({ file, line, column }) {
  return `${file}:${line}:${column}`;
}

/**
 * Identifies an entry: two declarations may share a capability id.
 * @param {{ capabilityId: string, declarationId: string }} entry
 */
function keyOf({ capabilityId, declarationId }) {
  return `${declarationId} ${capabilityId}`;
}

/** @param {Built} built */
async function readManifest(built) {
  const text = await readFile(built.contract, "utf8");
  return /** @type {import("@agent-surface/core").CapabilityContractManifest} */ (JSON.parse(text));
}

const built = await buildApp();
const manifest = await readManifest(built);

// The bundle verifies its contract while it is loaded: a wrong hash anywhere would throw here.
const { default: authority } = await import(pathToFileURL(built.entry).href);
const accepted = authority.manifest.hash;

console.log();
printTable(
  ["CAPABILITY", "KIND", "EFFECT", "CONFIRMATION", "DECLARED AT"],
  manifest.capabilities.map((entry) => [
    entry.capabilityId,
    entry.kind,
    entry.effect,
    entry.confirmation ?? "never",
    built.places.get(keyOf(entry)) ?? entry.declarationId,
  ]),
);
console.log();
console.log(`manifest hash  ${manifest.hash}`);
console.log(`asset          ${relative(WORKSPACE, built.contract)}`);
if (accepted !== manifest.hash) {
  throw new Error(`the built bundle's authority holds ${accepted}, the asset says ${manifest.hash}`);
}
console.log(`authority      ${relative(WORKSPACE, built.chunk)} was run and accepted the same hash`);
console.log();
console.log("Open the app, and let its scripted agent operate it:");
console.log();
console.log("  npm run dev --workspace fixtures/devices");
