import type { AgentConfirmation, AgentEffect, JsonSchema } from "./types.js";

/** The version of the contract format that this runtime reads. */
export const CAPABILITY_CONTRACT_FORMAT_VERSION = 5 as const;

/** What a capability is: something to read, to do, to call on a backend, or a tool outside of any component. */
export type CapabilityContractKind = "observation" | "action" | "procedure" | "external";

/** A policy that must be there when the capability is registered, by the name it has then. */
export interface CapabilityPolicyAttachment {
  name: string;
  /** The hook that it must have. */
  phase?: "discovery" | "authorize" | "invoke";
}

/** One capability, as the compiler proved it. */
export interface CapabilityContractEntry {
  /** Where it is declared: the module's path from the root, `#`, and the variable. */
  declarationId: string;
  capabilityId: string;
  kind: CapabilityContractKind;
  description: string;
  effect: AgentEffect;
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  confirmation?: AgentConfirmation;
  policies?: CapabilityPolicyAttachment[];
  tags?: string[];
  /** SHA-256 of the entry's canonical form without this member and without `targets`. */
  contractHash: string;
  /** The build targets that have it. */
  targets: string[];
  /** The module that declares it. */
  origin: string;
}

/** A dependency that contributes capabilities, and what its user agreed to. */
export interface ExternalContractAttribution {
  /** Its npm name. */
  package: string;
  /** The contributing file, from the root. */
  source: string;
  /** Whether it brought a contract file or its sources were compiled. */
  route: "sidecar" | "source";
  /** SHA-256 of what it contributes to this build. */
  contractDigest: string;
  /** What the app's configuration allows. */
  authorization: {
    mode: "pinned";
    expectedDigest: string;
  };
}

/** Everything that one build may expose. */
export interface CapabilityContractManifest {
  formatVersion: typeof CAPABILITY_CONTRACT_FORMAT_VERSION;
  compilerVersion: string;
  targets: string[];
  capabilities: CapabilityContractEntry[];
  externalContracts: ExternalContractAttribution[];
  completeness: { status: "proven" };
  /** SHA-256 of the manifest's canonical form without this member. */
  hash: string;
}
