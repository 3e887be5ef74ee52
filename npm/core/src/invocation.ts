import type { AgentCapabilityErrorPayload } from "./errors.js";
import type { JsonValue } from "./types.js";

/** How an invocation ended. */
export type AgentInvocationResult =
  | {
      status: "ok";
      invocationId: string;
      capabilityId: string;
      /** Holds to the output schema, where one is declared. */
      output?: JsonValue;
      /** The surface's version when the invocation settled. */
      surfaceVersion: string;
      /** Whether the surface changed meanwhile. */
      surfaceChanged?: boolean;
    }
  | {
      status: "error";
      invocationId: string;
      capabilityId: string;
      error: AgentCapabilityErrorPayload;
      surfaceVersion: string;
      surfaceChanged?: boolean;
    };
