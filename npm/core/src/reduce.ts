/** For adapters that bind procedures: what is left of an input for an agent. */
import { kernel } from "./kernel/index.js";
import type { JsonSchema } from "./types.js";

/**
 * The schema of what an agent supplies: that of the whole input without the fields that a component binds, and with
 * those optional that it fills in and the agent may set all the same. Whatever else the schema says stays.
 */
export function reduceInputSchema(
  full: JsonSchema,
  boundKeys: readonly string[],
  overridable: readonly string[],
): JsonSchema {
  if (boundKeys.length === 0) return full;
  return kernel().reduceSchema(JSON.stringify(full), boundKeys, overridable) ?? full;
}
