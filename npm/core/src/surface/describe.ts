/* oxlint-disable typescript/no-explicit-any -- definitions hold handlers of any input and output. */
import { proofs } from "../contract/proof.js";
import type {
  AgentActionDefinition,
  AgentComponentDefinition,
  AgentObservationDefinition,
  AgentProcedureBinding,
} from "../definition.js";
import { AgentSurfaceDefinitionError, type AgentSurfaceDefinitionErrorCode } from "../errors.js";
import { NotJsonError, writeJson } from "../json.js";
import type { BindingInput, CapabilityInput, ComponentInput, MountInput } from "../kernel/input.js";
import type { AgentPolicy } from "../policy.js";
import { isValidatedByKernel, sealedText, type AgentSchema } from "../schema.js";
import type { AgentConcurrency, AgentEffect } from "../types.js";
import { takePolicies, type Guard } from "./guards.js";

/** A definition as it was when it was read: each of its members once. */
export interface Described {
  readonly component: ComponentInput;
  readonly mount: MountInput;
  /** The policies of the component. */
  readonly guards: readonly Guard[];
  /** By index, as everywhere else. */
  readonly capabilities: readonly DescribedCapability[];
  readonly internal: Readonly<Record<string, unknown>>;
}

/** What of a capability is the host's business. */
export interface DescribedCapability {
  readonly kind: "observation" | "action" | "procedure";
  readonly name: string;
  readonly description: string;
  readonly effect: AgentEffect;
  /** Its own policies. */
  readonly guards: readonly Guard[];
  /** Where its validators are the host's. */
  readonly input: AgentSchema<unknown> | undefined;
  readonly output: AgentSchema<unknown> | undefined;
  /** Of a procedure. */
  readonly binding: AgentProcedureBinding<any, any> | undefined;
}

/** The members that a definition may have, and its capabilities. What is none of them was meant to be something else. */
const COMPONENT = new Set(
  [
    "type instanceId description parent meta internal policies origin priority enabled".split(" "),
    ["observations", "actions", "procedures"],
  ].flat(),
);
const OBSERVATION = new Set(
  "description output read when unavailableReason policies meta timeoutMs".split(" "),
);
const ACTION = new Set(
  [
    "description input output effect idempotent reversible confirmation audit when unavailableReason".split(
      " ",
    ),
    "precondition execute policies meta timeoutMs concurrency".split(" "),
  ].flat(),
);

const EFFECTS: readonly unknown[] = [
  "read",
  "local-state",
  "navigation",
  "server-query",
  "server-mutation",
  "external-side-effect",
  "destructive",
] satisfies AgentEffect[];
const CONFIRMATIONS: readonly unknown[] = ["never", "optional", "required"];
const AUDITS: readonly unknown[] = ["none", "metadata", "full"];
const MODES: readonly unknown[] = ["instance", "capability", "key", "parallel"];

/**
 * Reads a definition for the kernel, which judges it. What is refused here is what only JavaScript can get wrong: a
 * handler that is no function, a member of another type than its own.
 *
 * @throws AgentSurfaceDefinitionError
 */
export function describe(definition: AgentComponentDefinition): Described {
  if (typeof definition !== "object" || definition === null) {
    throw refusal("INVALID_DEFINITION", "a definition is an object");
  }
  // One spread reads each member once.
  const members = { ...definition };
  const { type } = members;
  if (typeof type !== "string")
    throw refusal("INVALID_ID", `the type of a component is no string: ${String(type)}`);
  const at = new Place(`the component "${type}"`);
  at.knows(members, COMPONENT);
  const guards = takePolicies(at.policies(members.policies), "component");
  const capabilities: DescribedCapability[] = [];
  const inputs: CapabilityInput[] = [];
  const add = ([input, described]: Read): void => {
    inputs.push(input);
    capabilities.push(described);
  };
  for (const [name, observation] of at.members(members.observations)) {
    add(readObservation(name, observation, new Place(`the observation "${type}.${name}"`)));
  }
  for (const [name, action] of at.members(members.actions)) {
    add(readAction(name, action, new Place(`the action "${type}.${name}"`)));
  }
  for (const binding of members.procedures ?? []) add(readProcedure(binding, at));
  const internal: unknown = members.internal;
  return {
    component: {
      type,
      description: at.string(members.description, "description"),
      meta: at.json(members.meta, "meta"),
      origin: at.optionalString(members.origin, "origin"),
      policies: inputsOf(guards),
      capabilities: inputs,
      proof: proofs.components.get(definition),
    },
    mount: {
      instanceId: at.optionalString(members.instanceId, "instanceId"),
      parent: at.link(members.parent),
      priority: at.number(members.priority, "priority"),
      enabled: members.enabled !== false,
    },
    guards,
    capabilities,
    internal: Object.freeze({ ...(internal as Record<string, unknown> | undefined) }),
  };
}

type Read = readonly [input: CapabilityInput, described: DescribedCapability];

