import type { AgentSurfaceRegistry } from "../registry.js";
import type { Surface } from "./surface.js";

/**
 * The surfaces behind the registries. This is for the package's own parts, of which `explain` is one that adapters
 * can't get at by importing the package's root: nothing here is exported there.
 */
const surfaces = /* @__PURE__ */ new WeakMap<AgentSurfaceRegistry, Surface>();

export function connect(registry: AgentSurfaceRegistry, surface: Surface): void {
  surfaces.set(registry, surface);
}

/** @throws TypeError for what `createAgentSurfaceRegistry` has not made */
export function surfaceOf(registry: AgentSurfaceRegistry, caller: string): Surface {
  const surface = surfaces.get(registry);
  if (surface === undefined) {
    throw new TypeError(`${caller}() takes a registry that createAgentSurfaceRegistry() has made`);
  }
  return surface;
}
