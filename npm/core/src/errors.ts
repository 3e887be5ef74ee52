import type { JsonValue } from "./types.js";

/** Every code that an agent can be answered with. */
export type AgentCapabilityErrorCode =
  | "CAPABILITY_NOT_FOUND"
  | "CAPABILITY_NOT_AVAILABLE"
  | "AMBIGUOUS_INSTANCE"
  | "COMPONENT_UNMOUNTED"
  | "STALE_CAPABILITY"
  | "INVOCATION_CONFLICT"
  | "INVALID_INPUT"
  | "NOT_AUTHENTICATED"
  | "NOT_AUTHORIZED"
  | "PRECONDITION_FAILED"
  | "CONFIRMATION_REQUIRED"
  | "CONFIRMATION_INVALID"
  | "RATE_LIMITED"
  | "TIMEOUT"
  | "CANCELLED"
  | "EXECUTION_FAILED";

/** When the same request may be tried again. */
export type AgentErrorRetry =
  | "no"
  | "yes"
  | "after-refresh"
  | "after-delay"
  | "with-confirmation"
  | "with-changes";

/** An error as an agent sees it. */
export interface AgentCapabilityErrorPayload {
  code: AgentCapabilityErrorCode;
  /** What to do, in at most 300 characters that are safe to show. */
  message: string;
  retry: AgentErrorRetry;
  /** What belongs to the code, safe to show as well. */
  details?: Record<string, JsonValue>;
}

/** What is wrong with something that an app's developer wrote, or with the build it came from. */
export type AgentSurfaceDefinitionErrorCode =
  | "INVALID_ID"
  | "INVALID_DEFINITION"
  | "UNSUPPORTED_SCHEMA"
  | "PLANE_VIOLATION"
  | "DUPLICATE_CAPABILITY"
  | "LIMIT_EXCEEDED";

/** A defect of the app itself. It is always thrown, in every environment, and never reaches an agent. */
export class AgentSurfaceDefinitionError extends Error {
  readonly code: AgentSurfaceDefinitionErrorCode;

  constructor(code: AgentSurfaceDefinitionErrorCode, message: string, options?: ErrorOptions) {
    super(`[${code}] ${message}`, options);
    this.name = "AgentSurfaceDefinitionError";
    this.code = code;
  }
}
