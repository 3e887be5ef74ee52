import { createOrpcAgentManifest, type OrpcAgentMeta } from "@agent-surface/orpc/manifest";
import { oc } from "@orpc/contract";
import { eventIterator, implement, lazy, os } from "@orpc/server";
import { ZodToJsonSchemaConverter } from "@orpc/zod/zod4";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeRouter } from "./support/backend.js";

const Renaming = z.object({ id: z.string(), name: z.string().default("unnamed") });
const branch = (kind: string) => z.object({ kind: z.literal(kind), text: z.string() });
const route = os.$meta<OrpcAgentMeta>({});
const contract = {
  devices: {
    rename: oc
      .$meta<OrpcAgentMeta>({})
      .route({ description: "Rename a device" })
      .meta({ agent: { effect: "server-mutation", requiresApproval: true } })
      .input(Renaming)
      .output(Renaming),
    secret: oc.input(Renaming),
  },
};
const expected = {
  tools: {
    "devices.rename": {
      description: "Rename a device",
      inputSchema: {
        type: "object",
        properties: { id: { type: "string" }, name: { type: "string", default: "unnamed" } },
        required: ["id"],
      },
      outputSchema: {
        type: "object",
        properties: { id: { type: "string" }, name: { type: "string", default: "unnamed" } },
        required: ["id", "name"],
        additionalProperties: false,
      },
      effect: "server-mutation",
      requiresApproval: true,
    },
  },
};

describe("what is exposed", () => {
  it("a router says which of its procedures agents may have, by their metadata", async () => {
    const { tools } = await createOrpcAgentManifest(makeRouter({ onDisable: () => undefined }));
    expect(Object.keys(tools)).toEqual(["devices.disable", "devices.list"]);
    expect(tools["devices.disable"]).toMatchObject({
      description: "Disable the given devices",
      effect: "server-mutation",
      outputSchema: { properties: { disabled: { type: "number" } } },
    });
  });

  it("a GET is a query that need not say so, and the summary of its route describes it", async () => {
    const { tools } = await createOrpcAgentManifest(makeRouter({ onDisable: () => undefined }));
    expect(tools["devices.list"]).toMatchObject({ description: "List devices", effect: "server-query" });
  });

  it("a contract alone gives the same manifest as the router that implements it", async () => {
    const os = implement(contract);
    const router = os.router({
      devices: {
        rename: os.devices.rename.handler(({ input }) => input),
        secret: os.devices.secret.handler(() => undefined),
      },
    });
    expect(await createOrpcAgentManifest(contract)).toEqual(expected);
    expect(await createOrpcAgentManifest(router)).toEqual(expected);
  });

  it("routers that are loaded lazily are loaded", async () => {
    const devices = lazy(async () => ({ default: contract.devices as never }));
    expect(await createOrpcAgentManifest({ devices })).toEqual(expected);
  });

  it("the manifest does not depend on the order of the router", async () => {
    const read = route.meta({ agent: { effect: "server-query", description: "Read" } }).handler(() => null);
    const one = await createOrpcAgentManifest({ b: read, a: { c: read, b: read } });
    const other = await createOrpcAgentManifest({ a: { b: read, c: read }, b: read });
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(Object.keys(one.tools)).toEqual(["a.b", "a.c", "b"]);
  });
});

describe("schemas", () => {
  const expose = route.meta({ agent: { effect: "server-query", description: "Find" } });
  const find = async (schema: z.ZodType, options = {}) => {
    const router = { find: expose.input(schema).handler(() => null) };
    const { tools } = await createOrpcAgentManifest(router, options);
    return tools["find"]?.inputSchema;
  };

  it("a procedure without an input schema takes the empty object", async () => {
    const { tools } = await createOrpcAgentManifest({ ping: expose.handler(() => null) });
    expect(tools["ping"]?.inputSchema).toEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });

  it("Zod's schemas come to what z.toJSONSchema gives, but for the draft", async () => {
    const schema = z.strictObject({ name: z.string().max(9), tags: z.array(z.enum(["a", "b"])).default([]) });
    const { $schema, ...document } = z.toJSONSchema(schema, { io: "input" });
    expect($schema).toBeDefined();
    expect(await find(schema)).toEqual(document);
  });

  it("a discriminated union of Zod's is restated as a build restates it", async () => {
    const schema = z.discriminatedUnion("kind", [branch("a"), branch("b")]);
    expect(z.toJSONSchema(schema, { io: "input" })).toHaveProperty("oneOf");
    expect(await find(schema)).toEqual({
      anyOf: ["a", "b"].map((kind) => ({
        type: "object",
        properties: { kind: { type: "string", const: kind }, text: { type: "string" } },
        required: ["kind", "text"],
      })),
    });
  });

  it("what needs no restating keeps its bytes", async () => {
    const schema = z.object({ b: z.string(), a: z.record(z.string(), z.unknown()).optional() });
    const { $schema: _, ...plain } = z.toJSONSchema(schema.omit({ a: true }), { io: "input" });
    expect(JSON.stringify(await find(schema.omit({ a: true })))).toBe(JSON.stringify(plain));
    expect(await find(schema)).toMatchObject({ properties: { a: { additionalProperties: true } } });
  });

  it("oRPC's converters can be used instead", async () => {
    const converter = new ZodToJsonSchemaConverter();
    const schema = z.strictObject({ at: z.iso.datetime() });
    expect(
      await find(schema, {
        toJsonSchema: (it: never, side: "input") => converter.convert(it, { strategy: side })[1],
      }),
    ).toEqual({
      type: "object",
      properties: { at: { type: "string", format: "date-time" } },
      required: ["at"],
      additionalProperties: false,
    });
  });

  it("ArkType says its schemas itself", async () => {
    const router = { find: expose.input(type({ name: "string" })).handler(() => null) };
    const { tools } = await createOrpcAgentManifest(router);
    expect(tools["find"]?.inputSchema).toEqual({
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    });
  });
});

it("everything that can't be exposed is told at once, by its name", async () => {
  const expose = route.meta({ agent: { description: "x", effect: "server-query" } });
  const router = {
    silent: route.meta({ agent: {} }).handler(() => null),
    valibot: expose.input(v.object({ a: v.string() })).handler(() => null),
    list: expose.input(z.array(z.string())).handler(() => null),
    tuple: expose.input(z.object({ pair: z.tuple([z.string(), z.number()]) })).handler(() => null),
    date: expose.output(z.object({ at: z.date() })).handler(() => ({ at: new Date(0) })),
    stream: expose.output(eventIterator(z.string())).handler(async function* () {
      yield "a";
    }),
    "a.b": expose.handler(() => null),
  };
  await expect(createOrpcAgentManifest(router)).rejects.toThrowErrorMatchingInlineSnapshot(`
    [Error: These procedures can't be exposed to agents:
      a.b: its path has a name with a dot
      date: its output schema: Date cannot be represented in JSON Schema
      list: it takes no object
      silent: it has no description
      silent: it says no effect
      stream: its output schema: one of orpc does not say its JSON Schema; give \`toJsonSchema\`
      tuple: its input schema: [UNSUPPORTED_SCHEMA] #/properties/pair/items: found false where a schema must stand, which here is always an object; #/properties/pair/prefixItems: \`prefixItems\` is not supported; use an object with a property for each position, or \`items\` for all of them
      valibot: its input schema: one of valibot does not say its JSON Schema; give \`toJsonSchema\`]
  `);
});
