import { describe, expect, it, vi } from "vitest";
import { PACKED } from "../generated/module.js";
import { instantiate as script } from "../generated/module.wasm2js.js";
import { Kernel } from "./kernel.js";
import { unpack } from "./unpack.js";
import { instantiate as wasm } from "./wasm.js";

it("the boundary is what both sides say it is", () => {
  const compiled = new WebAssembly.Module(unpack(PACKED));
  expect(
    WebAssembly.Module.imports(compiled)
      .map(({ module: from, name }) => `${from}.${name}`)
      .toSorted(),
  ).toEqual([
    "env.number_parse",
    "env.number_print",
    "env.pattern_matches",
    "env.reply",
    "env.reply_numbers",
  ]);
  const functions = WebAssembly.Module.exports(compiled).filter(({ kind }) => kind === "function");
  expect(functions.map(({ name }) => name).toSorted()).toEqual([
    "alloc",
    "answer",
    "schema_close",
    "schema_open",
    "schema_validate",
    "scratch",
  ]);
});

describe.each([
  ["WebAssembly", wasm],
  ["plain JavaScript", script],
])("the kernel as %s", (_name, instantiate) => {
  it("a kernel that has trapped takes no more calls", () => {
    const kernel = new Kernel(instantiate);
    const schema = kernel.openSchema("{}");
    expect(schema).toBe(1);
    expect(() => kernel.validate(7, "1")).toThrow("has failed and takes no more calls");
    expect(() => kernel.validate(1, "1")).toThrow("has failed and takes no more calls");
    expect(() => kernel.openAuthority("{}")).toThrow(expect.objectContaining({ cause: expect.any(Error) }));
    expect(() => kernel.closeSchema(1)).not.toThrow();
  });

  it("a closed schema is gone, and its handle is used again", () => {
    const kernel = new Kernel(instantiate);
    expect([kernel.openSchema("{}"), kernel.openSchema("{}")]).toEqual([1, 2]);
    kernel.closeSchema(1);
    expect(kernel.openSchema('{"type":"null"}')).toBe(1);
    expect(kernel.validate(1, "1")).toHaveLength(1);
    expect(kernel.validate(2, "1")).toEqual([]);
  });

  it("a text of any length goes in and out, also when memory grows meanwhile", () => {
    const kernel = new Kernel(instantiate);
    const schema = kernel.openSchema('{"maximum":1}');
    expect(kernel.validate(schema as number, `[${"1,".repeat(1_000_000)}1]`)).toEqual([]);
    expect(kernel.validate(schema as number, "")).toHaveLength(1);
  });

  it("a thousand texts in a row leave nothing behind in memory", () => {
    let memory = { buffer: new ArrayBuffer() };
    const kernel = new Kernel((env) => {
      const exports = instantiate(env);
      memory = exports.memory;
      return exports;
    });
    const text = JSON.stringify("x".repeat(100_000));
    const schema = kernel.openSchema('{"maxLength":1}') as number;
    kernel.validate(schema, text);
    const before = memory.buffer.byteLength;
    for (let i = 0; i < 1000; i++) kernel.validate(schema, text);
    expect(memory.buffer.byteLength).toBe(before);
  });

  it("JavaScript that runs within a call may call in again", () => {
    const kernel = new Kernel(instantiate);
    const inner = kernel.openSchema('{"type":"null"}') as number;
    const outer = kernel.openSchema('{"type":"string","pattern":"^a"}') as number;
    let calledIn = false;
    const test = vi.spyOn(RegExp.prototype, "test").mockImplementationOnce(function (this: RegExp, text) {
      kernel.openSchema("{}");
      calledIn = kernel.validate(inner, "1").length === 1;
      return this.test(text);
    });
    const issues = kernel.validate(outer, '"abc"');
    test.mockRestore();
    expect({ calledIn, issues }).toEqual({ calledIn: true, issues: [] });
  });
});
