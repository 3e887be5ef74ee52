/* oxlint-disable typescript/no-explicit-any -- contracts of any input and output are compiled here. */
import {
  createCapabilityAuthority,
  defineAgentProcedureContract,
  fromJsonSchema,
  type AgentProcedureContract,
  type CapabilityAuthority,
} from "@agent-surface/core";
import type { OrpcAgentManifest } from "@agent-surface/orpc";
import { assemble, seal } from "../../../core/test/manifest.js";

type AnyContract = AgentProcedureContract<any, any>;

/** The macro, as the compiler calls it. */
const expand = defineAgentProcedureContract as unknown as (literal: object, proof: object) => AnyContract;

/** What the compiler makes of procedure contracts: an authority over them, and the contracts with their proofs. */
export function compile<T extends Record<string, AnyContract>>(
  authored: T,
): { authority: CapabilityAuthority; contracts: T } {
  const declared = Object.entries(authored)
    .map(([name, { definition }]) => ({
      name,
      definition,
      entry: seal({
        declarationId: `src/contracts.ts#${name}`,
        capabilityId: definition.id,
        kind: "procedure",
        description: definition.description,
        effect: definition.effect,
        inputSchema: definition.input.jsonSchema,
        ...(definition.output && { outputSchema: definition.output.jsonSchema }),
        ...(definition.confirmation && { confirmation: definition.confirmation }),
        origin: "src/contracts.ts",
      }),
    }))
    .toSorted((a, b) => (a.entry.declarationId < b.entry.declarationId ? -1 : 1));
  const manifest = assemble(declared.map(({ entry }) => entry));
  const compiled = declared.map(({ name, definition, entry }) => {
    const { input, output, ...literal } = definition;
    const documents = { input: input.jsonSchema, ...(output && { output: output.jsonSchema }) };
    const proof = {
      manifestHash: manifest.hash,
      declarationId: entry.declarationId,
      contracts: { [entry.capabilityId]: entry.contractHash },
    };
    return [name, expand({ ...literal, ...documents }, proof)];
  });
  return { authority: createCapabilityAuthority(manifest), contracts: Object.fromEntries(compiled) as T };
}

/** The contracts that a page would declare of everything in a manifest, by path, compiled. */
export function contractsOf({ tools }: OrpcAgentManifest) {
  return compile(
    Object.fromEntries(
      Object.entries(tools).map(([path, { description, inputSchema, outputSchema, effect }]) => [
        path,
        defineAgentProcedureContract<any, any>({
          id: `domain:${path}`,
          description,
          input: fromJsonSchema(inputSchema),
          ...(outputSchema && { output: fromJsonSchema(outputSchema) }),
          effect,
        }),
      ]),
    ),
  );
}
