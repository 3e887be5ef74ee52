import { describe, expect, it } from "vitest";
import { fromStandardSchema } from "../schema.js";
import {
  actionContract,
  defineAgentComponentContract,
  deriveAgentComponentBinding,
  observationContract,
} from "./component.js";
import { authorizeAgentProcedureBinding, defineAgentProcedureContract } from "./procedure.js";
import { proofs, readProof } from "./proof.js";

/** A macro as the compiler calls it. */
type Compiled<M extends (definition: never) => unknown> = (
  definition: unknown,
  proof: unknown,
  author?: unknown,
) => ReturnType<M>;

const proof = {
  manifestHash: "m".repeat(64),
  declarationId: "src/table.ts#table",
  contracts: { "view:demo.table.rows": "r".repeat(64), "view:demo.table.select": "s".repeat(64) },
};

const literal = {
  type: "demo.table",
  description: "Table",
  observations: { rows: { description: "Rows", output: { type: "array" } } },
  actions: {
    select: {
      description: "Select",
      input: { type: "string" },
      output: { type: "null" },
      effect: "local-state",
    },
  },
};

const defineTable = defineAgentComponentContract as unknown as (
  definition: unknown,
  proof: unknown,
  author?: unknown,
) => ReturnType<typeof defineAuthored>;

/** The same component as its author writes it. */
function defineAuthored(validate: (value: unknown) => { value: string }) {
  return defineAgentComponentContract({
    type: "demo.table",
    description: "Table",
    observations: {
      rows: observationContract({
        description: "Rows",
        output: { jsonSchema: {}, parse: () => [] as string[] },
      }),
    },
    actions: {
      select: actionContract({
        description: "Select",
        input: fromStandardSchema(
          { "~standard": { version: 1, vendor: "test", validate } },
          { jsonSchema: {} },
        ),
        output: { jsonSchema: {}, parse: () => null },
        effect: "local-state",
      }),
    },
  });
}

const handlers = {
  observations: { rows: { read: (): string[] => [] } },
  actions: { select: { execute: (): null => null } },
};

describe("a compiled contract", () => {
  it("has the proven documents as schemas, where the author had schemas", () => {
    const table = defineTable(structuredClone(literal), proof);
    expect(table.observations?.rows.output.jsonSchema).toEqual({ type: "array" });
    expect(table.actions?.select.input.parse("a")).toBe("a");
    expect(() => table.actions?.select.input.parse(1)).toThrow("expected string");
    expect(table.actions?.select.output?.parse(null)).toBeNull();
  });

  it("is frozen, all of it", () => {
    const table = defineTable(structuredClone(literal), proof);
    const parts = [table, table.actions, table.actions?.select, table.actions?.select.input];
    expect([...parts, table.actions?.select.input.jsonSchema].every(Object.isFrozen)).toBe(true);
  });

  it("takes a validator from the author's object, and the document from the proven literal", () => {
    const author = defineAuthored((value) => ({ value: `${String(value)}!` }));
    const table = defineTable(
      structuredClone(literal),
      { ...proof, validators: ["/actions/select/input"] },
      author,
    );
    expect(table.actions?.select.input.parse("a")).toBe("a!");
    expect(table.actions?.select.input.jsonSchema).toEqual({ type: "string" });
    expect(table.observations?.rows.output.parse(["kept"])).toEqual(["kept"]);
  });

  it("keeps the validator it was made with, whatever becomes of the author's object", () => {
    const input = { jsonSchema: {}, parse: (value: unknown) => `first ${String(value)}` };
    const author = { actions: { select: { input } } };
    const table = defineTable(
      structuredClone(literal),
      { ...proof, validators: ["/actions/select/input"] },
      author,
    );
    input.parse = () => "second";
    expect(table.actions?.select.input.parse("a")).toBe("first a");
  });

  it("is refused if its validator is nowhere to be found", () => {
    const lost = { ...proof, validators: ["/actions/select/input"] };
    for (const author of [
      undefined,
      null,
      {},
      { actions: { select: { input: { parse: "no function" } } } },
    ]) {
      expect(() => defineTable(structuredClone(literal), lost, author)).toThrow(
        "the schema at /actions/select/input of src/table.ts#table has lost its validator",
      );
    }
  });

  it("finds a validator whose name needs escaping in a pointer", () => {
    const named = { ...literal, actions: { "a/b~c": { ...literal.actions.select } } };
    const author = { actions: { "a/b~c": { input: { parse: () => "found" } } } };
    const table = defineTable(
      structuredClone(named),
      { ...proof, validators: ["/actions/a~1b~0c/input"] },
      author,
    );
    const actions = table.actions as unknown as Record<string, { input: { parse(value: unknown): string } }>;
    expect(actions["a/b~c"]?.input.parse(1)).toBe("found");
  });
});

describe("the proof of a component", () => {
  it("comes with every binding of a compiled contract", () => {
    const bound = defineTable(structuredClone(literal), proof).bind(handlers);
    expect(proofs.components.get(bound)).toMatchObject({
      manifestHash: proof.manifestHash,
      declarationId: proof.declarationId,
      contracts: new Map(Object.entries(proof.contracts)),
    });
  });

  it("does not come with an uncompiled contract, nor with a copy of a binding", () => {
    const inert = defineAuthored((value) => ({ value: String(value) })).bind(handlers);
    expect(proofs.components.get(inert)).toBeUndefined();
    const bound = defineTable(structuredClone(literal), proof).bind(handlers);
    expect(proofs.components.get({ ...bound })).toBeUndefined();
  });

  it("is handed on to what an adapter derives from a binding", () => {
    const bound = defineTable(structuredClone(literal), proof).bind(handlers);
    const derived = { ...bound, enabled: false };
    expect(deriveAgentComponentBinding(bound, derived)).toBe(derived);
    expect(proofs.components.get(derived)).toBe(proofs.components.get(bound));
    const raw = { type: "demo.raw", description: "Raw" };
    expect(proofs.components.get(deriveAgentComponentBinding(raw, { ...raw }))).toBeUndefined();
  });
});

describe("the proof of a procedure", () => {
  const definition = {
    id: "domain:devices.disable",
    description: "Disable",
    input: {},
    effect: "destructive",
  };
  const define = defineAgentProcedureContract as unknown as Compiled<typeof defineAgentProcedureContract>;
  const component = { type: "demo.table", description: "Table" };

  it("is handed on to the component that refers to it", () => {
    const contract = define(structuredClone(definition), proof);
    const bound = authorizeAgentProcedureBinding(contract, { ...component });
    expect(proofs.components.get(bound)?.declarationId).toBe(proof.declarationId);
    expect(contract.definition.input.jsonSchema).toEqual({});
  });

  it("is not there to hand on without a compiler", () => {
    const bound = authorizeAgentProcedureBinding(define(structuredClone(definition), undefined), {
      ...component,
    });
    expect(proofs.components.get(bound)).toBeUndefined();
  });
});

describe("readProof", () => {
  it("takes nothing for a proof that is none", () => {
    const broken = [
      undefined,
      null,
      0,
      "proof",
      [],
      {},
      { ...proof, manifestHash: 5 },
      { ...proof, declarationId: null },
    ];
    for (const value of [...broken, { ...proof, contracts: "none" }, { ...proof, validators: "/input" }]) {
      expect(readProof(value)).toBeUndefined();
    }
  });
});
