/* oxlint-disable typescript/no-explicit-any -- a record of handlers has a different input and output in each
   member; only `any` stands in for all of them, as a parameter and as a result. */
import type { AgentPolicy } from "./policy.js";
import type { AgentSchema } from "./schema.js";
import type {
  AgentConcurrency,
  AgentConfirmation,
  AgentConsumer,
  AgentProcedureEffect,
  JsonSchema,
  JsonValue,
} from "./types.js";

/** What a handler that only reads is told. */
export interface AgentReadContext {
  capabilityId: string;
  registrationId: string;
  consumer: AgentConsumer;
  /** What the registry's `context()` returned: user, tenant and the like. */
  host: Readonly<Record<string, unknown>>;
}

/** What a handler that acts is told. */
export interface AgentActionContext extends AgentReadContext {
  invocationId: string;
  /** Aborts on timeout, cancellation and unmount. Nothing can stop a handler that does not listen. */
  signal: AbortSignal;
  /** The user's consent, where the invocation carries it. */
  confirmation?: { id: string; approvedAt: string };
}

/** Why an action cannot be done right now. Both members are shown to the agent. */
export interface PreconditionFailure {
  message: string;
  details?: Record<string, JsonValue>;
}

/** An observation with its handler. */
export interface AgentObservationDefinition<TOut extends JsonValue> {
  /** At most 300 characters, shown to the agent. */
  description: string;
  output: AgentSchema<TOut>;
  /** Reads the state, and changes nothing. */
  read(ctx: AgentReadContext): TOut | Promise<TOut>;
  /** Whether it is available; asked for every catalogue and every invocation. */
  when?: () => boolean;
  unavailableReason?: string | (() => string);
  policies?: AgentPolicy[];
  meta?: Record<string, JsonValue>;
  /** In milliseconds. */
  timeoutMs?: number;
}

/** An action with its handler. */
export interface AgentActionDefinition<TIn extends JsonValue, TOut extends JsonValue | void = void> {
  /** At most 300 characters, shown to the agent. */
  description: string;
  input: AgentSchema<TIn>;
  output?: AgentSchema<Exclude<TOut, void>>;
  /** What happens on a server is a procedure's business. */
  effect: "local-state" | "navigation";
  /** Default `false`. */
  idempotent?: boolean;
  /** Default `true`. */
  reversible?: boolean;
  /** Default `"never"`. */
  confirmation?: AgentConfirmation;
  /** Default `"metadata"`. */
  audit?: "none" | "metadata" | "full";
  /** Whether it is available; asked for every catalogue and every invocation. */
  when?: () => boolean;
  unavailableReason?: string | (() => string);
  /** What the schema cannot say about the input. Returns or throws a failure, or returns nothing to pass. */
  precondition?(input: TIn, ctx: AgentReadContext): void | PreconditionFailure;
  /** Does it. The output schema alone decides the type of the result. */
  execute(input: TIn, ctx: AgentActionContext): NoInfer<TOut> | Promise<NoInfer<TOut>>;
  policies?: AgentPolicy[];
  meta?: Record<string, JsonValue>;
  /** In milliseconds. */
  timeoutMs?: number;
  /** Which other invocations it waits for. Default: all actions of the same registration. */
  concurrency?: AgentConcurrency;
}

/** A backend procedure that a component refers to. */
export interface AgentProcedureRefDescriptor {
  /** `domain:` and the path. */
  readonly id: string;
  /** What the backend calls it: `devices.disable`. */
  readonly path: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly effect: AgentProcedureEffect;
  /** Whether the server itself asks for approval. */
  readonly requiresApproval?: boolean;
}

/** What an executor is told of a call, beside its input. */
export interface ProcedureCallInfo {
  invocationId: string;
  consumer: AgentConsumer;
  /** Aborts on timeout, cancellation and unmount. */
  signal: AbortSignal;
  /** The user's consent, where the invocation carries it. To a server it is information, not authority. */
  confirmation?: { id: string; approvedAt: string };
}

