/**
 * For tools that review contracts, `@agent-surface/cli` among them: a contract with its places, and reports over
 * several.
 *
 * @packageDocumentation
 */
import type { NativeReview, NativeWorkspaceReview, ReviewRequest } from "./binding.js";
import { native } from "./native.js";

export type {
  CompiledTarget,
  Explanation,
  NamedPlace,
  NativeReview as Review,
  NativeWorkspaceReview as WorkspaceReview,
  RenderOptions,
  ReviewRequest,
} from "./binding.js";
export { ConfigError, proveContract } from "./compile.js";
export type { ProveContractOptions, ProvenContract } from "./compile.js";
export { AddonError } from "./native.js";
export { PluginMissing } from "./scan.js";

/**
 * Compares an app's contract with its snapshot and a base.
 * @throws Error in one sentence where one of them cannot be read or was edited by hand.
 */
export function reviewContract(request: ReviewRequest): NativeReview {
  return new (native().Review)(request);
}

/** The outcome of a command over several apps, none of which is in it yet. */
export function reviewWorkspace(command: string): NativeWorkspaceReview {
  return new (native().WorkspaceReview)(command);
}
