import type { AgentSurfaceSnapshot } from "@agent-surface/core";

/** What a serialised surface keeps. */
export interface SerializeSurfaceOptions {
  /** Keep `surfaceVersion`, which changes with every mutation. Default `false`. */
  includeVersion?: boolean;
}

/**
 * A snapshot without what changes from run to run: no surface id, no time, and registrations are numbered in the order
 * in which they appear. What is left is what agents can see, in the registry's order, with schemas as they are.
 */
export function serializeSurfaceSnapshot(
  snapshot: AgentSurfaceSnapshot,
  options?: SerializeSurfaceOptions,
): Record<string, unknown> {
  const { surfaceVersion, route, components, procedures, truncated } = snapshot;
  const numbers = new Map<string, string>();
  const numbered = <T extends { registrationId: string }>(descriptor: T): T => {
    const { registrationId } = descriptor;
    const number = numbers.get(registrationId) ?? `<reg#${numbers.size + 1}>`;
    numbers.set(registrationId, number);
    return { ...descriptor, registrationId: number };
  };
  return {
    ...(options?.includeVersion && { surfaceVersion }),
    ...(route && { route }),
    components: components.map(numbered),
    procedures: procedures.map(numbered),
    ...(truncated && { truncated }),
  };
}
