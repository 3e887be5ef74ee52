import { createHash } from "node:crypto";
import type { CapabilityContractEntry, CapabilityContractManifest } from "@agent-surface/core";

/** The members of an entry that its author decides. */
export type Contract = Omit<CapabilityContractEntry, "contractHash" | "targets">;

/**
 * Canonical JSON (RFC 8785) as far as these tests' values go, written down a second time: a hash that the kernel
 * accepts is then one that two implementations agree on.
 */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

/** What the format hashes: the canonical form and a newline. */
export function hashOf(value: unknown): string {
  return createHash("sha256")
    .update(`${canonical(value)}\n`)
    .digest("hex");
}

/** An entry with the hash of its contract. */
export function seal(contract: Contract): CapabilityContractEntry {
  return { ...contract, contractHash: hashOf(contract), targets: ["web-production"] };
}

/** A manifest with its hash, of whatever entries. */
export function assemble(capabilities: CapabilityContractEntry[]): CapabilityContractManifest {
  return sealManifest({
    formatVersion: 5,
    compilerVersion: "5",
    targets: ["web-production"],
    capabilities,
    externalContracts: [],
    completeness: { status: "proven" },
  });
}

/** A manifest with its hash, whatever it says. */
export function sealManifest(payload: object): CapabilityContractManifest {
  return { ...payload, hash: hashOf(payload) } as CapabilityContractManifest;
}

/** A contract of each kind. */
export const contracts = {
  value: {
    declarationId: "src/counter.ts#counter",
    capabilityId: "view:demo.counter.value",
    kind: "observation",
    description: "Current value",
    effect: "read",
    outputSchema: { type: "number" },
    origin: "src/counter.ts",
  },
  increment: {
    declarationId: "src/counter.ts#counter",
    capabilityId: "view:demo.counter.increment",
    kind: "action",
    description: "Add to the value",
    effect: "local-state",
    inputSchema: { type: "object", properties: { by: { type: "integer" } }, required: ["by"] },
    origin: "src/counter.ts",
  },
  disable: {
    declarationId: "src/devices.ts#disable",
    capabilityId: "domain:devices.disable",
    kind: "procedure",
    description: "Disable devices",
    effect: "destructive",
    inputSchema: { type: "object", properties: { ids: { type: "array", items: { type: "string" } } } },
    origin: "src/devices.ts",
  },
  report: {
    declarationId: "src/report.ts#report",
    capabilityId: "external:reports.export",
    kind: "external",
    description: "Export the report",
    effect: "external-side-effect",
    inputSchema: { type: "object", properties: { month: { type: "string", format: "date" } } },
    confirmation: "required",
    origin: "src/report.ts",
  },
} as const satisfies Record<string, Contract>;
