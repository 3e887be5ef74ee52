import { describe, expect, it, vi } from "vitest";
import { instantiate as script } from "../src/generated/module.wasm2js.js";
import { instantiate as wasm } from "../src/kernel/wasm.js";
import { Do, Question } from "../src/kernel/words.js";
import { counter, drain, kinds, mount, open } from "./surface.js";

const consumer = { id: "tester", kind: "test" } as const;
const increment = { capabilityId: "view:demo.counter.increment", consumer };

const holds = () => ({ when: "holds", votes: [] }) as const;

describe.each([
  ["WebAssembly", wasm],
  ["plain JavaScript", script],
])("a registry in the kernel as %s", (_name, instantiate) => {
  it("an invocation goes in as text, asks for its handler, and settles once", () => {
    const { registry } = open(instantiate);
    const registration = mount(registry);
    drain(registry);
    const invoked = registry.invoke(5, { ...increment, input: '{"by":1e0}' });
    expect(invoked).toEqual({
      status: "started",
      invocation: 1,
      invocationId: expect.stringMatching(/^inv_/),
    });
    expect(drain(registry)).toEqual([[Do.Ask, 1, Question.Execution, registration, 1, { by: 1 }]]);
    expect(registry.deadline).toBe(5 + 10_000);
    registry.answerExecution(6, 1, { returned: undefined });
    const [settle, ...rest] = drain(registry);
    expect(rest).toEqual([]);
    expect(settle).toMatchObject([Do.Settle, 1, { status: "ok", surfaceVersion: "1" }]);
    expect(registry.deadline).toBe(Number.POSITIVE_INFINITY);
    registry.answerExecution(7, 1, { returned: "1" });
    expect(drain(registry)).toEqual([]);
  });

  it("what a call from within decides is done after what was decided before", () => {
    const { registry } = open(instantiate);
    registry.listen(true, true);
    mount(registry, "a");
    const first = registry.next();
    mount(registry, "b");
    expect(kinds([first as never, ...drain(registry)])).toEqual([
      "AwaitTurn",
      "Emit",
      "Record",
      "Emit",
      "Record",
    ]);
    registry.endTurn();
    expect(drain(registry)).toEqual([[Do.Emit, { type: "surface-changed", surfaceVersion: "2" }]]);
  });

  it("a question whose invocation has ended by the time the host gets to it is not asked", () => {
    const { registry } = open(instantiate);
    const registration = mount(registry);
    drain(registry);
    registry.invoke(0, { ...increment, input: '{"by":1}' });
    registry.unregister(0, registration);
    expect(kinds(drain(registry))).toEqual(["Abort", "Settle"]);
  });

  it("where nobody listens, nothing is told", () => {
    const { registry } = open(instantiate);
    mount(registry);
    expect(kinds(drain(registry))).toEqual(["AwaitTurn"]);
  });

  it("a text that JSON.stringify writes and the kernel does not read is an invalid input", () => {
    const { registry } = open(instantiate);
    mount(registry);
    drain(registry);
    registry.invoke(0, { ...increment, input: JSON.stringify({ by: "\ud800" }) });
    const [settle] = drain(registry);
    expect(settle).toMatchObject([Do.Settle, 1, { status: "error", error: { code: "INVALID_INPUT" } }]);
  });

  it("texts of any script keep their length", () => {
    const { registry } = open(instantiate);
    mount(registry);
    drain(registry);
    const invocationId = 'é😀"\\\n\u0000\ufeff';
    registry.invoke(0, { ...increment, invocationId, input: "[]" });
    expect(drain(registry)).toMatchObject([[Do.Settle, 1, { invocationId }]]);
    registry.invoke(0, { ...increment, invocationId: "\ud800", input: "[]" });
    expect(drain(registry)).toMatchObject([[Do.Settle, 2, { invocationId: "\ufffd" }]]);
  });

  it("a definition that differs from what was proven is refused by field", () => {
    const { registry } = open(instantiate);
    const [value, action] = counter().capabilities;
    const changed = { ...action, description: "Something else" } as typeof action & object;
    expect(registry.admit(counter({ capabilities: [value as typeof changed, changed] }))).toMatchObject({
      code: "INVALID_DEFINITION",
      field: "description",
    });
    expect(registry.admit(counter({ proof: undefined }))).toMatchObject({ field: "proof" });
    expect(registry.admit(counter({ meta: "{" }))).toMatchObject({ field: "meta" });
  });

  it("a snapshot asks what is in question, and comes as numbers", () => {
    const { registry } = open(instantiate);
    const [value, action] = counter().capabilities;
    const sometimes = { ...action, hasWhen: true } as typeof action & object;
    const component = registry.admit(
      counter({ capabilities: [value as typeof sometimes, sometimes] }),
    ) as number;
    registry.register(0, component, { instanceId: "a" });
    const asked: unknown[][] = [];
    const composition = registry.snapshot(0, {}, (...question) => {
      asked.push(question);
      return { when: { fails: "not yet" }, votes: [] };
    });
    expect(asked).toEqual([[1, 1, true, 0]]);
    expect(composition).toEqual({
      surfaceVersion: 1,
      components: Int32Array.of(1, 2, 0, 0, 1, 1),
      procedures: Int32Array.of(),
      reasons: ["not yet"],
      droppedComponents: 0,
    });
    expect(registry.tools(0, {}, holds)).toMatchObject([
      { name: "view_demo__counter__value", registration: 1, capability: 0 },
      { name: "view_demo__counter__increment", registration: 1, capability: 1 },
    ]);
    expect(registry.find(0, {}, holds, increment.capabilityId, undefined)).toEqual({
      registration: 1,
      capability: 1,
    });
    expect(registry.find(0, {}, holds, "view:no.such", undefined)).toBeUndefined();
    expect(registry.explain({}, holds)).toMatchObject([{ outcome: "expose" }, { outcome: "expose" }]);
  });

  it("a description holds what agents see of a registration", () => {
    const { registry } = open(instantiate);
    const registration = mount(registry);
    expect(registry.describe(registration)).toMatchObject({
      component: { type: "demo.counter", instanceId: "default", description: "A counter" },
      capabilities: [
        { kind: "observation", descriptor: { capabilityId: "view:demo.counter.value", name: "value" } },
        { kind: "action", toolSchema: { required: ["by"] }, descriptor: { effect: "local-state" } },
      ],
    });
    registry.unregister(0, registration);
    expect(registry.describe(registration)).toBeUndefined();
  });

  it("a host that throws while it is asked leaves nothing open", () => {
    const { registry } = open(instantiate);
    const [value, action] = counter().capabilities;
    const sometimes = { ...action, hasWhen: true } as typeof action & object;
    const component = registry.admit(
      counter({ capabilities: [value as typeof sometimes, sometimes] }),
    ) as number;
    registry.register(0, component, {});
    const thrown = new Error("from the host");
    const ask = () => {
      throw thrown;
    };
    expect(() => registry.snapshot(0, {}, ask)).toThrow(thrown);
    expect(registry.snapshot(0, {}, holds)).toMatchObject({ surfaceVersion: 1 });
  });

  it("a closed surface says so, and what ran is settled", () => {
    const { registry } = open(instantiate);
    mount(registry);
    registry.invoke(0, { ...increment, input: '{"by":1}' });
    drain(registry);
    registry.dispose(1);
    expect(kinds(drain(registry))).toEqual(["Abort", "Settle"]);
    expect(registry.invoke(1, increment)).toBe("disposed");
    expect(registry.snapshot(1, {}, holds)).toBe("disposed");
    registry.free();
  });

  it("a forged key closes every registry of the kernel, and each is told once", () => {
    const told = vi.fn<(error: Error) => void>();
    const { kernel, registry } = open(instantiate, told);
    mount(registry);
    expect(() => registry.release(77)).toThrow("has failed and takes no more calls");
    expect(told).toHaveBeenCalledOnce();
    expect(() => registry.invoke(0, increment)).toThrow(told.mock.calls[0]?.[0]);
    expect(() => kernel.encodeWireName("view:a.b")).toThrow("has failed and takes no more calls");
    expect(() => registry.free()).not.toThrow();
  });

  it("an import that throws is a failure, not half a decision", () => {
    const told = vi.fn<(error: Error) => void>();
    const { registry } = open((env) => {
      let calls = 0;
      return instantiate({
        ...env,
        reply: (address, length) => {
          if (++calls === 5) throw new Error("planted");
          env.reply(address, length);
        },
      });
    }, told);
    mount(registry);
    expect(() => {
      for (let i = 0; i < 5; i++) registry.invoke(0, increment);
    }).toThrow("has failed and takes no more calls");
    expect(told).toHaveBeenCalledOnce();
    expect(told.mock.calls[0]?.[0].cause).toEqual(new Error("planted"));
  });

  it("code that the kernel runs is not let in again", () => {
    const callIn = vi.fn<() => void>();
    const { registry } = open((env) =>
      instantiate({
        ...env,
        number_parse: (address, length) => {
          callIn();
          return env.number_parse(address, length);
        },
      }),
    );
    mount(registry);
    drain(registry);
    const refused = vi.fn<() => void>();
    callIn.mockImplementation(() => {
      expect(() => registry.invoke(0, increment)).toThrow("from within one of its own calls");
      refused();
    });
    registry.invoke(0, { ...increment, input: '{"by":12}' });
    expect(refused).toHaveBeenCalledOnce();
    expect(kinds(drain(registry))).toEqual(["Ask"]);
  });
});
