/** Backend procedures of oRPC as capabilities of the components that show their data. */
export { createOrpcAgentBridge, type OrpcAgentBridge, type OrpcAgentBridgeOptions } from "./bridge.js";
export type { AgentProcedureBindingConfig } from "./binding.js";
export type { ClientTree } from "./client.js";
export type { OrpcAgentManifest, OrpcAgentTool } from "./exposure.js";
export { isBridgeRef, type AgentProcedureRef, type RefsFor } from "./ref.js";
