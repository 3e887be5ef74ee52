import type { AgentCapabilityErrorPayload } from "./errors.js";
import type { AgentConsumer, JsonValue } from "./types.js";

/** One request to use a capability. */
export interface AgentInvocation {
  /**
   * The id under which a repetition of this request is known, an adapter's tool-call id for example. One consumer
   * can't use one id for two requests. Without one, a fresh id is made.
   */
  invocationId?: string;
  /** `view:…` or `domain:…`, as discovered. */
  capabilityId: string;
  /** Of which instance. Needed where several have the capability and no `registrationId` is sent. */
  instanceId?: string;
  /** Of which registration, as discovered: if that one is gone, the request is out of date. */
  registrationId?: string;
  /** The version that was discovered. Only what can't be taken back minds if it has changed. */
  surfaceVersion?: string;
  input?: JsonValue;
  /** The confirmation that the user gave for this very request. */
  confirmationId?: string;
}

/** How the host wants a request treated. */
export interface InvokeOptions {
  /** Who asks. By default an embedded consumer called `anonymous`. */
  consumer?: AgentConsumer;
  /** Gives the request up: it is answered `CANCELLED`, and the handler's signal aborts. */
  signal?: AbortSignal;
  /** In milliseconds, instead of what capability and limits say. */
  timeoutMs?: number;
}

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
