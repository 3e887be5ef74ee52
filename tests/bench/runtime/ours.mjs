import { canonicalJson, computeManifestHash, sha256 } from "@agent-surface/compiler";
import * as core from "@agent-surface/core";
import { widget } from "./definitions.mjs";

const DECLARATION = "src/widget.ts#widget";

/** The entries that a compiler would make of a widget. */
const entries = Object.values({
  ...Object.fromEntries(
    Object.entries(widget(core, 0).observations).map(([name, { description, output }]) => [
      name,
      {
        capabilityId: `view:bench.widget.${name}`,
        kind: "observation",
        description,
        effect: "read",
        outputSchema: output.jsonSchema,
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(widget(core, 0).actions).map(([name, { description, input, effect }]) => [
      name,
      {
        capabilityId: `view:bench.widget.${name}`,
        kind: "action",
        description,
        effect,
        inputSchema: input.jsonSchema,
      },
    ]),
  ),
})
  .map((contract) => seal({ ...contract, declarationId: DECLARATION, origin: "src/widget.ts" }))
  .toSorted((a, b) => (a.capabilityId < b.capabilityId ? -1 : 1));

/** @param {any} contract */
export function seal(contract) {
  return { ...contract, contractHash: sha256(canonicalJson(contract)), targets: ["web-production"] };
}

/** @param {any[]} capabilities */
export function manifestOf(capabilities) {
  const payload = {
    formatVersion: 5,
    compilerVersion: "0.17.0",
    targets: ["web-production"],
    capabilities,
    externalContracts: [],
    completeness: { status: "proven" },
  };
  const unsealed = /** @type {any} */ (payload);
  return { ...unsealed, hash: computeManifestHash(unsealed) };
}

const manifest = manifestOf(entries);
const authority = core.createCapabilityAuthority(manifest);

/** What a compiler ships of the widget's contract: the literal, and its proof. */
const contract = /** @type {any} */ (core.defineAgentComponentContract)(
  {
    type: "bench.widget",
    description: "A widget",
    observations: {
      state: { description: "Reads", output: widget(core, 0).observations.state.output.jsonSchema },
    },
    actions: {
      poke: {
        description: "Pokes",
        input: widget(core, 0).actions.poke.input.jsonSchema,
        effect: "local-state",
      },
    },
  },
  {
    manifestHash: manifest.hash,
    declarationId: DECLARATION,
    contracts: Object.fromEntries(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
  },
);

/** The package, with what a measurement needs to know of it. */
export const ours = {
  name: "agent-surface",
  core,
  /** @param {object} [options] */
  open: (options) => core.createAgentSurfaceRegistry({ environment: "production", authority, ...options }),
  /** @param {number} index */
  define: (index) =>
    contract.bind({
      instanceId: `w${index}`,
      observations: { state: { read: () => ({ n: index }) } },
      actions: { poke: { execute: () => undefined } },
    }),
};
