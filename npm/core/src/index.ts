/**
 * What apps declare, and what their runtime accepts. Importing this does nothing: the kernel, a WebAssembly
 * module, is made when something is first verified or validated.
 */
export {
  consoleAuditSink,
  memoryAuditSink,
  type AuditEvent,
  type AuditPayload,
  type AuditSink,
} from "./audit.js";
export {
  assertCapabilityAuthority,
  createCapabilityAuthority,
  type CapabilityAuthority,
} from "./authority.js";
export { assertDefinitionAuthorized } from "./authorization.js";
export type { ConfirmationController, ConfirmationOutcome, PendingConfirmation } from "./confirmation.js";
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
export {
  action,
  defineAgentComponent,
  observation,
  type AgentActionContext,
  type AgentActionDefinition,
  type AgentComponentDefinition,
  type AgentObservationDefinition,
  type AgentProcedureBinding,
  type AgentProcedureBindingRuntimeConfig,
  type AgentProcedureExecutor,
  type AgentProcedureRefDescriptor,
  type AgentReadContext,
  type PreconditionFailure,
  type ProcedureCallInfo,
} from "./definition.js";
export {
  AGENT_CAPABILITY_ERROR_CODES,
  AgentSurfaceDefinitionError,
  AgentSurfaceError,
  isAgentSurfaceError,
  type AgentCapabilityErrorCode,
  type AgentCapabilityErrorPayload,
  type AgentErrorRetry,
  type AgentSurfaceDefinitionErrorCode,
} from "./errors.js";
export type { AgentSurfaceEvent } from "./events.js";
export { createAgentExposureGateway, type AgentExposureGateway } from "./gateway.js";
export type { AgentInvocation, AgentInvocationResult, InvokeOptions } from "./invocation.js";
export { jsonDeepEqual } from "./json.js";
export {
  CAPABILITY_CONTRACT_FORMAT_VERSION,
  type CapabilityContractEntry,
  type CapabilityContractKind,
  type CapabilityContractManifest,
  type CapabilityPolicyAttachment,
  type ExternalContractAttribution,
} from "./manifest.js";
export {
  audit,
  authenticated,
  environment,
  hasPermission,
  rateLimit,
  requireConfirmation,
  tenantBoundary,
} from "./policies.js";
export {
  CONFIRMATION_ESCALATION,
  type AgentAuthorizationContext,
  type AgentInvocationPolicyContext,
  type AgentPolicy,
  type AgentPolicyContext,
  type ConfirmationEscalation,
  type DiscoveryDecision,
} from "./policy.js";
export {
  createAgentSurfaceRegistry,
  type AgentRegistrationHandle,
  type AgentSurfaceRegistry,
  type RegistrationCandidate,
  type RegistrationPatch,
  type RegistryOptions,
} from "./registry.js";
export {
  AgentSchemaError,
  emptyObjectSchema,
  fromJsonSchema,
  fromStandardSchema,
  type AgentSchema,
  type AgentSchemaIssue,
  type StandardJSONSchemaV1,
  type StandardSchemaV1,
} from "./schema.js";
export type {
  AgentActionDescriptor,
  AgentCapabilityDescriptorUnion,
  AgentComponentDescriptor,
  AgentObservationDescriptor,
  AgentProcedureDescriptor,
  AgentSurfaceSnapshot,
  SnapshotContext,
} from "./snapshot.js";
export { createAgentToolset } from "./toolset/toolset.js";
export type { AgentTool, AgentToolCall, AgentToolset, AgentToolsetOptions } from "./toolset/types.js";
export type { TypeBoxSchema, TypeBoxStatic } from "./typebox.js";
export {
  DEFAULT_LIMITS,
  type AgentConcurrency,
  type AgentConfirmation,
  type AgentConsumer,
  type AgentEffect,
  type AgentEnvironment,
  type AgentProcedureEffect,
  type AgentRouteInfo,
  type AgentSurfaceLimits,
  type JsonSchema,
  type JsonValue,
  type Unsubscribe,
} from "./types.js";
export { decodeWireName, encodeWireName } from "./wire-name.js";
