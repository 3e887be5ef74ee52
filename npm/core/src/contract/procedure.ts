/* oxlint-disable typescript/no-explicit-any -- what takes a contract of any input and output has no other word. */
import type { AgentComponentDefinition } from "../definition.js";
import type { CapabilityPolicyAttachment } from "../manifest.js";
import type { AgentSchema } from "../schema.js";
import type { AgentConfirmation, AgentProcedureEffect, JsonValue } from "../types.js";
import { Expansion } from "./expansion.js";
import { proofs, readProof } from "./proof.js";

/** What an author declares of a backend procedure that components may refer to. */
export interface AgentProcedureContractDefinition<TIn extends JsonValue, TOut extends JsonValue> {
  /** `domain:` and the path by which the backend knows it. */
  id: `domain:${string}`;
  /** Shown to the agent. */
  description: string;
  input: AgentSchema<TIn>;
  output?: AgentSchema<TOut>;
  effect: AgentProcedureEffect;
  confirmation?: AgentConfirmation;
  /** Policies that must be there at registration. */
  policies?: CapabilityPolicyAttachment[];
  tags?: string[];
}

/** A declared procedure. */
export interface AgentProcedureContract<TIn extends JsonValue, TOut extends JsonValue> {
  readonly kind: "agent-procedure-contract";
  readonly definition: AgentProcedureContractDefinition<TIn, TOut>;
}

/**
 * Declares a procedure: a macro. The compiler evaluates the argument, and what ships is the evaluated literal and
 * its proof. Without it, what refers to the contract is refused by every registry.
 */
export function defineAgentProcedureContract<TIn extends JsonValue, TOut extends JsonValue = JsonValue>(
  definition: AgentProcedureContractDefinition<TIn, TOut>,
): AgentProcedureContract<TIn, TOut>;
export function defineAgentProcedureContract<TIn extends JsonValue, TOut extends JsonValue>(
  definition: AgentProcedureContractDefinition<TIn, TOut>,
  proofText?: unknown,
  author?: unknown,
): AgentProcedureContract<TIn, TOut> {
  const proof = readProof(proofText);
  const contract = Object.freeze({
    kind: "agent-procedure-contract" as const,
    definition: proof
      ? new Expansion(proof, author).schemas(definition, [], ["input", "output"])
      : definition,
  });
  if (proof) proofs.contracts.set(contract, proof);
  return contract;
}

/** Hands a procedure contract's proof on to the component definition that refers to it. */
export function authorizeAgentProcedureBinding(
  contract: AgentProcedureContract<any, any>,
  definition: AgentComponentDefinition,
): AgentComponentDefinition {
  const proof = proofs.contracts.get(contract);
  if (proof) proofs.components.set(definition, proof);
  return definition;
}
