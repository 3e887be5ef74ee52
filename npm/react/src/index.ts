/**
 * React components that register what an agent may do with them, for exactly as long as they are mounted.
 *
 * @packageDocumentation
 */
export { useAgentComponent, type AgentComponentHandle, type UseAgentComponentConfig } from "./component.js";
export { usePendingConfirmations, type PendingConfirmationView } from "./confirmations.js";
export { AgentSurfaceProvider, useAgentSurface, type AgentSurfaceProviderProps } from "./provider.js";
// For the React hooks of other packages, `@agent-surface/orpc/react` first of all.
export { readAvailability, type Availability } from "./availability.js";
export {
  readRenderScopeContext as unstable_readRenderScopeContext,
  setRenderScopeContext as unstable_setRenderScopeContext,
  type RenderScopeContext as UnstableRenderScopeContext,
} from "./render-scope.js";
