import { AgentSurfaceDefinitionError } from "../errors.js";
import type { CapabilityPolicyAttachment } from "../manifest.js";
import type { AgentSchema } from "../schema.js";
import type { AgentConfirmation, AgentEffect, JsonSchema, JsonValue } from "../types.js";
import { Expansion } from "./expansion.js";
import { proofs, readProof } from "./proof.js";

/** What an author declares of a tool that stands outside of any component. */
export interface ExternalAgentToolContractDefinition<TIn extends JsonValue, TOut extends JsonValue> {
  /** `external:` and a name. */
  id: string;
  /** Shown to the agent. */
  description: string;
  input: AgentSchema<TIn>;
  output?: AgentSchema<TOut>;
  effect: AgentEffect;
  confirmation?: AgentConfirmation;
  policies?: CapabilityPolicyAttachment[];
  tags?: string[];
}

/** A tool for a model's provider or an MCP server: what `.bind()` returns and a gateway takes. */
export interface CompiledExternalAgentTool<
  TIn extends JsonValue = JsonValue,
  TOut extends JsonValue = JsonValue,
> {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  execute(input: TIn): TOut | Promise<TOut>;
}

/** A declared tool. */
export interface ExternalAgentToolContract<TIn extends JsonValue, TOut extends JsonValue> {
  readonly kind: "external-agent-tool-contract";
  readonly definition: ExternalAgentToolContractDefinition<TIn, TOut>;
  /**
   * The tool, with its handler. It is frozen: what a gateway has admitted stays what it was.
   *
   * @throws AgentSurfaceDefinitionError INVALID_DEFINITION if no compiler has seen the declaration
   */
  bind(binding: { execute(input: TIn): TOut | Promise<TOut> }): CompiledExternalAgentTool<TIn, TOut>;
}

/** Declares a tool: a macro. The compiler evaluates the argument, and what ships is the evaluated literal and its proof. */
export function defineExternalAgentToolContract<TIn extends JsonValue, TOut extends JsonValue = JsonValue>(
  definition: ExternalAgentToolContractDefinition<TIn, TOut>,
): ExternalAgentToolContract<TIn, TOut>;
export function defineExternalAgentToolContract<TIn extends JsonValue, TOut extends JsonValue>(
  definition: ExternalAgentToolContractDefinition<TIn, TOut>,
  proofText?: unknown,
  author?: unknown,
): ExternalAgentToolContract<TIn, TOut> {
  const proof = readProof(proofText);
  const declared = proof
    ? new Expansion(proof, author).schemas(definition, [], ["input", "output"])
    : definition;
  return Object.freeze({
    kind: "external-agent-tool-contract" as const,
    definition: declared,
    bind(binding: { execute(input: TIn): TOut | Promise<TOut> }) {
      if (!proof) {
        throw new AgentSurfaceDefinitionError(
          "INVALID_DEFINITION",
          `external contract "${declared.id}" has no compiler provenance: build it with @agent-surface/compiler`,
        );
      }
      const { id: name, description, input } = declared;
      // oxlint-disable-next-line typescript/unbound-method -- it becomes the tool's method
      const { execute } = binding;
      const tool = Object.freeze({ name, description, inputSchema: input.jsonSchema, execute });
      proofs.tools.set(tool, proof);
      return tool;
    },
  });
}
