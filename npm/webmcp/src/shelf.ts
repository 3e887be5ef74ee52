import type { JsonValue } from "@agent-surface/core";
import type { Calls } from "./calls.js";
import type { Offer } from "./catalogue.js";
import type { WebMcpExecuteOptions, WebMcpModelContext } from "./model-context.js";
import type { WebMcpProblem } from "./status.js";

/** A tool that the browser has, is about to have, or did not take. */
interface Entry {
  /** What is offered now. Only its target may change while it is registered. */
  offer: Offer;
  /** What the browser knows of it, as text: two entries of one text need no new registration. */
  readonly definition: string;
  /** Takes the present registration back. */
  controller: AbortController;
  state: "pending" | "registered" | WebMcpProblem;
}

/**
 * The tools that one adapter has with a browser. It registers and takes back what has changed, and nothing else: agents
 * may be in the middle of reading the list.
 */
export class Shelf {
  readonly #browser: WebMcpModelContext;
  readonly #calls: Calls;
  readonly #onProblem: (problem: WebMcpProblem) => void;
  #entries = new Map<string, Entry>();
  #settling: Promise<void>[] = [];

  constructor(browser: WebMcpModelContext, calls: Calls, onProblem: (problem: WebMcpProblem) => void) {
    this.#browser = browser;
    this.#calls = calls;
    this.#onProblem = onProblem;
  }

  /** Offers these tools and no others. */
  put(offers: readonly Offer[]): void {
    const entries = new Map<string, Entry>();
    const added: Entry[] = [];
    for (const offer of offers) {
      const { name } = offer.tool;
      const definition = JSON.stringify([offer.tool, offer.exposedTo]);
      const present = this.#entries.get(name);
      if (present?.definition === definition) {
        present.offer = offer;
        entries.set(name, present);
      } else {
        const entry: Entry = { offer, definition, controller: new AbortController(), state: "pending" };
        entries.set(name, entry);
        added.push(entry);
      }
    }
    const before = this.#entries;
    this.#entries = entries;
    // First what goes: a name is free from the moment its registration is taken back.
    for (const [name, entry] of before) if (entries.get(name) !== entry) entry.controller.abort();
    for (const entry of added) this.#register(entry);
  }

  /** Tries again what another script's tools stood in the way of. */
  retry(): void {
    for (const entry of this.#entries.values()) {
      if (typeof entry.state === "object" && entry.state.reason === "name-taken") this.#register(entry);
    }
  }

  /** Resolves when the browser has decided on everything that was put so far. */
  async settled(): Promise<void> {
    while (this.#settling.length > 0) await Promise.all(this.#settling.splice(0));
  }

  /** The names of the tools that the browser has taken. */
  get names(): string[] {
    return [...this.#entries].flatMap(([name, { state }]) => (state === "registered" ? name : []));
  }

  get problems(): WebMcpProblem[] {
    return [...this.#entries.values()].flatMap(({ state }) => (typeof state === "object" ? state : []));
  }

  #register(entry: Entry): void {
    const controller = new AbortController();
    entry.controller = controller;
    const { tool, exposedTo } = entry.offer;
    const execute = (input: JsonValue | undefined, options?: WebMcpExecuteOptions) =>
      this.#calls.call(entry.offer.target, input ?? {}, options?.signal);
    const options = { signal: controller.signal, ...(exposedTo !== undefined && { exposedTo }) };
    const settle = (state: Entry["state"]): void => {
      // The answer to a registration that was taken back meanwhile says nothing of the one in its place.
      if (entry.controller !== controller || controller.signal.aborted) return;
      const before = entry.state;
      entry.state = state;
      if (typeof state === "object" && typeof before !== "object") this.#onProblem(state);
    };
    const decided = new Promise<void>((resolve) => {
      resolve(this.#browser.registerTool({ ...tool, execute }, options));
    });
    this.#settling.push(
      decided.then(
        () => settle("registered"),
        (error: unknown) => settle(explain(tool.name, error)),
      ),
    );
  }
}

/** What it means that a browser did not take a tool whose name and description are valid. */
function explain(tool: string, error: unknown): WebMcpProblem {
  const { name, message } = (error ?? {}) as { name?: unknown; message?: unknown };
  const why = typeof message === "string" ? message : String(error);
  switch (name) {
    case "InvalidStateError":
      return { reason: "name-taken", tool, message: `another script of the page has a tool called ${tool}` };
    case "NotAllowedError":
      return { reason: "not-allowed", message: `the page's Permissions-Policy does not allow tools: ${why}` };
    case "SecurityError":
      return { reason: "origin-refused", tool, message: `exposedTo of ${tool} was refused: ${why}` };
    default:
      return { reason: "not-registered", tool, message: `the browser did not take ${tool}: ${why}` };
  }
}
