/**
 * What TypeScript makes of schemas of the libraries that people use. Nothing here runs: `types.test.ts` compiles it.
 */
import { toJsonSchema } from "@valibot/to-json-schema";
import { Type as Type34 } from "@sinclair/typebox";
import {
  type AgentSchema,
  actionContract,
  defineAgentComponentContract,
  fromJsonSchema,
  fromStandardSchema,
} from "@agent-surface/core";
import { type } from "arktype";
import { Type } from "typebox";
import * as v from "valibot";
import { z } from "zod";
import * as mini from "zod/mini";

/** Compiles only if both types are the same. */
function same<A, B>(..._proof: [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]): void {}

/** What a handler gets: defaults are filled in. */
interface Parsed {
  ids: string[];
  mode: "replace" | "add";
}

const Zod = z.object({ ids: z.array(z.string()), mode: z.enum(["replace", "add"]).default("replace") });
const zod = fromStandardSchema(Zod, { jsonSchema: z.toJSONSchema(Zod) });
same<typeof zod, AgentSchema<Parsed>>();
const alone = fromStandardSchema(Zod);
same<typeof alone, AgentSchema<Parsed>>();

const Mini = mini.object({
  ids: mini.array(mini.string()),
  // oxlint-disable-next-line no-underscore-dangle -- that is its name
  mode: mini._default(mini.enum(["replace", "add"]), "add"),
});
const zodMini = fromStandardSchema(Mini, { jsonSchema: mini.toJSONSchema(Mini) });
same<typeof zodMini, AgentSchema<Parsed>>();

const Valibot = v.object({
  ids: v.array(v.string()),
  mode: v.optional(v.picklist(["replace", "add"]), "replace"),
});
const valibot = fromStandardSchema(Valibot, { jsonSchema: toJsonSchema(Valibot) });
same<typeof valibot, AgentSchema<Parsed>>();
// @ts-expect-error a schema of Valibot does not describe itself
fromStandardSchema(Valibot);

const Ark = type({ ids: "string[]", mode: "'replace' | 'add' = 'replace'" });
const ark = fromStandardSchema(Ark, { jsonSchema: Ark.toJsonSchema() });
same<typeof ark, AgentSchema<Parsed>>();
const arkAlone = fromStandardSchema(Ark);
same<typeof arkAlone, AgentSchema<Parsed>>();

/** TypeBox describes what is sent: nothing is filled in. */
interface Sent {
  ids: string[];
  mode?: "replace" | "add";
  part: null | number | boolean;
}

const box = fromJsonSchema(
  Type.Object({
    ids: Type.Array(Type.String()),
    mode: Type.Optional(Type.Union([Type.Literal("replace"), Type.Literal("add")])),
    part: Type.Union([Type.Null(), Type.Integer(), Type.Boolean()]),
  }),
);
same<typeof box, AgentSchema<Sent>>();
const box34 = fromJsonSchema(
  Type34.Object({
    ids: Type34.Array(Type34.String()),
    mode: Type34.Optional(Type34.Union([Type34.Literal("replace"), Type34.Literal("add")])),
    part: Type34.Union([Type34.Null(), Type34.Integer(), Type34.Boolean()]),
  }),
);
same<typeof box34, AgentSchema<Sent>>();

const contract = defineAgentComponentContract({
  type: "demo.rows",
  description: "Rows",
  actions: {
    zod: actionContract({ description: "Z", input: zod, output: zod, effect: "local-state" }),
    valibot: actionContract({ description: "V", input: valibot, effect: "local-state" }),
    ark: actionContract({ description: "A", input: ark, output: arkAlone, effect: "local-state" }),
    box: actionContract({ description: "T", input: box, output: box34, effect: "local-state" }),
  },
});

contract.bind({
  actions: {
    zod: {
      execute(input) {
        same<typeof input, Parsed>();
        return input;
      },
    },
    valibot: {
      execute(input) {
        same<typeof input, Parsed>();
      },
    },
    ark: {
      execute(input) {
        same<typeof input, Parsed>();
        return input;
      },
    },
    box: {
      execute(input) {
        same<typeof input, Sent>();
        return input;
      },
    },
  },
});
