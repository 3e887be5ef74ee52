import { stateOf, type AuthorityState, type CapabilityAuthority } from "./authority.js";
import type { CompiledExternalAgentTool } from "./contract/external.js";
import { proofs } from "./contract/proof.js";
import { AgentSurfaceDefinitionError } from "./errors.js";
import { jsonDeepEqual } from "./json.js";
import type { JsonValue } from "./types.js";

/** The last gate before a model's provider or an MCP server. */
export interface AgentExposureGateway {
  /**
   * Lets tools through that the authority's own contract has, as they are declared there.
   *
   * @throws AgentSurfaceDefinitionError INVALID_DEFINITION at the first that is not one of these; none is let
   * through then
   */
  expose<T extends CompiledExternalAgentTool>(tools: readonly T[]): T[];
}

/** A gate for the tools of one build. */
export function createAgentExposureGateway(authority: CapabilityAuthority): AgentExposureGateway {
  const state = stateOf(authority);
  return Object.freeze({
    expose<T extends CompiledExternalAgentTool>(tools: readonly T[]): T[] {
      return tools.map((tool) => {
        assertDeclared(tool, state);
        return tool;
      });
    },
  });
}

function assertDeclared(tool: CompiledExternalAgentTool, { manifest, entries }: AuthorityState): void {
  const refuse = (reason: string): AgentSurfaceDefinitionError =>
    new AgentSurfaceDefinitionError("INVALID_DEFINITION", `external tool "${tool.name}" ${reason}`);

  const proof = proofs.tools.get(tool);
  if (!proof) throw refuse("is raw: bind the contract that the compiler has proven");
  if (proof.manifestHash !== manifest.hash) throw refuse("is stale: it was compiled with another manifest");
  const entry = entries.get(proof.declarationId)?.get(tool.name);
  if (!entry) throw refuse(`is not declared by ${proof.declarationId}`);
  if (proof.contracts.get(tool.name) !== entry.contractHash)
    throw refuse("was compiled with another contract");
  if (entry.kind !== "external") throw refuse(`is declared as ${entry.kind}`);
  if (entry.description !== tool.description) throw refuse("has another description than its contract");
  if (!jsonDeepEqual(entry.inputSchema as JsonValue, tool.inputSchema as JsonValue)) {
    throw refuse("has another input schema than its contract");
  }
}
