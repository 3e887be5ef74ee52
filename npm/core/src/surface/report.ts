import type { AgentEnvironment } from "../types.js";

/** What a registry tells its app's developers, and nobody else. Outside of development it is silent. */
export class Report {
  readonly #isHeard: boolean;

  constructor(environment: AgentEnvironment) {
    this.#isHeard = environment === "development";
  }

  /** Something that is not as its author meant it. */
  warn(message: string, ...details: unknown[]): void {
    // oxlint-disable-next-line no-console -- the console is where developers look
    if (this.#isHeard) console.warn(`[agent-surface] ${message}`, ...details);
  }

  /** Something that failed. */
  error(message: string, ...details: unknown[]): void {
    // oxlint-disable-next-line no-console -- the console is where developers look
    if (this.#isHeard) console.error(`[agent-surface] ${message}`, ...details);
  }
}
