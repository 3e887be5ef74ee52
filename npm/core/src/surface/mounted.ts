import type { AgentComponentDefinition } from "../definition.js";
import { deepFreeze } from "../json.js";
import type { RegistrationKey } from "../kernel/words.js";
import type { AgentPolicyContext } from "../policy.js";
import type { AgentConsumer, AgentEnvironment, JsonValue } from "../types.js";
import type { Described, DescribedCapability } from "./describe.js";
import type { Chain } from "./guards.js";

type Meta = Record<string, JsonValue>;

/** A live registration: what of it is the host's business. The kernel has the rest. */
export class Mounted {
  readonly key: RegistrationKey;
  readonly id: string;
  readonly type: string;
  readonly instanceId: string;
  /** Handlers are looked up here at the moment they are needed, so that an adapter may swap them. */
  readonly definition: AgentComponentDefinition;
  readonly capabilities: readonly MountedCapability[];
  readonly internal: Readonly<Record<string, unknown>>;
  readonly meta: Meta | undefined;

  constructor(
    key: RegistrationKey,
    id: string,
    definition: AgentComponentDefinition,
    { component, mount, guards, capabilities, internal }: Described,
    outer: Chain,
  ) {
    this.key = key;
    this.id = id;
    this.type = component.type;
    this.instanceId = mount.instanceId ?? "default";
    this.definition = definition;
    this.internal = internal;
    this.meta = readMeta(component.meta);
    const chain = outer.with(guards);
    this.capabilities = capabilities.map((capability, index) => {
      const input = component.capabilities[index];
      return new MountedCapability(this, index, capability, input?.meta, chain.with(capability.guards));
    });
  }
}

/** The functions that a capability may have, as its definition has them right now. */
export interface Handlers {
  when?: (() => boolean) | undefined;
  unavailableReason?: string | (() => string) | undefined;
}

/** A capability of a live registration. */
export class MountedCapability {
  readonly mounted: Mounted;
  readonly index: number;
  readonly id: string;
  readonly described: DescribedCapability;
  readonly meta: Meta | undefined;
  readonly chain: Chain;

  constructor(
    mounted: Mounted,
    index: number,
    described: DescribedCapability,
    meta: string | undefined,
    chain: Chain,
  ) {
    this.mounted = mounted;
    this.index = index;
    this.described = described;
    this.id =
      described.kind === "procedure" ? `domain:${described.name}` : `view:${mounted.type}.${described.name}`;
    this.meta = readMeta(meta);
    this.chain = chain;
  }

  /** The observation with its handler, as it is now. */
  get observation() {
    return own(this.mounted.definition.observations, this.described.name);
  }

  /** The action with its handler, as it is now. */
  get action() {
    return own(this.mounted.definition.actions, this.described.name);
  }

  /** What says whether it can be used, as it is now. */
  get handlers(): Handlers | undefined {
    switch (this.described.kind) {
      case "observation":
        return this.observation;
      case "action":
        return this.action;
      case "procedure":
        return this.described.binding?.config;
    }
  }

  /** What every policy may know. */
  context(
    consumer: AgentConsumer,
    host: Readonly<Record<string, unknown>>,
    environment: AgentEnvironment,
    now: () => number,
  ): AgentPolicyContext {
    const { kind, effect } = this.described;
    const meta: AgentPolicyContext["meta"] = {};
    if (this.mounted.meta !== undefined) meta.component = this.mounted.meta;
    if (this.meta !== undefined) meta.capability = this.meta;
    return {
      capabilityId: this.id,
      plane: kind === "procedure" ? "domain" : "view",
      kind,
      effect,
      registrationId: this.mounted.id,
      consumer,
      host,
      meta,
      internal: this.mounted.internal,
      environment,
      now,
    };
  }
}

function own<T>(record: Record<string, T> | undefined, name: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

function readMeta(text: string | undefined): Meta | undefined {
  return text === undefined ? undefined : deepFreeze(JSON.parse(text) as Meta);
}
