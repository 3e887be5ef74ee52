import type { AgentSurfaceRegistry } from "@agent-surface/core";
import {
  createWebMcpAdapter,
  type CreateWebMcpAdapterOptions,
  type WebMcpProblem,
} from "@agent-surface/webmcp";
import { Browser } from "./browser.js";

/** Who the browser's agents are to a registry. */
export const consumer = { id: "browser", kind: "webmcp" } as const;

/** A registry that is on offer in a browser, and everything that was to complain of. */
export async function offer(
  registry: AgentSurfaceRegistry,
  options: Omit<CreateWebMcpAdapterOptions, "modelContext" | "onProblem"> = {},
  browser = new Browser(),
) {
  const problems: WebMcpProblem[] = [];
  const onProblem = (problem: WebMcpProblem): void => void problems.push(problem);
  const adapter = createWebMcpAdapter({ ...options, modelContext: browser, onProblem });
  await adapter.start({ registry, consumer });
  return { adapter, browser, problems };
}
