import { RETRIES } from "./kernel/tables.js";
import type { JsonValue } from "./types.js";

/** Every code that an agent can be answered with. */
export const AGENT_CAPABILITY_ERROR_CODES: readonly AgentCapabilityErrorCode[] = /* @__PURE__ */ Object.keys(
  RETRIES,
) as AgentCapabilityErrorCode[];

/** One of {@link AGENT_CAPABILITY_ERROR_CODES}. */
export type AgentCapabilityErrorCode = keyof typeof RETRIES;

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

/**
 * What a policy, a precondition or a handler throws to answer the agent itself. Whatever else is thrown, the agent
 * only hears that it did not work.
 */
export class AgentSurfaceError extends Error {
  readonly payload: AgentCapabilityErrorPayload;

  constructor(payload: AgentCapabilityErrorPayload, options?: { cause?: unknown }) {
    super(payload.message, options);
    this.name = "AgentSurfaceError";
    this.payload = payload;
  }
}

/** Whether something thrown is an {@link AgentSurfaceError}, of this copy of the package or of another one. */
export function isAgentSurfaceError(error: unknown): error is AgentSurfaceError {
  if (error instanceof AgentSurfaceError) return true;
  if (typeof error !== "object" || error === null) return false;
  const { name, payload } = error as { name?: unknown; payload?: unknown };
  return name === "AgentSurfaceError" && typeof payload === "object" && payload !== null;
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
