import type { CDPSession, Page } from "playwright-core";

/** A tool as the browser lists it to its agents. */
export interface ListedTool {
  name: string;
  description: string;
  inputSchema?: object;
  annotations?: { readOnly?: boolean; consequential?: boolean; untrustedContent?: boolean };
  frameId: string;
}

/** What a call came to. */
export interface Answer {
  /** `Completed`, `Error`. */
  status: string;
  output: unknown;
}

/** The domain of the DevTools protocol that agents outside of the browser use. Playwright has no types for it yet. */
interface WebMcpProtocol {
  send(method: "WebMCP.enable"): Promise<void>;
  send(
    method: "WebMCP.invokeTool",
    call: { frameId: string; toolName: string; input: object },
  ): Promise<{ invocationId: string }>;
  on(event: "WebMCP.toolsAdded", listener: (event: { tools: ListedTool[] }) => void): void;
  on(event: "WebMCP.toolsRemoved", listener: (event: { tools: Pick<ListedTool, "name">[] }) => void): void;
  on(event: "WebMCP.toolResponded", listener: (event: Answer & { invocationId: string }) => void): void;
}

/** A browser's agent: it sees the tools that the browser has of a page, calls them, and knows nothing else of it. */
export class BrowserAgent {
  readonly #protocol: WebMcpProtocol;
  readonly #tools = new Map<string, ListedTool>();
  readonly #answers = new Map<string, Answer>();
  #history: string[] = [];
  #wakers: (() => void)[] = [];

  private constructor(session: CDPSession) {
    this.#protocol = session;
    this.#protocol.on("WebMCP.toolsAdded", ({ tools }) => {
      for (const tool of tools) this.#add(tool);
      this.#wake();
    });
    this.#protocol.on("WebMCP.toolsRemoved", ({ tools }) => {
      for (const { name } of tools) {
        this.#tools.delete(name);
        this.#history.push(`-${name}`);
      }
      this.#wake();
    });
    this.#protocol.on("WebMCP.toolResponded", ({ invocationId, status, output }) => {
      this.#answers.set(invocationId, { status, output });
      this.#wake();
    });
  }

  /** Begins to watch a page, which has to be one that has not been navigated yet. */
  static async watch(page: Page): Promise<BrowserAgent> {
    const session = await page.context().newCDPSession(page);
    const agent = new BrowserAgent(session);
    await session.send("Page.enable");
    // The tools of a document go with it, and nobody tells.
    session.on("Page.frameNavigated", ({ frame }) => {
      if (frame.parentId === undefined) agent.#tools.clear();
    });
    await agent.#protocol.send("WebMCP.enable");
    return agent;
  }

  #add(tool: ListedTool): void {
    this.#tools.set(tool.name, tool);
    this.#history.push(`+${tool.name}`);
  }

  get names(): string[] {
    return [...this.#tools.keys()].toSorted();
  }

  /** What came and went since it was asked last. */
  history(): string[] {
    return this.#history.splice(0);
  }

  /** A tool, as soon as there is one of that name. */
  async tool(name: string): Promise<ListedTool> {
    return this.#until(() => this.#tools.get(name));
  }

  /** Calls a tool, and returns the answer when it is there. */
  async call(toolName: string, input: object = {}): Promise<Answer> {
    const { frameId } = await this.tool(toolName);
    const { invocationId } = await this.#protocol.send("WebMCP.invokeTool", { frameId, toolName, input });
    return this.#until(() => this.#answers.get(invocationId));
  }

  /** The same, and what the tool says: its output, or its error. */
  async ask(toolName: string, input: object = {}): Promise<unknown> {
    const { output } = await this.call(toolName, input);
    const { content, isError } = output as { content: [{ text: string }]; isError?: boolean };
    const said: unknown = JSON.parse(content[0].text);
    return isError === true ? { error: said } : { output: said };
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#wakers.push(resolve));
    }
  }

  #wake(): void {
    for (const waker of this.#wakers.splice(0)) waker();
  }
}
