import { expect, it } from "vitest";
import { reduceInputSchema } from "./reduce.js";

const full = {
  type: "object",
  properties: { ids: { type: "array" }, reason: { type: "string", description: "Why." } },
  required: ["ids", "reason"],
};

it("where nothing is bound, the schema is the whole one, whatever it is made of", () => {
  const open = { anyOf: [{ type: "object" }], other: undefined };
  expect(reduceInputSchema(full, [], [])).toBe(full);
  expect(reduceInputSchema(open, [], ["ids"])).toBe(open);
});

it("fields that are bound are the app's, and those that may be overridden an agent may set", () => {
  const before = structuredClone(full);
  expect(reduceInputSchema(full, ["ids", "reason"], ["reason"])).toEqual({
    type: "object",
    properties: {
      reason: {
        type: "string",
        description: "Why. If it is left out, the current UI value is taken at the moment of the call.",
      },
    },
  });
  expect(full).toEqual(before);
});

it("a schema that is no JSON is left for the registry to refuse", () => {
  const schema = { type: "object", title: "\ud800" };
  expect(reduceInputSchema(schema, ["ids"], [])).toBe(schema);
});