function readObservation(name: string, definition: AgentObservationDefinition<any>, at: Place): Read {
  const members = { ...definition };
  at.knows(members, OBSERVATION);
  // oxlint-disable-next-line typescript/unbound-method -- it is looked at and not called
  at.handler(members.read, "read");
  const output = at.schema(members.output, "output");
  const guards = takePolicies(at.policies(members.policies), "capability");
  const input: CapabilityInput = {
    name,
    kind: "observation",
    description: at.string(members.description, "description"),
    effect: "read",
    outputSchema: at.document(output, "output"),
    hostParsesInput: false,
    hostChecksOutput: !isValidatedByKernel(output),
    meta: at.json(members.meta, "meta"),
    timeoutMs: at.millis(members.timeoutMs, "timeoutMs"),
    policies: inputsOf(guards),
    hasWhen: typeof members.when === "function",
    hasPrecondition: false,
  };
  return [input, describedAs(input, guards, { output })];
}

function readAction(name: string, definition: AgentActionDefinition<any, any>, at: Place): Read {
  const members = { ...definition };
  at.knows(members, ACTION);
  // oxlint-disable-next-line typescript/unbound-method -- it is looked at and not called
  at.handler(members.execute, "execute");
  const input = at.schema(members.input, "input");
  const output = members.output === undefined ? undefined : at.schema(members.output, "output");
  const guards = takePolicies(at.policies(members.policies), "capability");
  const effect = at.word(members.effect, EFFECTS, "effect");
  const read: CapabilityInput = {
    name,
    kind: "action",
    description: at.string(members.description, "description"),
    effect,
    inputSchema: at.document(input, "input"),
    outputSchema: output && at.document(output, "output"),
    hostParsesInput: !isValidatedByKernel(input),
    hostChecksOutput: output !== undefined && !isValidatedByKernel(output),
    idempotent: members.idempotent === undefined ? undefined : Boolean(members.idempotent),
    reversible: members.reversible === undefined ? undefined : Boolean(members.reversible),
    confirmation: at.optionalWord(members.confirmation, CONFIRMATIONS, "confirmation"),
    audit: at.optionalWord(members.audit, AUDITS, "audit"),
    meta: at.json(members.meta, "meta"),
    timeoutMs: at.millis(members.timeoutMs, "timeoutMs"),
    concurrency: at.concurrency(members.concurrency),
    policies: inputsOf(guards),
    hasWhen: typeof members.when === "function",
    hasPrecondition: typeof members.precondition === "function",
  };
  return [read, describedAs(read, guards, { input, output })];
}

function readProcedure(binding: AgentProcedureBinding<any, any>, component: Place): Read {
  if (binding?.kind !== "procedure-binding") {
    throw component.refuse("has a procedure that no procedure contract was bound to");
  }
  const { ref, config, boundKeys, lockedKeys, reducedInputSchema, contextLink } = binding;
  const { path } = ref ?? {};
  if (typeof path !== "string" || ref.id !== `domain:${path}`) {
    throw component.refuse("has a procedure whose id is not that of its path");
  }
  const at = new Place(`the procedure "domain:${path}"`);
  const effect = at.word(ref.effect, EFFECTS, "effect");
  const guards = takePolicies(at.policies(config.policies), "capability");
  const input: CapabilityInput = {
    name: path,
    kind: "procedure",
    description: at.string(ref.description, "description"),
    effect,
    inputSchema: at.json(ref.inputSchema, "inputSchema"),
    outputSchema: at.json(ref.outputSchema, "outputSchema"),
    hostParsesInput: false,
    hostChecksOutput: false,
    confirmation: at.optionalWord(config.confirmation, CONFIRMATIONS, "confirmation"),
    meta: at.json(config.meta, "meta"),
    concurrency: at.concurrency(config.concurrency),
    policies: inputsOf(guards),
    hasWhen: typeof config.when === "function",
    hasPrecondition: false,
    binding: {
      agentSchema: at.required(reducedInputSchema, "schema of what an agent supplies"),
      ...readFields(boundKeys, lockedKeys, config.overridableFields),
      requiresApproval: ref.requiresApproval === true,
      hasBind: typeof config.bind === "function",
      context: at.link(contextLink),
    },
  };
  return [input, describedAs(input, guards, { binding })];
}

function describedAs(
  { kind, name, description, effect, hostParsesInput, hostChecksOutput }: CapabilityInput,
  guards: readonly Guard[],
  own: Partial<Pick<DescribedCapability, "input" | "output" | "binding">>,
): DescribedCapability {
  return {
    kind,
    name,
    description,
    effect,
    guards,
    input: hostParsesInput ? own.input : undefined,
    output: hostChecksOutput ? own.output : undefined,
    binding: own.binding,
  };
}

function readFields(
  boundKeys: Iterable<string>,
  lockedKeys: Iterable<string> | undefined,
  overridable: Iterable<string> | undefined,
): Pick<BindingInput, "bound" | "locked"> {
  const bound = Array.from(boundKeys, String);
  const free = new Set(overridable);
  return {
    bound,
    locked: lockedKeys ? Array.from(lockedKeys, String) : bound.filter((key) => !free.has(key)),
  };
}

const NO_POLICIES: ComponentInput["policies"] = Object.freeze([]);

