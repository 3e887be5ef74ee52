import type { CapabilityContractManifest } from "@agent-surface/core";

/** Options of {@link agentSurface}. */
export interface AgentSurfaceCompilerOptions {
  /** Name of the deployable these capabilities belong to. Default `web-production`. */
  target?: string;
  /** Whether the contract is written beside the bundle. Default `true`. */
  emit?: boolean;
  /** Name of that file within the output folder. Default {@link CONTRACT_FILE}. */
  fileName?: string;
  /** Which dependencies may contribute capabilities. */
  externalContracts?: ExternalContractPolicy;
  /**
   * What it means that the project registers a tool at `document.modelContext` itself, which no contract proves. For a
   * dependency it is always an error, unless it is pinned in `externalContracts.allow`. Default `error`.
   */
  rawTools?: "error" | "warn";
  /** Called with the contract of each build that was proven; the object is the receiver's own. */
  onManifest?: (manifest: CapabilityContractManifest) => void;
}

/** Nothing a dependency declares is admitted unless it is pinned here. */
export interface ExternalContractPolicy {
  allow?: ExternalContractAllowEntry[];
}

/** One dependency that was reviewed, pinned to what it declared at the time. */
export interface ExternalContractAllowEntry {
  /** Name in the dependency's own package.json. */
  package: string;
  /** SHA-256 of what it contributes, as the failing build prints it. */
  digest: string;
  /** Contract file of a dependency that the app's modules don't import. */
  path?: string;
}

/** Default target. */
export const DEFAULT_TARGET = "web-production";

/** Default name of the emitted contract. */
export const CONTRACT_FILE = "agent-surface.contract.json";
