import type { AgentSurfaceRegistry } from "@agent-surface/core";
import { createContext, createElement, useContext, type ReactElement, type ReactNode } from "react";

const RegistryContext = /* @__PURE__ */ createContext<AgentSurfaceRegistry | null>(null);

/** What {@link AgentSurfaceProvider} takes. */
export interface AgentSurfaceProviderProps {
  /** The app's registry. It is made once, outside of components: policies, audit and route are wired there. */
  registry: AgentSurfaceRegistry;
  children?: ReactNode;
}

/** Gives the components below it the registry that they register with. */
export function AgentSurfaceProvider({ registry, children }: AgentSurfaceProviderProps): ReactElement {
  return createElement(RegistryContext.Provider, { value: registry }, children);
}

/**
 * The registry of the nearest {@link AgentSurfaceProvider}.
 *
 * @throws Error where there is none
 */
export function useAgentSurface(): AgentSurfaceRegistry {
  const registry = useContext(RegistryContext);
  if (!registry) {
    throw new Error(
      "useAgentSurface: no <AgentSurfaceProvider> above this component. Make a registry outside of your components and wrap the app in a provider of it.",
    );
  }
  return registry;
}
