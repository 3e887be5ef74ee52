import type {
  AgentComponentDefinition,
  AgentRegistrationHandle,
  AgentSurfaceRegistry,
  RegistrationPatch,
} from "@agent-surface/core";
import { readAvailability, type Availability } from "./availability.js";

/** What a registration is of. Another one of these is another registration. */
export interface Identity {
  readonly registry: AgentSurfaceRegistry;
  readonly contract: object;
  readonly instanceId: string;
  readonly shape: string;
}

/** A registration that a mounted component holds. */
export class Mounted {
  readonly identity: Identity;
  readonly handle: AgentRegistrationHandle;
  readonly #definition: AgentComponentDefinition;
  /** What the registry knows, by the name of the capability. It asks `when` itself, so nothing is to tell at first. */
  readonly #said = new Map<string, Availability>();
  #enabled: boolean;

  /** @throws AgentSurfaceDefinitionError for what the registry refuses */
  constructor(identity: Identity, definition: AgentComponentDefinition) {
    this.identity = identity;
    this.#definition = definition;
    this.#enabled = definition.enabled !== false;
    this.handle = identity.registry.register(definition);
  }

  /** Takes over the functions of a definition of the same identity: registries look them up when they need them. */
  adopt({ observations, actions }: AgentComponentDefinition): void {
    Object.assign(this.#definition, { observations, actions });
  }

  /** Tells the registry what has changed of a definition's availability. */
  push({ enabled = true, observations, actions }: AgentComponentDefinition): void {
    if (this.handle.status !== "active") return;
    const availability: NonNullable<RegistrationPatch["availability"]> = {};
    const patch: RegistrationPatch = {};
    for (const capabilities of [observations, actions]) {
      for (const name in capabilities) {
        const said = readAvailability(capabilities[name]);
        const before = this.#said.get(name);
        if (said === undefined || said === before) continue;
        this.#said.set(name, said);
        if (before === undefined) continue;
        availability[name] = said === true ? { available: true } : { available: false, reason: said };
        patch.availability = availability;
      }
    }
    if (enabled !== this.#enabled) patch.enabled = this.#enabled = enabled;
    if (patch.availability !== undefined || patch.enabled !== undefined) this.handle.update(patch);
  }
}
