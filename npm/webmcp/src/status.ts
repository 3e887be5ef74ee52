/** How an adapter stands with its browser. */
export type WebMcpStatus =
  /** Not started, or not any more. */
  | { state: "stopped" }
  /** The browser has no `document.modelContext` here. Nothing was registered and nothing will be. */
  | { state: "unsupported"; reason: string }
  /** The page's Permissions-Policy does not allow tools. Nothing is registered. */
  | { state: "refused"; reason: string }
  | {
      state: "running";
      /** The names of the tools that the browser has taken, in the order of the surface. */
      tools: string[];
      /** What agents should have and do not. */
      problems: WebMcpProblem[];
    };

/** Something that agents should have and do not. */
export interface WebMcpProblem {
  /**
   * - `not-allowed`: the page's Permissions-Policy does not allow tools
   * - `name-taken`: another script of the page has a tool of this name; it is tried again when that one goes
   * - `origin-refused`: `exposedTo` names something that is no secure origin
   * - `not-registered`: the browser did not take the tool, for another reason
   * - `curation-failed`: `exposeCapability` threw, so that the capability is not exposed
   * - `truncated`: the budget left components out
   */
  reason:
    | "not-allowed"
    | "name-taken"
    | "origin-refused"
    | "not-registered"
    | "curation-failed"
    | "truncated";
  /** The tool's name; where the whole page is concerned, none. */
  tool?: string;
  /** In a sentence, for developers. */
  message: string;
}
