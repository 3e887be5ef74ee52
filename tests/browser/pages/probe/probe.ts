import { AgentSchemaError, fromJsonSchema } from "@agent-surface/core";
import authority from "virtual:agent-surface-contract";
import "./contract.js";

/** What a kernel answers, here. */
export interface Answers {
  /** Hash of the manifest it verified. */
  hash: string;
  /** A value it let through. */
  accepted: unknown;
  /** What it said against another. */
  refused: string[];
}

// A pattern is the engine's own, and these numbers are parsed and printed by it: each of them calls back.
const reading = fromJsonSchema({
  type: "object",
  properties: { room: { type: "string", pattern: "^\\p{Lu}" }, level: { type: "number", multipleOf: 0.25 } },
  required: ["room", "level"],
  additionalProperties: false,
});

/** Asks the kernel for the three things that can be wrong with it: its hash, its yes and its no. */
export function probe(): Answers {
  return {
    hash: authority.manifest.hash,
    accepted: reading.parse({ room: "Ölkeller \u{1f4a1}", level: 1.75e2 }),
    refused: refusalOf(() => reading.parse({ room: "hall", level: 0.3 })),
  };
}

function refusalOf(parse: () => unknown): string[] {
  try {
    parse();
    return [];
  } catch (error) {
    if (error instanceof AgentSchemaError)
      return error.issues.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
}