function inputsOf(guards: readonly Guard[]): ComponentInput["policies"] {
  return guards.length === 0 ? NO_POLICIES : guards.map(inputOf);
}

function inputOf({
  name,
  discovery,
  authorize,
  invoke,
  escalates,
}: Guard): ComponentInput["policies"][number] {
  return { name, discovery, authorize, invoke, escalates };
}

function refusal(code: AgentSurfaceDefinitionErrorCode, message: string): AgentSurfaceDefinitionError {
  return new AgentSurfaceDefinitionError(code, message);
}

/** A part of a definition, by which its members are called in a refusal. */
class Place {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  refuse(what: string): AgentSurfaceDefinitionError {
    return refusal("INVALID_DEFINITION", `${this.#name} ${what}`);
  }

  knows(members: object, known: ReadonlySet<string>): void {
    for (const key of Object.keys(members)) {
      if (!known.has(key)) throw this.refuse(`has a member "${key}", which means nothing`);
    }
  }

  members<T>(record: Record<string, T> | undefined): [string, T][] {
    if (record === undefined) return [];
    if (typeof record !== "object" || record === null)
      throw this.refuse("has capabilities that are no object");
    return Object.entries(record);
  }

  string(value: unknown, member: string): string {
    if (typeof value !== "string") throw this.refuse(`has no ${member}`);
    return value;
  }

  optionalString(value: unknown, member: string): string | undefined {
    return value === undefined ? undefined : this.string(value, `${member} that is a string`);
  }

  number(value: unknown, member: string): number | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== "number" || !Number.isFinite(value))
      throw this.refuse(`has a ${member} that is no number`);
    return value;
  }

  millis(value: unknown, member: string): number | undefined {
    const millis = this.number(value, member);
    return millis === undefined ? undefined : wholeNumber(millis);
  }

  word<T extends string>(value: T, words: readonly unknown[], member: string): T {
    if (!words.includes(value)) throw this.refuse(`has an unknown ${member}: ${String(value)}`);
    return value;
  }

  optionalWord<T extends string>(
    value: T | undefined,
    words: readonly unknown[],
    member: string,
  ): T | undefined {
    return value === undefined ? undefined : this.word(value, words, member);
  }

  handler(value: unknown, member: string): void {
    if (typeof value !== "function") throw this.refuse(`has no ${member}()`);
  }

  policies(value: AgentPolicy[] | undefined): readonly AgentPolicy[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.refuse("has policies that are no array");
    return value;
  }

  schema(value: AgentSchema<any>, member: string): AgentSchema<unknown> {
    const isSchema =
      typeof value === "object" &&
      value !== null &&
      typeof value.jsonSchema === "object" &&
      value.jsonSchema !== null &&
      typeof value.parse === "function";
    if (!isSchema) throw this.refuse(`has no ${member} schema: { jsonSchema, parse }`);
    return value;
  }

  /** The JSON Schema of a schema, as text. */
  document(schema: AgentSchema<unknown>, member: string): string | undefined {
    try {
      return sealedText(schema) ?? JSON.stringify(schema.jsonSchema);
    } catch {
      throw this.refuse(`has an ${member} schema that is no JSON`);
    }
  }

  /** JSON as text. */
  json(value: unknown, member: string): string | undefined {
    if (value === undefined) return undefined;
    try {
      return writeJson(value);
    } catch (error) {
      if (!(error instanceof NotJsonError)) throw error;
      throw this.refuse(`has a ${member} that is no JSON: ${error.message}`);
    }
  }

  /** JSON as text, that has to be there. */
  required(value: unknown, member: string): string {
    const text = this.json(value, member);
    if (text === undefined) throw this.refuse(`has no ${member}`);
    return text;
  }

  link(
    value: { type: string; instanceId?: string } | undefined,
  ): { type: string; instanceId: string } | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== "object" || value === null) throw this.refuse("has a link that is no object");
    const { type, instanceId = "default" } = value;
    return {
      type: this.string(type, "type in its link"),
      instanceId: this.string(instanceId, "instance in its link"),
    };
  }

  concurrency(value: AgentConcurrency | undefined): AgentConcurrency | undefined {
    if (value === undefined) return undefined;
    if (typeof value !== "object" || value === null) throw this.refuse("has a concurrency that is no object");
    const members = { ...value };
    this.word(members.mode, MODES, "concurrency mode");
    const count = (number: unknown, least: number, what: string): void => {
      if (!Number.isInteger(number) || (number as number) < least || (number as number) > 0xffff_ffff) {
        throw this.refuse(`has a concurrency whose ${what} is no whole number from ${least} on`);
      }
    };
    if (members.queueDepth !== undefined) count(members.queueDepth, 0, "queueDepth");
    if (members.mode === "parallel") count(members.max, 1, "max");
    if (members.mode === "key") this.string(members.key, "concurrency key");
    return members;
  }
}

/** A number as the kernel counts: whole, and from 0 to 4294967295. As milliseconds the last is 49 days. */
export function wholeNumber(number: number): number {
  return Math.min(Math.max(0, Math.ceil(number)) || 0, 0xffff_ffff);
}
