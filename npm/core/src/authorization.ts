import { keyOf, type CapabilityAuthority } from "./authority.js";
import type { AgentComponentDefinition } from "./definition.js";
import { AgentSurfaceDefinitionError } from "./errors.js";
import { kernel } from "./kernel/index.js";
import { describe } from "./surface/describe.js";
import { entropy } from "./surface/entropy.js";

/**
 * Refuses what a registry of this authority would refuse to register, whatever is mounted.
 *
 * @throws AgentSurfaceDefinitionError for what is raw, stale, incomplete or different from what was proven
 */
export function assertDefinitionAuthorized(
  definition: AgentComponentDefinition,
  authority: CapabilityAuthority,
): void {
  const key = keyOf(authority);
  const { component } = describe(definition);
  const registry = kernel().openRegistry(key, { entropy: entropy() }, () => undefined);
  try {
    const admitted = registry.admit(component);
    if (typeof admitted !== "number") throw new AgentSurfaceDefinitionError(admitted.code, admitted.message);
  } finally {
    registry.dispose(0);
    registry.free();
  }
}
