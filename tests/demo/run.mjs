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
const CONTRACT_FILE = "agent-surface.contract.json";

/**
 * What the build left behind.
 * @typedef {object} Built
 * @property {string} contract Absolute path of the emitted contract.
 * @property {string} authority Absolute path of the chunk whose default export is the authority.
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
  let chunk;
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
      chunk = this.emitFile({
        type: "chunk",
        id: "virtual:agent-surface-contract",
        name: "authority",
        preserveSignature: "strict",
      });
    },
    writeBundle(output, bundle) {
      const folder = output.dir ?? APP;
      const authority = this.getFileName(chunk);
      const importers = Object.values(bundle).filter(
        (file) => file.type === "chunk" && file.imports.includes(authority),
      );
      if (importers.length === 0) throw new Error(`no chunk of the app imports ${authority}`);
      if (bundle[CONTRACT_FILE] === undefined) throw new Error(`the build did not emit ${CONTRACT_FILE}`);
      const places = (compiler.proof()?.capabilities ?? []).map(
        (capability) =>
          /** @type {const} */ ([
            keyOf(capability),
            `${capability.file}:${capability.line}:${capability.column}`,
          ]),
      );
      report({
        contract: join(folder, CONTRACT_FILE),
        authority: join(folder, authority),
        places: new Map(places),
      });
    },
  };
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
const { default: authority } = await import(pathToFileURL(built.authority).href);
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
console.log(`authority      ${relative(WORKSPACE, built.authority)} was run and accepted the same hash`);
