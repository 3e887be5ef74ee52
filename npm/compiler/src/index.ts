/**
 * Proves an app's capability contracts while Vite, Rolldown or Rollup builds it.
 *
 * @packageDocumentation
 */
export {
  canonicalJson,
  canonicalManifestJson,
  computeManifestHash,
  manifestPayload,
  sha256,
  verifyManifest,
} from "./canonical.js";
export { compileCapabilityContract } from "./compile.js";
export type { CompileCapabilityContractOptions } from "./compile.js";
export { CONTRACT_FILE } from "./options.js";
export type {
  AgentSurfaceCompilerOptions,
  ExternalContractAllowEntry,
  ExternalContractPolicy,
} from "./options.js";
export { agentSurface, VIRTUAL_CONTRACT_ID } from "./plugin.js";
export type { AgentSurfaceApi, AgentSurfacePlugin, ContractProof } from "./plugin.js";
export type { Diagnostic, LocatedCapability } from "./binding.js";
export { ContractError } from "./refusal.js";
export { COMPILER_VERSION } from "./version.js";
