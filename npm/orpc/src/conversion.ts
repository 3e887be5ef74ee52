import { AgentSurfaceDefinitionError, fromJsonSchema, type JsonSchema } from "@agent-surface/core";
import type { Schema } from "@orpc/server";

/** A schema of any library that a procedure may have. */
// oxlint-disable-next-line typescript/no-explicit-any -- of any input and output
export type ProcedureSchema = NonNullable<Schema<any, any>>;

/** Whether a schema is looked at for what comes in or for what goes out: defaults and transforms tell these apart. */
export type SchemaSide = "input" | "output";

/** Gives the JSON Schema (draft 2020-12) of a schema. */
export type ConvertSchema = (schema: ProcedureSchema, side: SchemaSide) => JsonSchema | Promise<JsonSchema>;

/** The schema of a procedure that takes nothing. */
export const NOTHING: JsonSchema = { type: "object", properties: {}, additionalProperties: false };

/** Asks the schema's own library, by Standard JSON Schema (https://standardschema.dev/json-schema). */
export const askLibrary: ConvertSchema = (schema, side) => {
  const { vendor, jsonSchema } = schema["~standard"] as Partial<StandardJsonSchema>;
  if (jsonSchema === undefined) {
    throw new Error(`one of ${vendor} does not say its JSON Schema; give \`toJsonSchema\``);
  }
  return jsonSchema[side]({ target: "draft-2020-12" });
};

/**
 * The JSON Schema of a schema, as a contract has it.
 *
 * @throws Error where there is none, or it is outside of the subset that agents are offered
 */
export async function convertSchema(
  schema: ProcedureSchema,
  side: SchemaSide,
  convert: ConvertSchema,
): Promise<JsonSchema> {
  // Which draft it is of says nothing about the values, so contracts do without.
  const { $schema: _, ...said } = await convert(schema, side);
  normalize ??= loadNormalize();
  const document = (await normalize)(said, schema["~standard"].vendor);
  checkSubset(document);
  return document;
}

type Normalize = (document: JsonSchema, vendor: string) => JsonSchema;

/** Made on first use. */
let normalize: Promise<Normalize> | undefined;

/**
 * The rule by which builds restate what a library says. A server that makes its manifest itself may be without the compiler, or
 * on a machine without its addon: documents that need no restating are the same there, others are refused.
 */
async function loadNormalize(): Promise<Normalize> {
  try {
    return (await import("@agent-surface/compiler/json-schema")).normalizeJsonSchema;
  } catch {
    return refuseCounted;
  }
}

/**
 * Names that ArkType counts are inside of the subset, and others in every process: no page would have them alike.
 *
 * @throws Error where there are such names
 */
const refuseCounted: Normalize = (document, vendor) => {
  const [counted] = Object.keys(document["$defs"] ?? {}).filter((name) => /\d$/.test(name));
  if (vendor !== "arktype" || counted === undefined) return document;
  throw new Error(
    `ArkType names the definition \`${counted}\` by a count that the next process has otherwise; install ` +
      "@agent-surface/compiler, which numbers definitions anew",
  );
};

function checkSubset(document: JsonSchema): void {
  try {
    fromJsonSchema(document).parse(null);
  } catch (error) {
    if (error instanceof AgentSurfaceDefinitionError) throw error;
    // The document is good, and null is not one of its values.
  }
}

/** What a library says of a schema that speaks Standard JSON Schema. */
interface StandardJsonSchema {
  readonly vendor: string;
  readonly jsonSchema: Record<SchemaSide, (options: { target: "draft-2020-12" }) => JsonSchema>;
}
