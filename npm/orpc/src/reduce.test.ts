import { expect, it } from "vitest";
import { reduceInputSchema } from "./reduce.js";

const full = {
  type: "object",
  description: "What is to be disabled",
  properties: {
    ids: { type: "array", items: { type: "string" } },
    reason: { type: "string", description: "Why." },
  },
  required: ["ids", "reason"],
  additionalProperties: false,
};

const reduce = (schema: object, bound: string[], overridable: string[] = []) =>
  reduceInputSchema(schema as Record<string, unknown>, bound, new Set(overridable));

const branch = (kind: string, rest: object) => ({
  type: "object",
  properties: { kind: { const: kind }, ...rest },
  required: ["kind", ...Object.keys(rest)],
});

it("what is locked leaves the properties and what is required, and nothing else changes", () => {
  expect(reduce(full, ["ids"])).toEqual({
    ...full,
    properties: { reason: full.properties.reason },
    required: ["reason"],
  });
});

it("where nothing is bound, the schema is the whole one, whatever it is made of", () => {
  const open = { anyOf: [{ type: "object" }] };
  expect(reduce(full, [])).toBe(full);
  expect(reduce(open, [])).toBe(open);
});

it("where all is bound, an agent can supply nothing", () => {
  expect(reduce(full, ["ids", "reason"])).toEqual({
    type: "object",
    properties: {},
    additionalProperties: false,
  });
});

it("what may be overridden stays, optional, and says what it is otherwise", () => {
  expect(reduce(full, ["ids", "reason"], ["reason"])).toEqual({
    type: "object",
    description: "What is to be disabled",
    properties: {
      reason: {
        type: "string",
        description: "Why. If it is left out, the current UI value is taken at the moment of the call.",
      },
    },
    additionalProperties: false,
  });
});

it("fields leave every branch of a union", () => {
  const ids = { ids: { type: "array" } };
  expect(reduce({ anyOf: [branch("some", ids), branch("all", {})] }, ["ids"])).toEqual({
    anyOf: [branch("some", {}), branch("all", {})],
  });
});

it("fields leave a definition that the schema is a reference to, and only there", () => {
  const $defs = { "in/put": full, other: full };
  expect(reduce({ $ref: "#/$defs/in~1put", title: "Disabling", $defs }, ["ids"])).toEqual({
    ...full,
    properties: { reason: full.properties.reason },
    required: ["reason"],
    title: "Disabling",
    $defs,
  });
});

it("definitions that lead nowhere or in a circle are left as they are", () => {
  const circle = { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }, full] } } };
  expect(reduce(circle, ["ids"])["anyOf"]).toEqual([
    { $ref: "#/$defs/a" },
    { ...full, properties: { reason: full.properties.reason }, required: ["reason"] },
  ]);
  const nowhere = { anyOf: [{ $ref: "#/$defs/toString" }] };
  expect(reduce(nowhere, ["ids"])).toEqual(nowhere);
});

it("the schema that was given is not changed", () => {
  const before = structuredClone(full);
  reduce(full, ["ids", "reason"], ["ids"]);
  expect(full).toEqual(before);
});
