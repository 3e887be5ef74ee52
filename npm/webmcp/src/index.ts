/**
 * Hands a surface to the agents of the browser itself, as tools of `document.modelContext`. The browser discovers and
 * transports; what may be called, and with what, is decided by the registry as ever.
 */
export { createWebMcpAdapter, type CreateWebMcpAdapterOptions, type WebMcpAdapter } from "./adapter.js";
export type { WebMcpCuration } from "./catalogue.js";
export type { AdapterHost, AgentSurfaceAdapter } from "./host.js";
export type {
  WebMcpAnnotations,
  WebMcpExecuteOptions,
  WebMcpModelContext,
  WebMcpRegisterOptions,
  WebMcpToolInit,
  WebMcpToolResult,
} from "./model-context.js";
export type { WebMcpProblem, WebMcpStatus } from "./status.js";
