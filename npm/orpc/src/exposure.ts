import type { AgentProcedureEffect, JsonSchema } from "@agent-surface/core";

/** A procedure that the backend lets agents have. */
export interface OrpcAgentTool {
  /** Shown to the agent; the contract has the same. */
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  effect: AgentProcedureEffect;
  /** Whether the server itself asks for an approval. The page then asks its user, too. */
  requiresApproval?: boolean;
}

/**
 * What the backend lets agents have at all: the ceiling of a bridge. `@agent-surface/orpc/manifest` makes it from the
 * oRPC router.
 */
export interface OrpcAgentManifest {
  /** By the path in the router, with dots: `devices.disable`. */
  tools: Record<string, OrpcAgentTool>;
}
