import type { AgentInvocationResult } from "./invocation.js";
import type { AgentConsumer, AgentEffect, AgentEnvironment, JsonValue } from "./types.js";

/** What a policy makes of a capability in a catalogue: seen, seen but not usable, or not seen at all. */
export type DiscoveryDecision =
  | { decision: "expose" }
  | { decision: "disable"; reason: string }
  | { decision: "hide" };

/** What every policy may know. */
export interface AgentPolicyContext {
  capabilityId: string;
  plane: "view" | "domain";
  kind: "observation" | "action" | "procedure";
  effect: AgentEffect;
  registrationId: string;
  consumer: AgentConsumer;
  /** What the registry's `context()` returned. */
  host: Readonly<Record<string, unknown>>;
  meta: {
    component?: Record<string, JsonValue>;
    capability?: Record<string, JsonValue>;
  };
  /** The component's `internal` record, which no agent ever sees. */
  internal: Readonly<Record<string, unknown>>;
  environment: AgentEnvironment;
  /** The registry's clock, in milliseconds. A policy that asks another one cannot be tested. */
  now(): number;
}

/** Before any input has been looked at. */
export type AgentAuthorizationContext = AgentPolicyContext;

/** After the input has been completed and validated; what the agent sent is not shown. */
export interface AgentInvocationPolicyContext extends AgentAuthorizationContext {
  invocationId: string;
  effectiveInput: JsonValue;
}

/** A rule of the host, for one capability, one component, or the whole registry. */
export interface AgentPolicy {
  /** What a contract's `policies` refer to. */
  name: string;
  /** Filters catalogues: synchronous, cheap, without effects. Without it, a capability is exposed. */
  onDiscovery?(ctx: AgentPolicyContext): DiscoveryDecision;
  /** Decides who may invoke at all. Calls `next()` once to let pass, or throws. */
  onAuthorize?(
    ctx: AgentAuthorizationContext,
    next: () => Promise<AgentInvocationResult>,
  ): Promise<AgentInvocationResult>;
  /** Decides over the completed input. Calls `next()` once to let pass, or throws. */
  onInvoke?(
    ctx: AgentInvocationPolicyContext,
    next: () => Promise<AgentInvocationResult>,
  ): Promise<AgentInvocationResult>;
}

/** Where {@link requireConfirmation} marks its policies. The same in every copy of the package. */
export const CONFIRMATION_ESCALATION: unique symbol = Symbol.for(
  "@agent-surface/core:confirmation-escalation",
);

/** When a policy asks for the user's confirmation, and how it is put to the user. */
export interface ConfirmationEscalation {
  /** Decides over the completed input; if it throws, the user is asked. Without it, the user always is. */
  if?: ((ctx: AgentPolicyContext & { effectiveInput: JsonValue }) => boolean) | undefined;
  /** At most 300 characters are shown. */
  summary?: ((effectiveInput: JsonValue) => string) | undefined;
}

/** A policy that may ask for the user's confirmation. */
export type AgentPolicyWithEscalation = AgentPolicy & {
  [CONFIRMATION_ESCALATION]?: ConfirmationEscalation;
};
