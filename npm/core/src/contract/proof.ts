import type { AgentComponentDefinition } from "../definition.js";

/** What the compiler says about one declaration; it writes it into the macro's call. */
export interface Proof {
  /** The manifest that has the declaration. */
  readonly manifestHash: string;
  readonly declarationId: string;
  /** The hash of each capability's entry, by its id. */
  readonly contracts: ReadonlyMap<string, string>;
  /** Where in the definition a schema has a validator of its own, as JSON Pointers. */
  readonly validators: ReadonlySet<string>;
}

/**
 * Proofs are kept beside the objects they belong to, where nobody else can read or put one: a copy of a contract,
 * a binding or a tool is not proven, and neither is an object that only looks like one.
 */
const contracts = new WeakMap<object, Proof>();
const components = new WeakMap<AgentComponentDefinition, Proof>();
const tools = new WeakMap<object, Proof>();

/** The proofs of procedure contracts, of components, and of external tools. */
export const proofs = { contracts, components, tools } as const;

/**
 * Reads what the compiler wrote. Anything else is no proof, for example the index that
 * `definitions.map(defineAgentComponentContract)` passes here.
 */
export function readProof(value: unknown): Proof | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    manifestHash,
    declarationId,
    contracts: hashes,
    validators = [],
  } = value as Record<string, unknown>;
  if (typeof manifestHash !== "string" || typeof declarationId !== "string") return undefined;
  if (typeof hashes !== "object" || hashes === null || !Array.isArray(validators)) return undefined;
  return {
    manifestHash,
    declarationId,
    contracts: new Map(Object.entries(hashes as Record<string, string>)),
    validators: new Set(validators as string[]),
  };
}
