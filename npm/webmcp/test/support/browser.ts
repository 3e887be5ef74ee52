import type {
  WebMcpModelContext,
  WebMcpRegisterOptions,
  WebMcpToolInit,
  WebMcpToolResult,
} from "@agent-surface/webmcp";
import type { JsonValue } from "@agent-surface/core";

/** What a page's Permissions-Policy and other scripts may have in store. */
export interface Surroundings {
  /** The page does not allow tools. */
  isPolicyAgainst?: boolean;
}

/**
 * `document.modelContext` as Chromium 156 has it, case by case: names and their errors, registrations that hold from
 * the call on and are answered later, a signal that takes a tool back at once, events that come later than what they
 * tell of. What is handed over is copied, and no input is held to a schema.
 */
export class Browser implements WebMcpModelContext {
  /** Every registration and withdrawal since the last look, in order: `+name`, `-name`. */
  readonly #log: string[] = [];
  readonly #tools = new Map<string, WebMcpToolInit & { exposedTo: string[] }>();
  readonly #listeners = new Set<() => void>();
  readonly #surroundings: Surroundings;

  constructor(surroundings: Surroundings = {}) {
    this.#surroundings = surroundings;
  }

  async registerTool(init: WebMcpToolInit, options: Partial<WebMcpRegisterOptions> = {}): Promise<void> {
    const { signal, exposedTo = [] } = options;
    if (this.#surroundings.isPolicyAgainst === true) {
      throw new DOMException('Access to the feature "tools" is disallowed.', "NotAllowedError");
    }
    if (signal?.aborted) throw signal.reason;
    const { execute, ...described } = init;
    const tool = structuredClone(described);
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(tool.name)) {
      throw new DOMException("Invalid tool name", "InvalidStateError");
    }
    if (tool.description === "") throw new DOMException("Description is required", "InvalidStateError");
    if (this.#tools.has(tool.name)) throw new DOMException("Duplicate tool name", "InvalidStateError");
    if (!exposedTo.every((origin) => origin.startsWith("https://"))) {
      throw new DOMException("Only secure origins are allowed in the exposedTo list.", "SecurityError");
    }
    this.#tools.set(tool.name, { ...tool, execute, exposedTo });
    this.#tell(`+${tool.name}`);
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener("abort", () => {
        this.#tools.delete(tool.name);
        this.#tell(`-${tool.name}`);
        reject(signal.reason as Error);
      });
      queueMicrotask(() => queueMicrotask(resolve));
    });
  }

  addEventListener(_type: "toolchange", listener: () => void, options?: { signal?: AbortSignal }): void {
    this.#listeners.add(listener);
    options?.signal?.addEventListener("abort", () => this.#listeners.delete(listener));
  }

  get names(): string[] {
    return [...this.#tools.keys()];
  }

  tool(name: string) {
    const tool = this.#tools.get(name);
    if (tool === undefined) throw new Error(`there is no tool ${name}, but ${this.names.join(", ")}`);
    return tool;
  }

  /** What happened since it was asked last. */
  log(): string[] {
    return this.#log.splice(0);
  }

  /** Calls a tool as an agent does. A tool that throws says no more than that. */
  async call(name: string, input: JsonValue = {}, signal?: AbortSignal): Promise<WebMcpToolResult> {
    try {
      return structuredClone(await this.tool(name).execute(structuredClone(input), signal && { signal }));
    } catch {
      throw new DOMException("Tool was executed but the invocation failed.", "UnknownError");
    }
  }

  #tell(what: string): void {
    this.#log.push(what);
    setTimeout(() => this.#listeners.forEach((listener) => listener()));
  }
}

/** What a result says. */
export function read({ content, isError }: WebMcpToolResult): unknown {
  const said: unknown = JSON.parse(content[0]?.text ?? "null");
  return isError === true ? said : { output: said };
}

/** After everything that is due by now. */
export function soon(): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve));
}
