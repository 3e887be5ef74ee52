import { AgentSurfaceDefinitionError } from "./errors.js";
import { NotJsonError, copyJson, memberPath } from "./json.js";
import { kernel } from "./kernel/index.js";
import type { TypeBoxSchema, TypeBoxStatic } from "./typebox.js";
import type { JsonSchema, JsonValue } from "./types.js";

/** One thing that is wrong with a value. */
export interface AgentSchemaIssue {
  /** The place in the value, as JavaScript reaches it: `rows[2].id`; empty for the value itself. */
  path: string;
  /** Safe to show to an agent. */
  message: string;
}

/** A value that does not satisfy its schema. */
export class AgentSchemaError extends Error {
  readonly issues: AgentSchemaIssue[];

  constructor(issues: AgentSchemaIssue[]) {
    super(
      issues.map(({ path, message }) => `${path === "" ? "$" : path}: ${message}`).join("; ") ||
        "Invalid value",
    );
    this.name = "AgentSchemaError";
    this.issues = issues;
  }
}

/** What crosses the boundary to an agent: described for the agent, and checked for the app. */
export interface AgentSchema<T> {
  /** What the agent is shown. */
  readonly jsonSchema: JsonSchema;
  /**
   * The value, if it is one of these.
   *
   * @throws AgentSchemaError if it is not.
   */
  parse(value: unknown): T;
}

/** The part of Standard Schema v1 (https://standardschema.dev) that is used here. */
export interface StandardSchemaV1<I = unknown, O = I> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown):
      | { value: O; issues?: undefined }
      | {
          issues: ReadonlyArray<{
            message: string;
            path?: ReadonlyArray<PropertyKey | { key: PropertyKey }> | undefined;
          }>;
        }
      | Promise<unknown>;
    readonly types?: { readonly input: I; readonly output: O } | undefined;
  };
}

/** The part of Standard JSON Schema v1 (https://standardschema.dev/json-schema) that is used here. */
export interface StandardJSONSchemaV1 {
  readonly "~standard": {
    readonly jsonSchema: {
      input(options: { target: "draft-2020-12" }): Record<string, unknown>;
      output(options: { target: "draft-2020-12" }): Record<string, unknown>;
    };
  };
}

/**
 * A schema of Zod, Valibot, ArkType or another library of the Standard Schema family.
 *
 * In a build the JSON Schema is evaluated, and ships as the literal that it came to. An input is then described as an agent
 * sends it, an output as an agent gets it, which is not the same where the schema has defaults or transforms.
 *
 * @param schema validates at runtime; it must do so synchronously
 * @param options the JSON Schema for the agent, which the library itself can make
 */
export function fromStandardSchema<T>(
  schema: StandardSchemaV1<unknown, T>,
  options: { jsonSchema: object },
): AgentSchema<T>;
/**
 * A schema of a library that implements Standard JSON Schema: it describes itself.
 *
 * @param schema validates at runtime; it must do so synchronously
 */
export function fromStandardSchema<T>(
  schema: StandardSchemaV1<unknown, T> & StandardJSONSchemaV1,
): AgentSchema<T>;
export function fromStandardSchema<T>(
  schema: StandardSchemaV1<unknown, T>,
  options?: { jsonSchema: object },
): AgentSchema<T> {
  const made = options ?? selfDescribed(schema as unknown as StandardJSONSchemaV1);
  return {
    // What describes itself is not asked before somebody wants to know, and in a build nobody does.
    get jsonSchema() {
      return made.jsonSchema as JsonSchema;
    },
    parse(value) {
      const result = schema["~standard"].validate(value);
      if ("then" in result) {
        throw new AgentSchemaError([
          { path: "", message: "the schema validates asynchronously, which is not supported" },
        ]);
      }
      if (result.issues) {
        throw new AgentSchemaError(
          result.issues.map(({ path, message }) => ({ path: formatPath(path ?? []), message })),
        );
      }
      return result.value;
    },
  };
}

/** Outside of a build nobody knows which side is wanted; what a validator takes is its input. */
function selfDescribed(schema: StandardJSONSchemaV1): { readonly jsonSchema: JsonSchema } {
  let described: JsonSchema | undefined;
  return {
    get jsonSchema() {
      return (described ??= schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }));
    },
  };
}

