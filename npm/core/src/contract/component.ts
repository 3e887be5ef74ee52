/* oxlint-disable typescript/no-explicit-any -- a record of contracts has a different input and output in each
   member; only `any` stands in for all of them. */
/* oxlint-disable typescript/unbound-method -- handlers move from the bindings to the definition, whose methods they
   then are. */
import type {
  AgentActionContext,
  AgentActionDefinition,
  AgentComponentDefinition,
  AgentObservationDefinition,
  AgentProcedureBinding,
  AgentReadContext,
  PreconditionFailure,
} from "../definition.js";
import { AgentSurfaceDefinitionError } from "../errors.js";
import type { CapabilityPolicyAttachment } from "../manifest.js";
import type { AgentPolicy } from "../policy.js";
import type { AgentSchema } from "../schema.js";
import type { AgentConcurrency, AgentConfirmation, JsonValue } from "../types.js";
import { Expansion } from "./expansion.js";
import { proofs, readProof } from "./proof.js";

/** What an observation promises, before it is bound to a handler. */
export interface AgentObservationContract<TOut extends JsonValue> {
  /** At most 300 characters, shown to the agent. */
  description: string;
  output: AgentSchema<TOut>;
  meta?: Record<string, JsonValue>;
  /** In milliseconds. */
  timeoutMs?: number;
  /** Policies that must be there at registration. */
  policies?: CapabilityPolicyAttachment[];
  tags?: string[];
}

/** What an action promises, before it is bound to a handler. */
export interface AgentActionContract<TIn extends JsonValue, TOut extends JsonValue | void = void> {
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
  meta?: Record<string, JsonValue>;
  /** In milliseconds. */
  timeoutMs?: number;
  /** Default: waits for all actions of the same registration. */
  concurrency?: AgentConcurrency;
  /** Policies that must be there at registration. */
  policies?: CapabilityPolicyAttachment[];
  tags?: string[];
}

type ObservationContracts = Record<string, AgentObservationContract<any>>;
type ActionContracts = Record<string, AgentActionContract<any, any>>;

/** What an author declares of a component. */
export interface AgentComponentContractDefinition<
  TObservations extends Record<string, AgentObservationContract<any>> = ObservationContracts,
  TActions extends Record<string, AgentActionContract<any, any>> = ActionContracts,
> {
  /** For example `devices.table`. */
  type: string;
  /** At most 500 characters, shown to the agent. */
  description: string;
  meta?: Record<string, JsonValue>;
  origin?: string;
  priority?: number;
  /** Policies that must be there for every capability. */
  policies?: CapabilityPolicyAttachment[];
  /** Tags of every capability. */
  tags?: string[];
  observations?: TObservations;
  actions?: TActions;
}

type ObservationBindings<C> =
  C extends AgentObservationContract<infer TOut>
    ? {
        read(ctx: AgentReadContext): TOut | Promise<TOut>;
        when?: () => boolean;
        unavailableReason?: string | (() => string);
        policies?: AgentPolicy[];
      }
    : never;

type ActionBindings<C> =
  C extends AgentActionContract<infer TIn, infer TOut>
    ? {
        execute(input: TIn, ctx: AgentActionContext): TOut | Promise<TOut>;
        when?: () => boolean;
        unavailableReason?: string | (() => string);
        precondition?(input: TIn, ctx: AgentReadContext): void | PreconditionFailure;
        policies?: AgentPolicy[];
      }
    : never;

/** What a mounted component adds to its contract: handlers, availability, more policies. */
export interface AgentComponentRuntimeBindings<
  TObservations extends Record<string, AgentObservationContract<any>>,
  TActions extends Record<string, AgentActionContract<any, any>>,
> {
  /** Default `"default"`. */
  instanceId?: string;
  parent?: { type: string; instanceId?: string };
  internal?: Record<string, unknown>;
  enabled?: boolean;
  policies?: AgentPolicy[];
  /** One for each declared observation. */
  observations?: { [K in keyof TObservations]: ObservationBindings<TObservations[K]> };
  /** One for each declared action. */
  actions?: { [K in keyof TActions]: ActionBindings<TActions[K]> };
  procedures?: AgentProcedureBinding<any, any>[];
}

/** A declared component, to be bound wherever it is mounted. */
export interface AgentComponentContract<
  TObservations extends Record<string, AgentObservationContract<any>>,
  TActions extends Record<string, AgentActionContract<any, any>>,
> extends AgentComponentContractDefinition<TObservations, TActions> {
  readonly kind: "agent-component-contract";
  /**
   * Puts live handlers to the contract. What the contract says cannot be changed by it.
   *
   * @throws AgentSurfaceDefinitionError INVALID_DEFINITION where a declared capability gets no handler
   */
  bind(bindings: AgentComponentRuntimeBindings<TObservations, TActions>): AgentComponentDefinition;
}

/** Declares an observation; the schema gives the handler its type. */
export function observationContract<TOut extends JsonValue>(
  contract: AgentObservationContract<TOut>,
): AgentObservationContract<TOut> {
  return contract;
}

/** Declares an action; the schemas give the handler its types. */
export function actionContract<TIn extends JsonValue, TOut extends JsonValue | void = void>(
  contract: AgentActionContract<TIn, TOut>,
): AgentActionContract<TIn, TOut> {
  return contract;
}

