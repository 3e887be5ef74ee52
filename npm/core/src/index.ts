/**
 * What apps declare, and what their runtime accepts. Importing this does nothing: the kernel, a WebAssembly
 * module, is made when something is first verified or validated.
 */
export {
  assertCapabilityAuthority,
  createCapabilityAuthority,
  type CapabilityAuthority,
} from "./authority.js";
export {
  actionContract,
  defineAgentComponentContract,
  deriveAgentComponentBinding,
  observationContract,
  type AgentActionContract,
  type AgentComponentContract,
  type AgentComponentContractDefinition,
  type AgentComponentRuntimeBindings,
  type AgentObservationContract,
} from "./contract/component.js";
export {
  defineExternalAgentToolContract,
  type CompiledExternalAgentTool,
  type ExternalAgentToolContract,
  type ExternalAgentToolContractDefinition,
} from "./contract/external.js";
export {
  authorizeAgentProcedureBinding,
  defineAgentProcedureContract,
  type AgentProcedureContract,
  type AgentProcedureContractDefinition,
} from "./contract/procedure.js";
export type {
  AgentActionContext,
  AgentActionDefinition,
  AgentComponentDefinition,
  AgentObservationDefinition,
  AgentProcedureBinding,
  AgentProcedureBindingRuntimeConfig,
  AgentProcedureRefDescriptor,
  AgentReadContext,
  PreconditionFailure,
} from "./definition.js";
export {
  AgentSurfaceDefinitionError,
  type AgentCapabilityErrorCode,
  type AgentCapabilityErrorPayload,
  type AgentErrorRetry,
  type AgentSurfaceDefinitionErrorCode,
} from "./errors.js";
export { createAgentExposureGateway, type AgentExposureGateway } from "./gateway.js";
export type { AgentInvocationResult } from "./invocation.js";
export { jsonDeepEqual } from "./json.js";
export {
  CAPABILITY_CONTRACT_FORMAT_VERSION,
  type CapabilityContractEntry,
  type CapabilityContractKind,
  type CapabilityContractManifest,
  type CapabilityPolicyAttachment,
  type ExternalContractAttribution,
} from "./manifest.js";
export type {
  AgentAuthorizationContext,
  AgentInvocationPolicyContext,
  AgentPolicy,
  AgentPolicyContext,
  DiscoveryDecision,
} from "./policy.js";
export {
  AgentSchemaError,
  emptyObjectSchema,
  fromJsonSchema,
  fromStandardSchema,
  type AgentSchema,
  type AgentSchemaIssue,
  type StandardSchemaV1,
} from "./schema.js";
export type {
  AgentConcurrency,
  AgentConsumer,
  AgentEffect,
  AgentEnvironment,
  AgentProcedureEffect,
  JsonSchema,
  JsonValue,
} from "./types.js";