function formatPath(steps: ReadonlyArray<PropertyKey | { key: PropertyKey }>): string {
  return steps
    .map((step) => (typeof step === "object" ? step.key : step))
    .reduce<string>(
      (path, key) => (typeof key === "number" ? `${path}[${key}]` : memberPath(path, String(key))),
      "",
    );
}

/**
 * A TypeBox type, which is a JSON Schema. `parse` validates by the kernel; defaults are for the agent to read and are not
 * filled in.
 */
export function fromJsonSchema<S extends TypeBoxSchema>(schema: S): AgentSchema<TypeBoxStatic<S>>;
/**
 * A schema that is nothing but JSON Schema. `parse` validates by the kernel, and returns a copy: what was
 * validated is what the app gets, whatever else holds the original.
 *
 * `parse` throws AgentSurfaceDefinitionError (UNSUPPORTED_SCHEMA) where the document leaves the supported subset.
 */
export function fromJsonSchema<T = JsonValue>(schema: JsonSchema): AgentSchema<T>;
export function fromJsonSchema<T = JsonValue>(schema: JsonSchema): AgentSchema<T> {
  let opened: OpenSchema | undefined;
  const made = {
    jsonSchema: schema,
    parse(value: unknown): T {
      opened ??= new OpenSchema(schema);
      return opened.parse(value) as T;
    },
  };
  // oxlint-disable-next-line typescript/unbound-method -- it is kept to be recognised, and not called
  parsers.add(made.parse);
  return made;
}

/** The `parse` of every schema that is nothing but JSON Schema: what the kernel can do by itself. */
const parsers = /* @__PURE__ */ new WeakSet<AgentSchema<unknown>["parse"]>();

/** Whether a schema's validator is the kernel's own, which needs no JavaScript for it. */
export function isValidatedByKernel(schema: AgentSchema<unknown>): boolean {
  // oxlint-disable-next-line typescript/unbound-method -- it is looked up and not called
  return parsers.has(schema.parse);
}

/** The documents that can't change any more, with their texts once these were needed. */
const sealed = /* @__PURE__ */ new WeakMap<JsonSchema, string | undefined>();

/** Freezes a schema whose document is frozen through and through, so that the document is written down once. */
export function sealSchema<T>(schema: AgentSchema<T>): AgentSchema<T> {
  if (!sealed.has(schema.jsonSchema)) sealed.set(schema.jsonSchema, undefined);
  return Object.freeze(schema);
}

/** The text of a schema's document, if that can't change any more. */
export function sealedText({ jsonSchema }: AgentSchema<unknown>): string | undefined {
  if (!sealed.has(jsonSchema)) return undefined;
  const text = sealed.get(jsonSchema) ?? JSON.stringify(jsonSchema);
  sealed.set(jsonSchema, text);
  return text;
}

/** For actions that take nothing: the empty object. */
export const emptyObjectSchema: AgentSchema<Record<string, never>> = /* @__PURE__ */ fromJsonSchema({
  type: "object",
  properties: {},
  additionalProperties: false,
});

/** Closes the kernel's side of a schema that nothing can ask for any more. Made on first use, like the kernel. */
let closing: FinalizationRegistry<number> | undefined;

/** A document that the kernel has read and holds by number. */
class OpenSchema {
  readonly #handle: number;

  constructor(document: JsonSchema) {
    const handle = kernel().openSchema(JSON.stringify(document));
    if (typeof handle !== "number") throw new AgentSurfaceDefinitionError(handle.code, handle.message);
    this.#handle = handle;
    closing ??= new FinalizationRegistry((closed) => kernel().closeSchema(closed));
    closing.register(this, handle);
  }

  parse(value: unknown): JsonValue {
    const copy = readValue(value);
    const issues = kernel().validate(this.#handle, JSON.stringify(copy));
    if (issues.length > 0) throw new AgentSchemaError(issues);
    return copy;
  }
}

function readValue(value: unknown): JsonValue {
  try {
    return copyJson(value);
  } catch (error) {
    if (error instanceof NotJsonError)
      throw new AgentSchemaError([{ path: error.path, message: error.message }]);
    throw error;
  }
}
