import {
  authorizeAgentProcedureBinding,
  type AgentProcedureBinding,
  type AgentProcedureContract,
  type AgentRegistrationHandle,
  type AgentSurfaceRegistry,
} from "@agent-surface/core";
import { readAvailability, type Availability } from "@agent-surface/react";
import { bindAgentProcedure, readBoundKeys, runtimeOf, type AgentProcedureBindingConfig } from "./binding.js";
import type { AgentProcedureRef } from "./ref.js";

/* oxlint-disable typescript/no-explicit-any -- what holds a procedure of any input and output has no other word. */
type Config = AgentProcedureBindingConfig<any, any>;

/** What a registration is of. Another one of these is another registration. */
export interface Identity {
  readonly registry: AgentSurfaceRegistry;
  readonly contract: AgentProcedureContract<any, any>;
  readonly ref: AgentProcedureRef<any, any>;
}

/** The component of the view that a procedure belongs to. */
export type Owner = { type: string; instanceId: string } | undefined;

/** Registrations of this page so far. A reference has no place in the view that a name could come from. */
let count = 0;

/** What one hook has registered. */
export class MountedProcedure {
  #live: Live | undefined;
  #instanceId: string | undefined;

  /** Takes over the functions of a commit, as soon as it is one: registries look them up when they need them. */
  adopt(identity: Identity, config: Config): void {
    const live = this.#live;
    if (live === undefined || !isSame(live.identity, identity) || live.shape !== shapeOf(config)) return;
    const none = { unavailableReason: undefined, describe: undefined };
    Object.assign(live.binding.config, none, runtimeOf(config, live.binding.boundKeys));
  }

  /**
   * Registers what a commit has, anew where the registration can't follow it, or tells the registry whether it can be
   * used.
   *
   * @throws AgentSurfaceDefinitionError for what the registry refuses
   */
  commit(identity: Identity, config: Config, owner: Owner): void {
    const shape = shapeOf(config);
    const boundKeys = readBoundKeys(config.bind);
    const live = this.#live;
    const isLive = live !== undefined && isSame(live.identity, identity) && live.shape === shape;
    // One that can't say what it binds keeps what it has bound: its calls fail until it can.
    if (isLive && (boundKeys === undefined || isSameSet(boundKeys, live.binding.boundKeys))) {
      return live.tell(config);
    }
    this.end();
    this.#instanceId ??= `ref-${++count}`;
    this.#live = new Live(identity, shape, config, this.#instanceId, owner);
  }

  /** Ends the registration. */
  end(): void {
    this.#live?.handle.unregister();
    this.#live = undefined;
  }
}

/** A registration. */
class Live {
  readonly identity: Identity;
  readonly shape: string;
  readonly binding: AgentProcedureBinding;
  readonly handle: AgentRegistrationHandle;
  /** What the registry knows. It asks `when` itself, so that nothing is to tell at first. */
  #said: Availability;

  constructor(identity: Identity, shape: string, config: Config, instanceId: string, owner: Owner) {
    const { registry, contract, ref } = identity;
    this.identity = identity;
    this.shape = shape;
    this.binding = bindAgentProcedure(ref, withConsent(config, contract));
    if (owner !== undefined) this.binding.contextLink = { ...owner };
    this.handle = registry.register(
      authorizeAgentProcedureBinding(contract, {
        // It stands for no component, so that catalogues have the procedure alone.
        type: "orpc-ref",
        instanceId,
        description: `Refers to ${ref.path}`,
        procedures: [this.binding],
      }),
    );
    this.#said = readAvailability(config) ?? true;
  }

  tell(config: Config): void {
    const said = readAvailability(config) ?? true;
    if (said === this.#said || this.handle.status !== "active") return;
    this.#said = said;
    const now = said === true ? { available: true } : { available: false, reason: said };
    this.handle.update({ availability: { [this.identity.ref.path]: now } });
  }
}

/** The consent that the contract asks for is what a component asks for that says nothing of it. */
function withConsent(config: Config, { definition }: AgentProcedureContract<any, any>): Config {
  const { confirmation } = definition;
  return confirmation === undefined || confirmation === "never" ? config : { confirmation, ...config };
}

/** What a registration freezes of a configuration, but for the fields that it binds. */
function shapeOf(config: Config): string {
  const { when, bind, overridableFields, confirmation, policies, meta, concurrency } = config;
  return JSON.stringify([
    when !== undefined,
    bind !== undefined,
    overridableFields,
    confirmation,
    policies?.map(({ name }) => name),
    meta,
    concurrency,
  ]);
}

function isSame(a: Identity, b: Identity): boolean {
  return a.registry === b.registry && a.contract === b.contract && a.ref === b.ref;
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item) => b.includes(item));
}
