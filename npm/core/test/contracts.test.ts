import {
  AgentSurfaceDefinitionError,
  actionContract,
  defineAgentComponentContract,
  defineAgentProcedureContract,
  defineExternalAgentToolContract,
  emptyObjectSchema,
  fromJsonSchema,
  observationContract,
} from "@agent-surface/core";
import { describe, expect, it } from "vitest";

const counter = defineAgentComponentContract({
  type: "demo.counter",
  description: "Counter",
  meta: { unit: "clicks" },
  priority: 2,
  policies: [{ name: "authenticated" }],
  tags: ["demo"],
  observations: {
    value: observationContract({
      description: "Current value",
      output: fromJsonSchema<number>({ type: "number" }),
      timeoutMs: 50,
    }),
  },
  actions: {
    increment: actionContract({
      description: "Add to the value",
      input: fromJsonSchema<{ by: number }>({ type: "object" }),
      effect: "local-state",
      reversible: true,
      concurrency: { mode: "capability" },
      policies: [{ name: "rate-limit", phase: "invoke" }],
    }),
  },
});

const read = (): number => 1;
const execute = (): void => undefined;
const when = (): boolean => true;

describe("a component contract", () => {
  it("says what its author declared", () => {
    expect(counter.kind).toBe("agent-component-contract");
    expect(counter.type).toBe("demo.counter");
    expect(counter.actions?.increment.effect).toBe("local-state");
  });

  it("cannot be changed", () => {
    expect(Object.isFrozen(counter)).toBe(true);
  });

  it("binds to a definition that has its promises and the handlers", () => {
    const guard = { name: "authenticated" };
    const bound = counter.bind({
      instanceId: "primary",
      parent: { type: "demo.page" },
      internal: { secret: 1 },
      enabled: false,
      policies: [guard],
      observations: { value: { read } },
      actions: { increment: { execute, when, unavailableReason: "busy" } },
    });
    expect(bound).toStrictEqual({
      type: "demo.counter",
      instanceId: "primary",
      description: "Counter",
      parent: { type: "demo.page" },
      meta: { unit: "clicks" },
      internal: { secret: 1 },
      policies: [guard],
      priority: 2,
      enabled: false,
      observations: {
        value: {
          description: "Current value",
          output: counter.observations?.value.output,
          timeoutMs: 50,
          read,
        },
      },
      actions: {
        increment: {
          description: "Add to the value",
          input: counter.actions?.increment.input,
          effect: "local-state",
          reversible: true,
          concurrency: { mode: "capability" },
          execute,
          when,
          unavailableReason: "busy",
        },
      },
    });
  });

  it("binds with nothing that was not given", () => {
    const bare = defineAgentComponentContract({ type: "demo.bare", description: "Nothing to do" });
    expect(bare.bind({})).toStrictEqual({ type: "demo.bare", description: "Nothing to do" });
  });

  it("needs a handler for everything it declares", () => {
    const missing = [
      [{ actions: { increment: { execute } } }, 'observation "value"'],
      [{ observations: { value: {} }, actions: { increment: { execute } } }, 'observation "value"'],
      [{ observations: { value: { read } } }, 'action "increment"'],
      [
        { observations: { value: { read } }, actions: { increment: { execute: "now" } } },
        'action "increment"',
      ],
    ] as const;
    for (const [bindings, what] of missing) {
      expect(() => counter.bind(bindings as object)).toThrow(AgentSurfaceDefinitionError);
      expect(() => counter.bind(bindings as object)).toThrow(
        `contract "demo.counter" ${what} has no runtime binding`,
      );
    }
  });

  it("takes no handler from a prototype", () => {
    const named = defineAgentComponentContract({
      type: "demo.named",
      description: "Its capability is called as an object's own function is",
      actions: {
        constructor: actionContract({
          description: "Build",
          input: emptyObjectSchema,
          effect: "local-state",
        }),
      },
    });
    expect(() => named.bind({ actions: {} as never })).toThrow("no runtime binding");
  });
});

describe("a procedure contract", () => {
  it("says what its author declared", () => {
    const disable = defineAgentProcedureContract({
      id: "domain:devices.disable",
      description: "Disable devices",
      input: emptyObjectSchema,
      effect: "destructive",
    });
    expect(disable.kind).toBe("agent-procedure-contract");
    expect(disable.definition.id).toBe("domain:devices.disable");
  });
});

describe("an external tool's contract", () => {
  it("binds to nothing until a compiler has proven it", () => {
    const report = defineExternalAgentToolContract({
      id: "external:reports.export",
      description: "Export the report",
      input: emptyObjectSchema,
      effect: "external-side-effect",
    });
    expect(report.definition.effect).toBe("external-side-effect");
    expect(() => report.bind({ execute: () => null })).toThrow(AgentSurfaceDefinitionError);
    expect(() => report.bind({ execute: () => null })).toThrow("has no compiler provenance");
  });
});

describe("a macro that is passed to map()", () => {
  it("does not take the index for a proof", () => {
    const definitions = [{ type: "demo.a", description: "A" }];
    const [contract] = definitions.map(defineAgentComponentContract);
    expect(contract?.type).toBe("demo.a");
  });
});
