import type { Explanation, NativeProof, Neighbour, Output } from "./binding.js";
import type { Bundler } from "./inquiry.js";

/** A way to find out what the production build of an environment would prove. */
export interface Proving {
  /** What it is called where it is told which was taken. */
  readonly way: string;
  /**
   * Looks at the whole app, or at what changed since it last did.
   * @throws ContractError for a contract that is refused, anything else for a graph that has no end.
   */
  prove(): Promise<Look>;
  /**
   * Makes one contract of what was proven here, in the environment of this name, and in others.
   * @throws ContractError where they contradict each other.
   */
  unite(environment: string, others: Neighbour[]): NativeProof | undefined;
  /** Lets go of all that was looked at, once nobody will want more than the proof that was taken. */
  release(): void;
  /** How a proven capability came about, once for each declaration of it. */
  explain(capabilityId: string): Promise<Explanation[]>;
  noteChange(file: string, cameOrWent: boolean): void;
  /** Puts what was proven into a module, before or after other plugins. */
  serve(
    bundler: Bundler,
    code: string,
    id: string,
    compiled: boolean,
  ): Output | undefined | Promise<Output | undefined>;
  /** The names of what a module, after that, declares and nothing proved: no entry leads to it. */
  findUnproven(code: string, id: string, compiled: boolean): string[];
  authorityModule(): string;
  /** Names what a page was served of the proof. */
  readonly digest: string | undefined;
  /** What was proven, without what others proved. */
  readonly proof: NativeProof | undefined;
  /** Files that the contract may depend on. */
  files(): string[];
  /** Those of the files that were changed at this {@link fileTime} or later. */
  changedSince(time: number): string[];
  /** Modules that could not be loaded, and that nobody knows whether they import anything. */
  readonly left: readonly string[];
}

/** What came of a look. */
export type Look = "proven" | "unchanged";
