import { keyOf, type CapabilityAuthority } from "./authority.js";
import type { CompiledExternalAgentTool } from "./contract/external.js";
import { proofs } from "./contract/proof.js";
import { AgentSurfaceDefinitionError } from "./errors.js";
import { kernel } from "./kernel/index.js";
import type { AuthorityKey } from "./kernel/words.js";

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
  const key = keyOf(authority);
  return Object.freeze({
    expose<T extends CompiledExternalAgentTool>(tools: readonly T[]): T[] {
      return tools.map((tool) => {
        assertDeclared(tool, key, authority);
        return tool;
      });
    },
  });
}

/** @param _authority is held as long as the gate is, and with it what `authority` stands for in the kernel */
function assertDeclared(
  tool: CompiledExternalAgentTool,
  authority: AuthorityKey,
  _authority: CapabilityAuthority,
): void {
  const { name: id, description, inputSchema } = tool;
  const refusal = kernel().checkTool(authority, {
    id: String(id),
    description: String(description),
    inputSchema: JSON.stringify(inputSchema),
    proof: proofs.tools.get(tool),
  });
  if (refusal !== undefined) throw new AgentSurfaceDefinitionError(refusal.code, refusal.message);
}
