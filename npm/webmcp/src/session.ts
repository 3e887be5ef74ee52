import { createAgentToolset, type AgentToolset, type Unsubscribe } from "@agent-surface/core";
import { Calls } from "./calls.js";
import { listOffers, type Catalogue, type Listing } from "./catalogue.js";
import type { AdapterHost } from "./host.js";
import type { WebMcpModelContext } from "./model-context.js";
import { Shelf } from "./shelf.js";
import type { WebMcpProblem, WebMcpStatus } from "./status.js";

/** The running session of each consumer, for each document. */
const running = /* @__PURE__ */ new WeakMap<WebMcpModelContext, Map<string, Session>>();

/** A surface that is on offer in a document. */
export class Session {
  readonly #browser: WebMcpModelContext;
  readonly #consumerKey: string;
  readonly #catalogue: Catalogue;
  readonly #toolset: AgentToolset;
  readonly #calls: Calls;
  readonly #shelf: Shelf;
  readonly #onProblem: (problem: WebMcpProblem) => void;
  readonly #ending = new AbortController();
  readonly #unsubscribe: Unsubscribe;
  /** What the last listing left out. */
  #omissions: WebMcpProblem[] = [];
  #refusal: string | undefined;

  constructor(
    browser: WebMcpModelContext,
    { registry, consumer }: AdapterHost,
    how: Pick<Catalogue, "context" | "curate" | "exposedTo">,
    onProblem: (problem: WebMcpProblem) => void,
  ) {
    this.#browser = browser;
    this.#consumerKey = `${consumer.kind}:${consumer.id}`;
    const { scope } = how.context;
    const confirmations = "two-phase";
    this.#toolset = createAgentToolset(registry, { consumer, confirmations, ...(scope && { scope }) });
    this.#catalogue = { ...how, registry, consumer, toolset: this.#toolset };
    this.#calls = new Calls(registry, consumer, () => this.#isOver());
    this.#onProblem = onProblem;
    this.#shelf = new Shelf(browser, this.#calls, (problem) => this.#note(problem));
    const listing = listOffers(this.#catalogue);
    this.#takeOver();
    this.#show(listing);
    this.#unsubscribe = registry.subscribe(({ type }) => {
      if (type === "surface-changed" && this.#refusal === undefined) this.#show(listOffers(this.#catalogue));
    });
    const { signal } = this.#ending;
    browser.addEventListener?.("toolchange", () => this.#shelf.retry(), { signal });
  }

  get status(): WebMcpStatus {
    if (this.#ending.signal.aborted) return { state: "stopped" };
    if (this.#refusal !== undefined) return { state: "refused", reason: this.#refusal };
    const problems = [...this.#omissions, ...this.#shelf.problems];
    return { state: "running", tools: this.#shelf.names, problems };
  }

  /** Resolves when the browser has decided on what is on offer. */
  settled(): Promise<void> {
    return this.#shelf.settled();
  }

  end(): void {
    if (this.#ending.signal.aborted) return;
    this.#ending.abort();
    this.#unsubscribe();
    this.#toolset.dispose();
    this.#calls.close();
    this.#shelf.put([]);
    const sessions = running.get(this.#browser);
    if (sessions?.get(this.#consumerKey) === this) sessions.delete(this.#consumerKey);
  }

  /** Ends an earlier session of the same consumer: an app that was reloaded in place may have left one behind. */
  #takeOver(): void {
    const sessions = running.get(this.#browser) ?? new Map<string, Session>();
    running.set(this.#browser, sessions);
    sessions.get(this.#consumerKey)?.end();
    sessions.set(this.#consumerKey, this);
  }

  #show({ offers, problems }: Listing): void {
    const known = new Set(this.#omissions.map(({ message }) => message));
    this.#omissions = problems;
    for (const problem of problems) if (!known.has(problem.message)) this.#onProblem(problem);
    this.#calls.surfaceVersion = this.#catalogue.registry.getVersion();
    this.#shelf.put(offers);
  }

  /** Whether the registry was disposed; if so, this ends. */
  #isOver(): boolean {
    try {
      listOffers(this.#catalogue);
      return false;
    } catch {
      this.end();
      return true;
    }
  }

  #note(problem: WebMcpProblem): void {
    if (problem.reason === "not-allowed") {
      // A document's policy never changes: one answer is as good as one for each tool.
      if (this.#refusal !== undefined) return;
      this.#refusal = problem.message;
      this.#shelf.put([]);
    }
    this.#onProblem(problem);
  }
}
