/** What holds of anything, tried with much of it. The seed is fixed, so that a failure can be looked at again. */
import { expect, it } from "vitest";
import {
  AgentSurfaceDefinitionError,
  decodeWireName,
  encodeWireName,
  fromJsonSchema,
  type JsonSchema,
} from "@agent-surface/core";
import { button, codeOf, mount, the } from "./support/surface.js";

/** Whole numbers below what is asked for. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const throwDie = dice(7);

const pick = <T>(items: readonly T[]): T => the(items[throwDie(items.length)]);

const letters = (alphabet: string, least: number, most: number): string =>
  Array.from({ length: least + throwDie(most - least + 1) }, () => pick(Array.from(alphabet))).join("");

const LOWER = "abcdefghijklmnopqrstuvwxyz";

const segment = (): string => letters(LOWER, 1, 1) + letters(`${LOWER}0123456789-`, 0, 5);

const type = (): string => Array.from({ length: 1 + throwDie(4) }, segment).join(".");

const name = (): string => letters(LOWER, 1, 1) + letters(`${LOWER}${LOWER.toUpperCase()}0123456789`, 0, 6);

it("AS-ID-003 whatever the grammar allows names a capability, and is read as that", async () => {
  for (let round = 0; round < 200; round++) {
    const [component, action] = [type(), name()];
    const { registry } = mount({ type: component, actions: { [action]: button() } });
    const capabilityId = `view:${component}.${action}`;
    expect(registry.snapshot().components[0]?.actions[0]).toMatchObject({ capabilityId, name: action });
    expect(codeOf(await registry.invoke({ capabilityId, input: {} }))).toEqual({ output: undefined });
    registry.dispose();
  }
});

it("AS-ID-004 a wire name is of a provider's alphabet, and is read back or not at all", () => {
  for (let round = 0; round < 2000; round++) {
    const path = letters(`${LOWER}${LOWER.toUpperCase()}0123456789._-/ é`, 1, 80);
    const capabilityId = pick([`view:${type()}.${name()}`, `domain:${path}`]);
    const wireName = encodeWireName(capabilityId);
    expect(wireName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect([capabilityId, undefined]).toContain(decodeWireName(wireName));
    expect([undefined, encodeWireName(decodeWireName(wireName) ?? "")]).toContain(
      decodeWireName(wireName) === undefined ? undefined : wireName,
    );
  }
});

const KEYWORDS: Readonly<Record<string, () => unknown>> = {
  type: () => pick(["object", "array", "string", "number", "integer", "boolean", "null", ["string", "null"]]),
  enum: () => [1, "a", null],
  const: () => ({ a: [1] }),
  required: () => ["a"],
  additionalProperties: () => pick([true, false]),
  minItems: () => throwDie(9),
  uniqueItems: () => true,
  maxLength: () => throwDie(9),
  pattern: () => "^[a-z]+$",
  format: () => pick(["date-time", "date", "uuid", "email", "uri"]),
  exclusiveMinimum: () => throwDie(9) - 4,
  multipleOf: () => 0.5,
  description: () => "Text",
  default: () => ({}),
  examples: () => [1],
  deprecated: () => true,
};

/** A document of the subset, whose schemas stand inside each other at most this deep. */
function document(depth: number): JsonSchema {
  const schema: JsonSchema = {};
  for (let count = throwDie(4); count > 0; count--) {
    const keyword = pick(Object.keys(KEYWORDS));
    schema[keyword] = KEYWORDS[keyword]?.();
  }
  if (depth === 0) return schema;
  switch (throwDie(4)) {
    case 0:
      schema["properties"] = { a: document(depth - 1), b: document(depth - 1) };
      break;
    case 1:
      schema["items"] = document(depth - 1);
      break;
    case 2:
      schema["anyOf"] = [document(depth - 1), document(depth - 1)];
      break;
    default:
  }
  return schema;
}

const FORBIDDEN: Readonly<Record<string, unknown>> = {
  oneOf: [{}],
  allOf: [{}],
  not: {},
  if: {},
  patternProperties: {},
  dependentRequired: {},
  unevaluatedProperties: false,
  $ref: "https://example.com/schema",
};

/** Some schema in a document. */
function place(schema: JsonSchema): JsonSchema {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as { properties?: object; items?: JsonSchema; anyOf?: JsonSchema[] };
  const inner = [...(Object.values(properties) as JsonSchema[]), ...(items ? [items] : []), ...anyOf];
  return inner.length === 0 || throwDie(3) === 0 ? schema : place(pick(inner));
}

/** How a document is judged: it is opened when something is held against it, whatever that is. */
function judge(schema: JsonSchema): unknown {
  try {
    fromJsonSchema(schema).parse(null);
    return "accepted";
  } catch (error) {
    return error instanceof AgentSurfaceDefinitionError ? error.code : "accepted";
  }
}

it("AS-SCHEMA-003 whatever is of the subset is accepted, and anything else in it, anywhere, is refused", () => {
  for (let round = 0; round < 500; round++) {
    const schema = document(5);
    expect(judge(schema)).toBe("accepted");
    const [keyword, value] = pick(Object.entries(FORBIDDEN));
    place(schema)[keyword] = value;
    expect(judge(schema)).toBe("UNSUPPORTED_SCHEMA");
  }
});

it("AS-SCHEMA-003 a document that is nested too deep is refused", () => {
  const nest = (levels: number): JsonSchema => (levels === 0 ? {} : { items: nest(levels - 1) });
  expect([judge(nest(7)), judge(nest(20))]).toEqual(["accepted", "UNSUPPORTED_SCHEMA"]);
});
