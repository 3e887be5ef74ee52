import type { JsonSchema, JsonValue } from "@agent-surface/core";

/**
 * What a browser has at `document.modelContext`, as far as the adapter uses it. There is one for each document, in
 * secure contexts only. Polyfills have the same.
 */
export interface WebMcpModelContext {
  /**
   * Registers a tool until the signal aborts. The promise rejects with an `InvalidStateError` where the name is taken,
   * a `NotAllowedError` where the page's Permissions-Policy does not allow tools, and the signal's reason where it
   * aborts first.
   */
  registerTool(tool: WebMcpToolInit, options: WebMcpRegisterOptions): Promise<void>;
  /** `toolchange` is told when any script's tools become other ones. */
  addEventListener?(type: "toolchange", listener: () => void, options?: { signal?: AbortSignal }): void;
}

/** For how long a tool is registered, and for whom. */
export interface WebMcpRegisterOptions {
  /** Its abortion is the only way to take the tool back. */
  signal: AbortSignal;
  /** Secure origins whose documents see the tool, besides the document's own and the browser. */
  exposedTo?: string[];
}

/** A tool as a browser takes it. */
export interface WebMcpToolInit {
  /** 1 to 128 of `[A-Za-z0-9_.-]`, and in its document the only one of that name. */
  name: string;
  /** For people. */
  title: string;
  /** For models; not empty. */
  description: string;
  /** Shown to the agent. The browser does not hold inputs to it. */
  inputSchema: JsonSchema;
  annotations: WebMcpAnnotations;
  /** Whatever happens is a result: a rejection would reach the agent without its message. */
  execute: (input: JsonValue, options?: WebMcpExecuteOptions) => Promise<WebMcpToolResult>;
}

/** What a browser may tell or ask its user about a tool. One that does not know a hint ignores it. */
export interface WebMcpAnnotations {
  /** It changes nothing. */
  readOnlyHint?: boolean;
  /** It has consequences outside of the app, or such as can't be taken back. */
  consequentialHint?: boolean;
  /** What it returns may be written by people that neither the app nor its user vouches for. */
  untrustedContentHint?: boolean;
}

/** What a browser says along with a call. */
export interface WebMcpExecuteOptions {
  /** Aborts when the agent gives the call up. */
  signal?: AbortSignal;
}

/** What a call came to. */
export interface WebMcpToolResult {
  /**
   * First the output as JSON or, of an error, its `code`, `message`, `retry` and `details`. A second text tells how a
   * call goes on that the user has to approve.
   */
  content: Array<{ type: "text"; text: string }>;
  /** Whether it is an error. */
  isError?: boolean;
}

/** The browser's own, or what a polyfill put in its place. */
export function findModelContext(): WebMcpModelContext | undefined {
  const { document } = globalThis as { document?: { modelContext?: Partial<WebMcpModelContext> } };
  const found = document?.modelContext;
  return typeof found?.registerTool === "function" ? (found as WebMcpModelContext) : undefined;
}
