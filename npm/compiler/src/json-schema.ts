/**
 * JSON Schemas of libraries, as a build takes them: for tools that make contracts' documents without one.
 *
 * @packageDocumentation
 */
import type { JsonSchema } from "@agent-surface/core";
import { native } from "./native.js";

/** Loaded at once: whoever imports this learns then and there whether this machine has an addon. */
const addon = native();

/**
 * Restates what schema libraries say beyond the subset of contracts, where its meaning is kept; `docs/schema-libraries.md` has the
 * list. What lies inside the subset, and what can't be restated, stays as it is.
 *
 * @param vendor the library, as Standard Schema calls it
 */
export function normalizeJsonSchema(document: JsonSchema, vendor: string): JsonSchema {
  const text = addon.normalizeSchema(JSON.stringify(document), vendor);
  return text === null ? document : (JSON.parse(text) as JsonSchema);
}
