import type { AgentConcurrency, AgentConfirmation, AgentConsumer, AgentEffect } from "../types.js";
import type { JsonText, RegistrationKey } from "./words.js";

/** How a registry is to be. */
export interface RegistryInput {
  /** 32 bytes that nobody can guess: all ids come from them. */
  entropy: Uint8Array;
  /** Bounds by their names in `LIMITS`, each a whole number from 0 to 4294967295; the others have their defaults. */
  limits?: Readonly<Record<string, number>> | undefined;
  /** The policies of every capability, outermost first. */
  policies?: readonly PolicyInput[] | undefined;
  /** Whether a component that comes where another one stands replaces it, instead of being rejected. */
  replaceDuplicates?: boolean | undefined;
  /** What happens when a capability of the view has the name of a procedure. Default `warn`. */
  onSameName?: "off" | "warn" | "error" | undefined;
}

/** A policy, as far as the kernel sees it. */
export interface PolicyInput {
  name: string;
  /** Whether it votes on what is shown. */
  discovery: boolean;
  /** Whether it guards invocations before their input is looked at. */
  authorize: boolean;
  /** Whether it guards invocations whose input is known. */
  invoke: boolean;
  /** Whether it may ask for the user's confirmation. */
  escalates: boolean;
}

/** What the compiler says of a declaration. */
export interface ProofInput {
  manifestHash: string;
  declarationId: string;
  /** The hash of each capability's contract, by its id. */
  contracts: ReadonlyMap<string, string>;
}

/** A bound component, without its functions. */
export interface ComponentInput {
  type: string;
  description: string;
  meta?: JsonText | undefined;
  /** Default `first-party`. */
  origin?: string | undefined;
  policies: readonly PolicyInput[];
  /** Its observations, actions and procedures. An index into this list means the capability everywhere else. */
  capabilities: readonly CapabilityInput[];
  /** Without one nothing is admitted. */
  proof: ProofInput | undefined;
}

/** One capability of a bound component. What is absent has the default of the effect, or of the limits. */
export interface CapabilityInput {
  /** The name of an observation or action; the path of a procedure. */
  name: string;
  kind: "observation" | "action" | "procedure";
  description: string;
  effect: AgentEffect;
  inputSchema?: JsonText | undefined;
  outputSchema?: JsonText | undefined;
  /** Whether the host holds inputs against a validator of its own, so that the kernel asks. */
  hostParsesInput: boolean;
  /** Whether the host holds outputs against a validator of its own, before it answers. */
  hostChecksOutput: boolean;
  idempotent?: boolean | undefined;
  reversible?: boolean | undefined;
  confirmation?: AgentConfirmation | undefined;
  audit?: "none" | "metadata" | "full" | undefined;
  meta?: JsonText | undefined;
  timeoutMs?: number | undefined;
  concurrency?: AgentConcurrency | undefined;
  policies: readonly PolicyInput[];
  hasWhen: boolean;
  hasPrecondition: boolean;
  /** What a procedure has, and nothing else. */
  binding?: BindingInput | undefined;
}

/** How a procedure is bound to the view that refers to it. */
export interface BindingInput {
  /** The schema of what the agent supplies. */
  agentSchema: JsonText;
  /** The fields that the view supplies. */
  bound: readonly string[];
  /** Those of them that an agent may not supply. */
  locked: readonly string[];
  requiresApproval: boolean;
  hasBind: boolean;
  context?: { type: string; instanceId: string } | undefined;
}

/** Where and how a component is mounted. */
export interface MountInput {
  /** Default `default`. */
  instanceId?: string | undefined;
  parent?: { type: string; instanceId: string } | undefined;
  /** A finite number, 0 by default. */
  priority?: number | undefined;
  /** Default `true`. */
  enabled?: boolean | undefined;
  /** Whether the app's guard accepted it. Default `true`. */
  accepted?: boolean | undefined;
}

/** What a component pushes about itself. */
export interface PatchInput {
  registration: RegistrationKey;
  /** For the warning, where the registration has ended. */
  componentType: string;
  enabled?: boolean | undefined;
  availability?: Readonly<Record<string, { available: boolean; reason?: string | undefined }>> | undefined;
}

/** One request. */
export interface RequestInput {
  capabilityId: string;
  invocationId?: string | undefined;
  instanceId?: string | undefined;
  registrationId?: string | undefined;
  surfaceVersion?: string | undefined;
  confirmationId?: string | undefined;
  /** As the host wrote it down, once. A text that the kernel does not take for JSON is an invalid input. */
  input?: JsonText | undefined;
  consumer: Pick<AgentConsumer, "id" | "kind">;
  /** Instead of what capability and limits say. */
  timeoutMs?: number | undefined;
  /** Whether the host gave it up before it began. */
  cancelled?: boolean | undefined;
}

/** Which part of the surface is looked at, and how much of it. */
export interface Query {
  /** Prefixes of component types. Without any, everything is meant. */
  scope?: readonly string[] | undefined;
  /** Default `true`. */
  includeUnavailable?: boolean | undefined;
  maxComponents?: number | undefined;
  maxBytes?: number | undefined;
}
