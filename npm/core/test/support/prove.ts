import {
  authorizeAgentProcedureBinding,
  createCapabilityAuthority,
  defineAgentProcedureContract,
  type AgentComponentDefinition,
  type AgentProcedureContract,
  type CapabilityAuthority,
  type CapabilityContractEntry,
  type JsonSchema,
} from "@agent-surface/core";
import { assemble, seal, type Contract } from "../manifest.js";

/** What the compiler would say of definitions that were written down by hand. */
export function prove(...definitions: AgentComponentDefinition[]): CapabilityAuthority {
  const declared = definitions.map((definition, index) => entriesOf(definition, `src/component${index}.ts`));
  const entries = declared.flat();
  entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  const manifest = assemble(entries);
  definitions.forEach((definition, index) => {
    const contracts = declared[index] ?? [];
    mark(definition, {
      manifestHash: manifest.hash,
      declarationId: `src/component${index}.ts#contract`,
      contracts: Object.fromEntries(contracts.map((entry) => [entry.capabilityId, entry.contractHash])),
    });
  });
  return createCapabilityAuthority(manifest);
}

/** Gives a definition a proof, be it a forged one. */
export function mark<T extends AgentComponentDefinition>(definition: T, proof: object): T {
  const macro = defineAgentProcedureContract as unknown as (
    declared: object,
    proof: object,
  ) => AgentProcedureContract<never, never>;
  authorizeAgentProcedureBinding(macro({}, proof), definition);
  return definition;
}

/** The entries that a manifest would have of a definition. */
export function entriesOf(definition: AgentComponentDefinition, origin: string): CapabilityContractEntry[] {
  const common = { declarationId: `${origin}#contract`, origin };
  const { type, observations = {}, actions = {}, procedures = [] } = definition;
  const contracts: Contract[] = [];
  for (const [name, { description, output }] of Object.entries(observations)) {
    const outputSchema: JsonSchema = output.jsonSchema;
    contracts.push({
      ...common,
      capabilityId: `view:${type}.${name}`,
      kind: "observation",
      description,
      effect: "read",
      outputSchema,
    });
  }
  for (const [name, { description, input, output, effect, confirmation }] of Object.entries(actions)) {
    contracts.push({
      ...common,
      capabilityId: `view:${type}.${name}`,
      kind: "action",
      description,
      effect,
      inputSchema: input.jsonSchema,
      ...(output && { outputSchema: output.jsonSchema }),
      ...(confirmation && { confirmation }),
    });
  }
  for (const { ref } of procedures) {
    contracts.push({
      ...common,
      capabilityId: ref.id,
      kind: "procedure",
      description: ref.description,
      effect: ref.effect,
      inputSchema: ref.inputSchema,
      ...(ref.outputSchema && { outputSchema: ref.outputSchema }),
    });
  }
  return contracts.map(seal);
}

function key({ declarationId, capabilityId }: CapabilityContractEntry): string {
  return `${declarationId}\0${capabilityId}`;
}
