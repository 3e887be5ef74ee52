import type { Output } from "./binding.js";

/** What a hook returns for an edited text, or for none. */
export function orNull(output: Output | undefined): { code: string; map?: string } | null {
  return output === undefined ? null : { ...output };
}
