/**
 * The types that TypeBox gives its schemas, told without TypeBox: an app of this package need not have it installed.
 * TypeBox 0.34 writes a schema's type into it; of TypeBox 1 it is derived from what the schema says.
 */
import type { JsonValue } from "./types.js";

/** A schema that TypeBox made: of `@sinclair/typebox` 0.34, or of `typebox` 1. */
export type TypeBoxSchema =
  | { readonly static: unknown; readonly params: readonly unknown[] }
  | { readonly "~kind": string }
  | { readonly "~unsafe": unknown };

/** The type of the values that a TypeBox schema describes. */
export type TypeBoxStatic<S> = S extends { static: infer T; params: readonly unknown[] }
  ? T
  : S extends { "~unsafe": infer T }
    ? T
    : S extends { "~kind": infer K }
      ? StaticOfKind<S, K>
      : JsonValue;

type StaticOfKind<S, K> = K extends "String"
  ? string
  : K extends "Number" | "Integer"
    ? number
    : K extends "Boolean"
      ? boolean
      : K extends "Null"
        ? null
        : K extends "Literal"
          ? Member<S, "const">
          : K extends "Enum"
            ? Item<Member<S, "enum">>
            : K extends "Array"
              ? TypeBoxStatic<Member<S, "items">>[]
              : K extends "Union"
                ? TypeBoxStatic<Item<Member<S, "anyOf">>>
                : K extends "Object"
                  ? StaticOfObject<Member<S, "properties">>
                  : JsonValue;

type StaticOfObject<P> = Flat<
  { [K in keyof P as P[K] extends { "~optional": true } ? never : K]: TypeBoxStatic<P[K]> } & {
    [K in keyof P as P[K] extends { "~optional": true } ? K : never]?: TypeBoxStatic<P[K]>;
  }
>;

type Flat<T> = { [K in keyof T]: T[K] } & {};
type Member<S, K extends PropertyKey> = S extends { [_ in K]: infer T } ? T : never;
type Item<T> = T extends readonly (infer I)[] ? I : never;
