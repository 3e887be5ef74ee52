/* oxlint-disable typescript/no-explicit-any -- contracts of any input and output are compiled here. */
import {
  createCapabilityAuthority,
  defineAgentComponentContract,
  type AgentComponentContract,
  type AgentSchema,
  type CapabilityAuthority,
} from "@agent-surface/core";
import { assemble, seal, type Contract } from "../../../core/test/manifest.js";

type AnyContract = AgentComponentContract<any, any>;

/** What the compiler makes of contracts: an authority over them, and the contracts with their proofs. */
export function compile<T extends Record<string, AnyContract>>(
  authored: T,
): { authority: CapabilityAuthority; contracts: T } {
  const declared = Object.entries(authored).map(([name, contract]) => ({
    name,
    contract,
    entries: entriesOf(name, contract).map(seal),
  }));
  const manifest = assemble(
    declared.flatMap(({ entries }) => entries).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  );
  const compiled = declared.map(({ name, contract, entries }) => {
    const proof = {
      manifestHash: manifest.hash,
      declarationId: declarationOf(name),
      contracts: Object.fromEntries(entries.map((entry) => [entry.capabilityId, entry.contractHash])),
    };
    return [name, expand(literalOf(contract), proof)];
  });
  return { authority: createCapabilityAuthority(manifest), contracts: Object.fromEntries(compiled) as T };
}

/** The macro, as the compiler calls it. */
const expand = defineAgentComponentContract as unknown as (literal: object, proof: object) => AnyContract;

const declarationOf = (name: string): string => `src/contracts.ts#${name}`;

const keyOf = ({ declarationId, capabilityId }: Contract): string => `${declarationId}\0${capabilityId}`;

function entriesOf(name: string, { type, observations = {}, actions = {} }: AnyContract): Contract[] {
  const declared = { declarationId: declarationOf(name), origin: "src/contracts.ts" };
  return [
    ...Object.entries<any>(observations).map(([capability, { description, output }]) => ({
      ...declared,
      capabilityId: `view:${type}.${capability}`,
      kind: "observation" as const,
      description,
      effect: "read" as const,
      outputSchema: output.jsonSchema,
    })),
    ...Object.entries<any>(actions).map(([capability, action]) => ({
      ...declared,
      capabilityId: `view:${type}.${capability}`,
      kind: "action" as const,
      description: action.description,
      effect: action.effect,
      inputSchema: action.input.jsonSchema,
      ...(action.output && { outputSchema: action.output.jsonSchema }),
      ...(action.confirmation && { confirmation: action.confirmation }),
    })),
  ];
}

/** The definition as data: what the compiler ships has the documents in the place of the schemas. */
function literalOf({ type, description, observations, actions }: AnyContract): object {
  return { type, description, observations: literalsOf(observations), actions: literalsOf(actions) };
}

function literalsOf(capabilities: Record<string, any> | undefined): object | undefined {
  if (capabilities === undefined) return undefined;
  const literals = Object.entries(capabilities).map(([name, { input, output, ...rest }]) => [
    name,
    { ...rest, ...documentOf("input", input), ...documentOf("output", output) },
  ]);
  return Object.fromEntries(literals);
}

function documentOf(member: string, schema: AgentSchema<any> | undefined): object {
  return schema ? { [member]: schema.jsonSchema } : {};
}