/**
 * Declares a component: a macro. The compiler evaluates the argument, and what ships is the evaluated literal and
 * its proof. A call that no compiler has seen gives a contract that can be looked at and bound, but no registry
 * takes what comes of it.
 */
export function defineAgentComponentContract<
  TObservations extends Record<string, AgentObservationContract<any>> = Record<never, never>,
  TActions extends Record<string, AgentActionContract<any, any>> = Record<never, never>,
>(
  definition: AgentComponentContractDefinition<TObservations, TActions>,
): AgentComponentContract<TObservations, TActions>;
export function defineAgentComponentContract<
  TObservations extends ObservationContracts,
  TActions extends ActionContracts,
>(
  definition: AgentComponentContractDefinition<TObservations, TActions>,
  proofText?: unknown,
  author?: unknown,
): AgentComponentContract<TObservations, TActions> {
  const proof = readProof(proofText);
  const declared = proof ? expand(definition, new Expansion(proof, author)) : definition;
  return Object.freeze({
    ...declared,
    kind: "agent-component-contract" as const,
    bind(bindings: AgentComponentRuntimeBindings<TObservations, TActions>) {
      const bound = bind(declared, bindings);
      if (proof) proofs.components.set(bound, proof);
      return bound;
    },
  });
}

/**
 * Hands a binding's proof on to a definition that an adapter derived from it, with handlers that delegate to
 * the latest ones, for example.
 */
export function deriveAgentComponentBinding(
  source: AgentComponentDefinition,
  derived: AgentComponentDefinition,
): AgentComponentDefinition {
  const proof = proofs.components.get(source);
  if (proof) proofs.components.set(derived, proof);
  return derived;
}

function expand<TObservations extends ObservationContracts, TActions extends ActionContracts>(
  definition: AgentComponentContractDefinition<TObservations, TActions>,
  expansion: Expansion,
): AgentComponentContractDefinition<TObservations, TActions> {
  const { observations, actions, ...own } = definition;
  return Object.freeze({
    ...expansion.schemas(own, [], []),
    ...(observations && {
      observations: expansion.each(observations, ["observations"], ["output"]) as TObservations,
    }),
    ...(actions && { actions: expansion.each(actions, ["actions"], ["input", "output"]) as TActions }),
  });
}

function bind(
  definition: AgentComponentContractDefinition,
  bindings: AgentComponentRuntimeBindings<ObservationContracts, ActionContracts>,
): AgentComponentDefinition {
  const { type, description, meta, origin, priority } = definition;
  const { instanceId, parent, internal, policies, enabled, procedures } = bindings;
  const observations = entries(definition.observations).map(([name, contract]) => {
    const binding = bindings.observations?.[name];
    if (typeof binding?.read !== "function") throw unbound(type, "observation", name);
    return [name, bindObservation(contract, binding)] as const;
  });
  const actions = entries(definition.actions).map(([name, contract]) => {
    const binding = bindings.actions?.[name];
    if (typeof binding?.execute !== "function") throw unbound(type, "action", name);
    return [name, bindAction(contract, binding)] as const;
  });
  return defined({
    type,
    description,
    instanceId,
    parent,
    meta,
    internal,
    policies,
    origin,
    priority,
    enabled,
    observations: observations.length > 0 ? Object.fromEntries(observations) : undefined,
    actions: actions.length > 0 ? Object.fromEntries(actions) : undefined,
    procedures,
  });
}

function bindObservation(
  { description, output, meta, timeoutMs }: AgentObservationContract<any>,
  { read, when, unavailableReason, policies }: ObservationBindings<AgentObservationContract<any>>,
): AgentObservationDefinition<any> {
  return defined({ description, output, meta, timeoutMs, read, when, unavailableReason, policies });
}

function bindAction(
  contract: AgentActionContract<any, any>,
  { execute, when, unavailableReason, precondition, policies }: ActionBindings<AgentActionContract<any, any>>,
): AgentActionDefinition<any, any> {
  // The contract's own policies are a demand, which the registry holds against the ones that are bound.
  const { description, input, output, effect, idempotent, reversible, confirmation, audit } = contract;
  const { meta, timeoutMs, concurrency } = contract;
  return defined({
    description,
    input,
    output,
    effect,
    idempotent,
    reversible,
    confirmation,
    audit,
    meta,
    timeoutMs,
    concurrency,
    execute,
    when,
    unavailableReason,
    precondition,
    policies,
  });
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the members that are `undefined`: to a registry, a member that is there has a meaning. */
function defined<T extends object>(members: T): Defined<T> {
  // A loop: React components bind in every rendering, and lists of entries are most of what that costs.
  const kept: { [K in keyof T]?: unknown } = {};
  for (const key in members) {
    if (members[key] !== undefined) kept[key] = members[key];
  }
  return kept as Defined<T>;
}

function unbound(type: string, kind: string, name: string): AgentSurfaceDefinitionError {
  return new AgentSurfaceDefinitionError(
    "INVALID_DEFINITION",
    `contract "${type}" ${kind} "${name}" has no runtime binding`,
  );
}

function entries<T>(record: Record<string, T> | undefined): [string, T][] {
  return record === undefined ? [] : Object.entries(record);
}
