import { AgentSurfaceDefinitionError } from "../errors.js";
import { deepFreeze } from "../json.js";
import { fromJsonSchema, sealSchema, type AgentSchema } from "../schema.js";
import type { JsonSchema } from "../types.js";
import type { Proof } from "./proof.js";

/** A schema's place in a definition, as the steps of a JSON Pointer. */
type Place = readonly string[];

/**
 * A definition as the compiler ships it: the evaluated literal, in which a JSON Schema document stands wherever
 * the author had an AgentSchema. Putting schemas back gives the author's definition, with nothing in it that was
 * not proven but the validators of Standard Schemas, which are code.
 */
export class Expansion {
  readonly #proof: Proof;
  readonly #author: unknown;

  /** @param author the author's own object, which the validators are taken from; it is needed for nothing else */
  constructor(proof: Proof, author: unknown) {
    this.#proof = proof;
    this.#author = author;
  }

  /** The members of a record, each expanded. */
  each<T extends object>(
    record: Record<string, T> | undefined,
    place: Place,
    keys: readonly (keyof T & string)[],
  ) {
    if (record === undefined) return undefined;
    return Object.freeze(
      Object.fromEntries(
        Object.entries(record).map(([name, member]) => [name, this.schemas(member, [...place, name], keys)]),
      ),
    );
  }

  /** An object with its schemas put back at `keys`, and everything in it frozen. */
  schemas<T extends object>(object: T, place: Place, keys: readonly (keyof T & string)[]): Readonly<T> {
    deepFreeze(object);
    const schemas = keys
      .filter((key) => object[key] !== undefined)
      .map((key) => [key, this.#schema(object[key] as JsonSchema, [...place, key])]);
    return Object.freeze({ ...object, ...Object.fromEntries(schemas) });
  }

  #schema(document: JsonSchema, place: Place): AgentSchema<unknown> {
    if (!this.#proof.validators.has(pointer(place))) return sealSchema(fromJsonSchema<unknown>(document));
    const validator = place.reduce<unknown>(
      (value, step) => (value as Record<string, unknown> | null | undefined)?.[step],
      this.#author,
    ) as AgentSchema<unknown> | undefined;
    if (typeof validator?.parse !== "function") {
      throw new AgentSurfaceDefinitionError(
        "INVALID_DEFINITION",
        `the schema at ${pointer(place)} of ${this.#proof.declarationId} has lost its validator`,
      );
    }
    return sealSchema({ jsonSchema: document, parse: validator.parse.bind(validator) });
  }
}

function pointer(place: Place): string {
  return place.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
