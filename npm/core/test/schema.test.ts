import {
  AgentSchemaError,
  AgentSurfaceDefinitionError,
  emptyObjectSchema,
  fromJsonSchema,
  fromStandardSchema,
  type AgentSchema,
  type AgentSchemaIssue,
  type StandardSchemaV1,
} from "@agent-surface/core";
import { describe, expect, it } from "vitest";

/** The issues of a value that a schema refuses. */
function issues(schema: AgentSchema<unknown>, value: unknown): AgentSchemaIssue[] {
  try {
    schema.parse(value);
  } catch (error) {
    if (error instanceof AgentSchemaError) return error.issues;
    throw error;
  }
  throw new Error("the value was accepted");
}

describe("a schema of JSON Schema", () => {
  const rows = fromJsonSchema({
    type: "object",
    properties: {
      rows: {
        type: "array",
        items: { type: "object", properties: { id: { type: "string", minLength: 1 } } },
      },
    },
    required: ["rows"],
    additionalProperties: false,
  });

  it("accepts what it describes", () => {
    const value = { rows: [{ id: "a" }, {}] };
    expect(rows.parse(value)).toEqual(value);
  });

  it("says where a value is wrong, as JavaScript reaches the place", () => {
    expect(issues(rows, { rows: [{ id: "a" }, { id: "" }] })).toEqual([
      { path: "rows[1].id", message: "must have at least 1 character" },
    ]);
    expect(issues(rows, {}).map(({ path }) => path)).toEqual(["rows"]);
    expect(issues(rows, 5).map(({ path }) => path)).toEqual([""]);
  });

  it("tells all issues in one message", () => {
    const pair = fromJsonSchema({ properties: { a: { type: "null" }, b: { type: "null" } } });
    expect(() => pair.parse({ a: 1, b: 2 })).toThrow(/^a: .*; b: /);
    expect(() => pair.parse({ a: 1 })).toThrow(AgentSchemaError);
    expect(() => fromJsonSchema({ type: "null" }).parse(1)).toThrow(/^\$: /);
  });

  it("uses the engine's regular expressions, with the u flag", () => {
    const name = fromJsonSchema({ type: "string", pattern: "^(?<initial>\\p{Lu})\\k<initial>?.$" });
    expect(name.parse("Ä😀")).toBe("Ä😀");
    expect(issues(name, "ä😀")).toHaveLength(1);
  });

  it("matches each pattern it was given among many", () => {
    const schemas = Array.from({ length: 600 }, (_, i) => fromJsonSchema({ pattern: `^${i}$` }));
    schemas.forEach((schema, i) => {
      expect(schema.parse(String(i))).toBe(String(i));
      expect(issues(schema, "x")).toHaveLength(1);
    });
  });

  it("is refused where it leaves the subset, with each place and its reason", () => {
    const outside = fromJsonSchema({ properties: { a: { oneOf: [] }, b: { pattern: "(" } } });
    const parse = (): unknown => outside.parse({});
    expect(parse).toThrow(AgentSurfaceDefinitionError);
    expect(parse).toThrow("[UNSUPPORTED_SCHEMA]");
    expect(parse).toThrow("#/properties/a");
    expect(parse).toThrow("#/properties/b");
  });

  it("is the author's own document", () => {
    const document = { type: "null" };
    expect(fromJsonSchema(document).jsonSchema).toBe(document);
  });
});

describe("a value", () => {
  const anything = fromJsonSchema({});

  it("is copied, so that the app gets what was validated", () => {
    const value = { list: [1, { deep: true }] };
    const parsed = anything.parse(value) as typeof value;
    expect(parsed).toEqual(value);
    value.list.push(2);
    expect(parsed.list).toHaveLength(2);
  });

  it("is read once, so that a getter can't show one thing and give another", () => {
    let reads = 0;
    const shifty = {
      get answer() {
        reads += 1;
        return reads === 1 ? "fine" : { not: "fine" };
      },
    };
    const schema = fromJsonSchema({ properties: { answer: { type: "string" } } });
    expect(schema.parse(shifty)).toEqual({ answer: "fine" });
  });

  it("is not converted to fit: what JSON has no word for is refused with its place", () => {
    const date = fromJsonSchema({ properties: { at: { type: "string", format: "date-time" } } });
    expect(issues(date, { at: new Date(0) })[0]?.path).toBe("at");
    const nullable = fromJsonSchema({ type: ["number", "null"] });
    for (const value of [
      Number.NaN,
      Number.POSITIVE_INFINITY,
      undefined,
      1n,
      Symbol("s"),
      () => 1,
      new Map(),
    ]) {
      expect(issues(nullable, value)).toHaveLength(1);
      expect(issues(anything, { in: [0, value] })[0]?.path).toBe("in[1]");
    }
  });

  it("loses its undefined members, as JSON does", () => {
    expect(anything.parse({ a: undefined, b: 1 })).toStrictEqual({ b: 1 });
  });

  it("may have members with any name", () => {
    const value: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1}');
    const parsed = anything.parse(value) as object;
    expect(Object.keys(parsed)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });

  it("may come from another realm, or have no prototype", () => {
    expect(anything.parse(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
  });

  it("may be nested as deep as the kernel reads JSON, and no deeper", () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    expect(() => anything.parse(nest(128))).not.toThrow();
    expect(issues(anything, nest(129))[0]?.message).toContain("too deep");
  });

  it("is refused if it goes in a circle", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    expect(issues(anything, circle)[0]?.message).toContain("circle");
  });

  it("is refused with half a surrogate pair in it", () => {
    expect(issues(anything, "\udc00")[0]?.message).toContain("surrogate");
  });

  it("keeps a byte order mark, and every other character", () => {
    const text = "\ufeff\u0000\u2028é😀";
    expect(anything.parse(text)).toBe(text);
    expect(issues(fromJsonSchema({ const: text }), "")[0]?.message).toContain("\ufeff");
  });
});

describe("the empty object's schema", () => {
  it("accepts the empty object alone", () => {
    expect(emptyObjectSchema.parse({})).toEqual({});
    expect(issues(emptyObjectSchema, { a: 1 })).toHaveLength(1);
    expect(issues(emptyObjectSchema, [])).toHaveLength(1);
  });
});

describe("a Standard Schema", () => {
  const jsonSchema = { type: "string" };
  /** A schema of some library, by its validator. */
  function standard<T>(validate: StandardSchemaV1<unknown, T>["~standard"]["validate"]): AgentSchema<T> {
    return fromStandardSchema<T>({ "~standard": { version: 1, vendor: "test", validate } }, { jsonSchema });
  }

  it("AS-SCHEMA-002 shows the agent the JSON Schema it was given with", () => {
    expect(standard((value) => ({ value })).jsonSchema).toBe(jsonSchema);
  });

  it("AS-SCHEMA-002 gives what its validator makes of the value", () => {
    expect(standard((value) => ({ value: `${String(value)}!` })).parse("a")).toBe("a!");
  });

  it("reports the validator's issues, with paths as everywhere", () => {
    const failing = standard(() => ({
      issues: [
        { message: "too short", path: ["rows", 2, { key: "id" }] },
        { message: "missing" },
        { message: "odd", path: [0] },
      ],
    }));
    expect(issues(failing, {})).toEqual([
      { path: "rows[2].id", message: "too short" },
      { path: "", message: "missing" },
      { path: "[0]", message: "odd" },
    ]);
  });

  it("is refused if it validates asynchronously", () => {
    expect(
      issues(
        standard(() => Promise.resolve({})),
        1,
      )[0]?.message,
    ).toContain("asynchronously");
  });
});