/** What calls the backend: an adapter's client. */
export interface AgentProcedureExecutor {
  /** Calls a procedure with a completed input that satisfies its schema. The server judges it all the same. */
  execute(request: { path: string; input: JsonValue; info: ProcedureCallInfo }): Promise<JsonValue>;
  /** The paths that the backend exposes, so that a component that has the name of one of them is noticed. */
  paths?: ReadonlyArray<string>;
}

/** What a component adds to a procedure that it refers to. */
export interface AgentProcedureBindingRuntimeConfig {
  /** Whether it is available; asked for every catalogue and every invocation. */
  when?: () => boolean;
  unavailableReason?: string | (() => string);
  /** Input that comes from the page, taken at the moment of execution. */
  bind?: () => Record<string, JsonValue>;
  /** Bound fields that an agent may still set. */
  overridableFields?: ReadonlyArray<string>;
  /** Asks for more consent than the contract does, never for less. */
  confirmation?: "optional" | "required";
  policies?: AgentPolicy[];
  /** A sentence about the present situation, appended to the description. */
  describe?: () => string;
  meta?: Record<string, JsonValue>;
  /** Which other invocations it waits for. Default: those of the same procedure and registration. */
  concurrency?: AgentConcurrency;
}

/** A reference to a procedure, as an adapter makes it. */
export interface AgentProcedureBinding<TIn extends object = object, TOut = unknown> {
  readonly kind: "procedure-binding";
  readonly ref: AgentProcedureRefDescriptor;
  readonly config: AgentProcedureBindingRuntimeConfig;
  /** The fields that `bind()` supplies. */
  readonly boundKeys: ReadonlyArray<string>;
  /** Of those, the ones that an agent may not set. */
  readonly lockedKeys: ReadonlyArray<string>;
  /** The input schema without the locked fields. */
  readonly reducedInputSchema: JsonSchema;
  /** The component it belongs to. */
  contextLink?: { type: string; instanceId: string };
  /** Carries the types; there is nothing at runtime. */
  readonly __types?: { input: TIn; output: TOut };
}

/** A component with its handlers: what `.bind()` returns and a registry takes. */
export interface AgentComponentDefinition {
  /** For example `devices.table`. */
  type: string;
  /** Tells mounts of one type apart. Derived from data, never from the order of rendering. Default `"default"`. */
  instanceId?: string;
  /** At most 500 characters, shown to the agent. */
  description: string;
  /** The component it stands in. */
  parent?: { type: string; instanceId?: string };
  /** At most 2 kB as JSON, shown to the agent. */
  meta?: Record<string, JsonValue>;
  /** For policies and audit sinks; no agent ever sees it. */
  internal?: Record<string, unknown>;
  /** Hold for every capability of the component. */
  policies?: AgentPolicy[];
  /** Who registers it. Default `"first-party"`. */
  origin?: string;
  /** What has more stays longer in a catalogue that is cut. Default 0. */
  priority?: number;
  /** `false` makes every capability visible and unavailable, and keeps the registration. */
  enabled?: boolean;
  observations?: Record<string, AgentObservationDefinition<any>>;
  actions?: Record<string, AgentActionDefinition<any, any>>;
  procedures?: AgentProcedureBinding<any, any>[];
}

/** Writes an observation down, with the types that its schema gives. */
export function observation<TOut extends JsonValue>(
  definition: AgentObservationDefinition<TOut>,
): AgentObservationDefinition<TOut> {
  return definition;
}

/** Writes an action down, with the types that its schemas give. */
export function action<TIn extends JsonValue, TOut extends JsonValue | void = void>(
  definition: AgentActionDefinition<TIn, TOut>,
): AgentActionDefinition<TIn, TOut> {
  return definition;
}

/**
 * Writes a component down by hand, for tools and for looking at it. No registry takes what no compiler has proven:
 * an app declares with `defineAgentComponentContract` and registers what `.bind()` returns.
 */
export function defineAgentComponent(definition: AgentComponentDefinition): AgentComponentDefinition {
  return definition;
}
