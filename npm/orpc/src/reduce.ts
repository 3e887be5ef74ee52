import type { JsonSchema } from "@agent-surface/core";

/** Told of a field that a component fills in unless the agent does. */
const DEFAULTS_TO_UI = "If it is left out, the current UI value is taken at the moment of the call.";

const DEFINITIONS = "#/$defs/";

/**
 * The schema of what an agent supplies: that of the whole input without the fields that a component locks, and with
 * those optional that it fills in and the agent may set all the same. Whatever else the schema says stays.
 */
export function reduceInputSchema(
  full: JsonSchema,
  boundKeys: readonly string[],
  overridable: ReadonlySet<string>,
): JsonSchema {
  if (boundKeys.length === 0) return full;
  const reduced = new Reduction(full, boundKeys, overridable).of(full, new Set());
  // Nothing is left to an agent, not even what the schema does not mention.
  const isEmpty = membersOf(reduced, "anyOf").length === 0 && membersOf(reduced, "properties").length === 0;
  return isEmpty ? { type: "object", properties: {}, additionalProperties: false } : reduced;
}

/** One reduction; the document of a union or reference has the fields in more than one place. */
class Reduction {
  readonly #document: JsonSchema;
  readonly #bound: ReadonlySet<string>;
  readonly #overridable: ReadonlySet<string>;

  constructor(document: JsonSchema, bound: readonly string[], overridable: ReadonlySet<string>) {
    this.#document = document;
    this.#bound = new Set(bound);
    this.#overridable = overridable;
  }

  /** A schema of the whole input, be it one of many. `within` are the definitions that it stands in. */
  of(schema: JsonSchema, within: ReadonlySet<string>): JsonSchema {
    const { $ref: name, ...own } = schema;
    const definition = this.#definition(name);
    if (typeof name === "string" && definition !== undefined && !within.has(name)) {
      return { ...this.of(definition, new Set([...within, name])), ...this.#narrow(own, within) };
    }
    return this.#narrow(schema, within);
  }

  #narrow(schema: JsonSchema, within: ReadonlySet<string>): JsonSchema {
    const narrowed = { ...schema };
    if (isRecord(schema["properties"])) {
      const kept = Object.entries(schema["properties"]).filter(([name]) => !this.#isLocked(name));
      narrowed["properties"] = Object.fromEntries(
        kept.map(([name, property]) => [name, this.#bound.has(name) ? annotate(property) : property]),
      );
    }
    if (Array.isArray(schema["required"])) {
      const required = schema["required"].filter((name) => !this.#bound.has(String(name)));
      if (required.length > 0) narrowed["required"] = required;
      else delete narrowed["required"];
    }
    if (Array.isArray(schema["anyOf"])) {
      narrowed["anyOf"] = schema["anyOf"].map((one) => (isRecord(one) ? this.of(one, within) : one));
    }
    return narrowed;
  }

  #isLocked(name: string): boolean {
    return this.#bound.has(name) && !this.#overridable.has(name);
  }

  #definition(name: unknown): JsonSchema | undefined {
    if (typeof name !== "string" || !name.startsWith(DEFINITIONS)) return undefined;
    const definitions = this.#document["$defs"];
    const key = name.slice(DEFINITIONS.length).replaceAll("~1", "/").replaceAll("~0", "~");
    if (!isRecord(definitions) || !Object.hasOwn(definitions, key)) return undefined;
    const definition = definitions[key];
    return isRecord(definition) ? definition : undefined;
  }
}

function annotate(property: unknown): unknown {
  if (!isRecord(property)) return property;
  const { description } = property;
  const own = typeof description === "string" && description !== "" ? `${description} ` : "";
  return { ...property, description: `${own}${DEFAULTS_TO_UI}` };
}

function membersOf(schema: JsonSchema, keyword: string): unknown[] {
  const value = schema[keyword];
  return typeof value === "object" && value !== null ? Object.values(value) : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
