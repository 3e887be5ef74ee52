import type { AgentCapabilityDescriptorUnion, SnapshotContext } from "@agent-surface/core";
import type { WebMcpCuration } from "./catalogue.js";
import type { AdapterHost, AgentSurfaceAdapter } from "./host.js";
import { findModelContext, type WebMcpModelContext } from "./model-context.js";
import { Session } from "./session.js";
import type { WebMcpProblem, WebMcpStatus } from "./status.js";

/** How a surface is handed to the browser. */
export interface CreateWebMcpAdapterOptions {
  /**
   * How much of the surface is on offer; the agents of a browser are those an app knows least of, so give a `scope`. With
   * `includeUnavailable` what can't be used right now stays on offer, and calls of it are refused with the reason; by
   * default it is taken back, because browsers have no disabled tools.
   */
  snapshotContext?: Omit<SnapshotContext, "consumer">;
  /**
   * Says what of the surface is on offer, and how it is presented: null leaves a capability out, undefined leaves it as
   * it is. What a call does is not its business. Where it throws, the capability is left out.
   */
  exposeCapability?: (descriptor: AgentCapabilityDescriptorUnion) => WebMcpCuration | null | undefined;
  /** Secure origins whose documents see the tools, besides the document's own and the browser. */
  exposedTo?: string[];
  /** Told once of whatever agents should have and do not. By default the console is. */
  onProblem?: (problem: WebMcpProblem) => void;
  /** For tests: what to use in place of `document.modelContext`. */
  modelContext?: WebMcpModelContext;
}

/** Hands a surface to the agents of the browser. */
export interface WebMcpAdapter extends AgentSurfaceAdapter {
  readonly name: "webmcp";
  /**
   * Puts the surface on offer, and keeps it up to date. Where the browser has no `document.modelContext`, it does
   * nothing. The promise resolves when the browser has decided on the first tools; it never rejects.
   *
   * @throws TypeError where the host is none, Error where its registry was disposed
   */
  start(host: AdapterHost): Promise<void>;
  /** Takes every tool back, and refuses what is called all the same. Again and again, if you like. */
  stop(): void;
  /** How it stands with the browser. */
  status(): WebMcpStatus;
}

/** Makes an adapter for `document.modelContext`. */
export function createWebMcpAdapter(options: CreateWebMcpAdapterOptions = {}): WebMcpAdapter {
  const { snapshotContext, exposeCapability, exposedTo, onProblem = warn } = options;
  let session: Session | undefined;
  let idle: WebMcpStatus = { state: "stopped" };

  const stop = (): void => {
    session?.end();
    session = undefined;
    idle = { state: "stopped" };
  };
  const start = (host: AdapterHost): Promise<void> => {
    stop();
    const browser = options.modelContext ?? findModelContext();
    if (browser === undefined) {
      idle = { state: "unsupported", reason: missing() };
      return Promise.resolve();
    }
    const context = snapshotContext ?? host.snapshotContext ?? {};
    session = new Session(browser, host, { context, curate: exposeCapability, exposedTo }, onProblem);
    return session.settled();
  };

  return Object.freeze({ name: "webmcp", start, stop, status: () => session?.status ?? idle });
}

/** Why there is no `document.modelContext`, as far as that can be told. */
function missing(): string {
  const { document, isSecureContext } = globalThis as { document?: unknown; isSecureContext?: boolean };
  if (document === undefined) return "there is no document here: tools belong to one";
  if (isSecureContext === false) return "the page is no secure context: browsers have no tools there";
  return "this browser has no document.modelContext";
}

function warn({ message }: WebMcpProblem): void {
  // oxlint-disable-next-line no-console -- the console is where developers look
  console.warn(`[agent-surface] WebMCP: ${message}`);
}
