/**
 * What TypeScript makes of the contract macros, the way an app writes them. Nothing here runs: `types.test.ts`
 * compiles it, with a compiler error expected wherever a line says so.
 */
import {
  type AgentActionContext,
  type AgentComponentDefinition,
  type AgentSchema,
  type CapabilityAuthority,
  type CapabilityContractManifest,
  actionContract,
  createAgentExposureGateway,
  createCapabilityAuthority,
  defineAgentComponentContract,
  defineAgentProcedureContract,
  defineExternalAgentToolContract,
  emptyObjectSchema,
  fromJsonSchema,
  fromStandardSchema,
  observationContract,
} from "@agent-surface/core";

/** Compiles only if both types are the same. */
function same<A, B>(..._proof: [A] extends [B] ? ([B] extends [A] ? [] : [never]) : [never]): void {}

const counter = defineAgentComponentContract({
  type: "demo.counter",
  description: "Counter",
  observations: {
    value: observationContract({
      description: "Current value",
      output: fromJsonSchema<number>({ type: "number" }),
    }),
  },
  actions: {
    add: actionContract({
      description: "Add",
      input: fromJsonSchema<{ by: number }>({ type: "object" }),
      output: fromJsonSchema<number>({ type: "number" }),
      effect: "local-state",
    }),
    reset: actionContract({ description: "Reset", input: emptyObjectSchema, effect: "local-state" }),
  },
});

let value = 0;

export const bound: AgentComponentDefinition = counter.bind({
  instanceId: "primary",
  observations: { value: { read: () => value } },
  actions: {
    add: {
      // The handler's types come from the schemas alone.
      execute(input, ctx) {
        same<typeof input, { by: number }>();
        same<typeof ctx, AgentActionContext>();
        value += input.by;
        return value;
      },
      precondition(input) {
        if (input.by < 0) return { message: "Only upwards", details: { by: input.by } };
        return undefined;
      },
      when: () => value < 10,
    },
    reset: { execute: async () => void (value = 0) },
  },
});

counter.bind({
  // @ts-expect-error an observation's handler returns what its schema says
  observations: { value: { read: () => "one" } },
  actions: { add: { execute: () => 1 }, reset: { execute: () => undefined } },
});

counter.bind({
  observations: { value: { read: () => 1 } },
  // @ts-expect-error every action needs its handler
  actions: { add: { execute: () => 1 } },
});

counter.bind({
  observations: { value: { read: () => 1 } },
  actions: {
    // @ts-expect-error an action's handler returns what its schema says
    add: { execute: () => "one" },
    reset: { execute: () => undefined },
  },
});

counter.bind({
  observations: {
    value: { read: () => 1 },
    // @ts-expect-error what was not declared cannot be bound
    other: { read: () => 1 },
  },
});

// @ts-expect-error what happens on a server is no action of a component
actionContract({ description: "Delete", input: emptyObjectSchema, effect: "destructive" });

// @ts-expect-error the proof is the compiler's business
defineAgentComponentContract({ type: "demo.raw", description: "Raw" }, { manifestHash: "" });

defineAgentProcedureContract({
  // @ts-expect-error a procedure's id begins with its plane
  id: "devices.disable",
  description: "Disable devices",
  input: emptyObjectSchema,
  effect: "destructive",
});

/** The shape of what Zod and its kin make. */
declare const standard: {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "zod";
    validate(value: unknown): { value: { ids: string[] } } | { issues: readonly { message: string }[] };
    readonly types?: { readonly input: unknown; readonly output: { ids: string[] } } | undefined;
  };
};
const ids = fromStandardSchema(standard, { jsonSchema: { type: "object" } });
same<typeof ids, AgentSchema<{ ids: string[] }>>();

const report = defineExternalAgentToolContract({
  id: "external:reports.export",
  description: "Export the report",
  input: ids,
  output: fromJsonSchema<string>({ type: "string" }),
  effect: "external-side-effect",
});
const tool = report.bind({ execute: (input) => input.ids.join() });
// @ts-expect-error the tool's handler returns what its schema says
report.bind({ execute: () => 5 });

declare const manifest: CapabilityContractManifest;
const authority: CapabilityAuthority = createCapabilityAuthority(manifest);
const exposed = createAgentExposureGateway(authority).expose([tool]);
same<typeof exposed, (typeof tool)[]>();

// @ts-expect-error an authority cannot be written down
export const forged: CapabilityAuthority = { manifest };
