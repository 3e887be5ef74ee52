/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AgentSurfaceError,
  action,
  fromStandardSchema,
  fromJsonSchema,
  type AgentActionContext,
  type AgentConsumer,
  type AgentReadContext,
  type JsonValue,
} from "@agent-surface/core";
import {
  audited,
  button,
  codeOf,
  deferred,
  detailsOf,
  echo,
  mount,
  mountProcedure,
  number,
  procedure,
  the,
} from "./support/surface.js";

const RUN = { capabilityId: "view:screen.run", input: {} };
const VALUE = { capabilityId: "view:screen.value" };
const consumer: AgentConsumer = { id: "copilot", kind: "embedded", grants: ["devices"] };

afterEach(() => void vi.useRealTimers());

describe("a handler", () => {
  it("reads for an observation, and is told who asks", async () => {
    let seen: AgentReadContext | undefined;
    const { registry, handle } = mount(
      { observations: { value: number((ctx) => ((seen = { ...ctx }), 7)) } },
      { context: () => ({ user: "ada" }) },
    );
    const result = await registry.invoke(VALUE, { consumer });
    expect(result).toEqual({
      status: "ok",
      invocationId: expect.stringMatching(/^inv_/),
      capabilityId: "view:screen.value",
      output: 7,
      surfaceVersion: "1",
    });
    expect(seen).toEqual({
      capabilityId: "view:screen.value",
      registrationId: handle.registrationId,
      consumer,
      host: { user: "ada" },
    });
  });

  it("acts with the input that satisfies its schema", async () => {
    const seen: [{ by: number }, AgentActionContext][] = [];
    const add = action({
      description: "Add",
      input: fromJsonSchema<{ by: number }>({
        type: "object",
        properties: { by: { type: "integer" } },
        required: ["by"],
      }),
      output: fromJsonSchema<number>({ type: "number" }),
      effect: "local-state",
      execute: (input, ctx) => (seen.push([input, ctx]), input.by + 1),
    });
    const { registry } = mount({ actions: { add } });
    const call = (input?: JsonValue) =>
      registry.invoke({ capabilityId: "view:screen.add", ...(input !== undefined && { input }) });
    expect(codeOf(await call({ by: 2 }))).toEqual({ output: 3 });
    expect(seen[0]?.[0]).toEqual({ by: 2 });
    expect(seen[0]?.[1].signal.aborted).toBe(false);
    expect(seen[0]?.[1].invocationId).toMatch(/^inv_/);
    expect(seen[0]?.[1]).not.toHaveProperty("confirmation");
    const refused = await call({ by: 0.5 });
    expect(codeOf(refused)).toBe("INVALID_INPUT");
    expect(detailsOf(refused)["issues"]).toMatchObject([{ path: "by" }]);
    expect(codeOf(await call())).toBe("INVALID_INPUT");
    expect(seen).toHaveLength(1);
  });

  it("gets what its own validator makes of the input", async () => {
    const input = fromStandardSchema<{ mode: string }>(
      {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value) =>
            typeof value === "object"
              ? { value: { mode: "replace", ...(value as object) } }
              : { issues: [{ message: "is no object", path: ["mode"] }] },
        },
      },
      { jsonSchema: { type: "object" } },
    );
    const execute = vi.fn<(input: { mode: string }) => void>();
    const select = action({ description: "Select", input, effect: "local-state", execute });
    const { registry } = mount({ actions: { select } });
    const call = (value: JsonValue) => registry.invoke({ capabilityId: "view:screen.select", input: value });
    expect(codeOf(await call({}))).toEqual({ output: undefined });
    expect(execute.mock.calls[0]?.[0]).toEqual({ mode: "replace" });
    expect(detailsOf(await call("x"))["issues"]).toEqual([{ path: "mode", message: "is no object" }]);
  });

  it("is looked up when it is needed, so that an adapter may swap it", async () => {
    const { registry, definition } = mount({ observations: { value: number(() => 1) } });
    Object.assign(the(definition.observations?.["value"]), { read: () => 2 });
    expect(codeOf(await registry.invoke(VALUE))).toEqual({ output: 2 });
    expect(registry.getVersion()).toBe("1");
    delete definition.observations?.["value"];
    expect(codeOf(await registry.invoke(VALUE))).toBe("EXECUTION_FAILED");
  });

  it("is not called for what is not available, and says why", async () => {
    let ready = false;
    const execute = vi.fn<() => void>();
    const { registry } = mount({
      actions: {
        run: button(execute, { when: () => ready, unavailableReason: () => "nothing is selected" }),
      },
    });
    const refused = await registry.invoke(RUN);
    expect(codeOf(refused)).toBe("CAPABILITY_NOT_AVAILABLE");
    expect(detailsOf(refused)).toEqual({ reason: "nothing is selected" });
    expect(execute).not.toHaveBeenCalled();
    ready = true;
    expect(codeOf(await registry.invoke(RUN))).toEqual({ output: undefined });
  });

  it("is not available if its `when` throws", async () => {
    const when = () => {
      throw new Error("no");
    };
    const { registry } = mount({ actions: { run: button(undefined, { when }) } });
    expect(detailsOf(await registry.invoke(RUN))).toEqual({ reason: "when-error" });
  });

  it("answers the agent itself with an AgentSurfaceError, and otherwise tells nothing of what it threw", async () => {
    const thrown = [
      new AgentSurfaceError({
        code: "NOT_AUTHORIZED",
        message: "Not yours",
        retry: "no",
        details: { origin: "client" },
      }),
      new Error("password=1234"),
    ];
    const { registry } = mount({ actions: { run: button(() => Promise.reject(thrown.shift())) } });
    expect(await registry.invoke(RUN)).toMatchObject({
      error: { code: "NOT_AUTHORIZED", message: "Not yours", details: { origin: "client" } },
    });
    const failed = await registry.invoke(RUN);
    expect(codeOf(failed)).toBe("EXECUTION_FAILED");
    expect(detailsOf(failed)).toEqual({ reason: "handler-error" });
    expect(JSON.stringify(failed)).not.toContain("1234");
  });

  it("fails if what it returns does not satisfy its schema, or is too large", async () => {
    const outputs: unknown[] = ["seven", 7];
    const { registry } = mount({ observations: { value: number(() => outputs.shift() as number) } });
    expect(detailsOf(await registry.invoke(VALUE))).toEqual({ reason: "output-invalid" });
    const { registry: small } = mount({ actions: { run: echo() } }, { limits: { maxOutputBytes: 10 } });
    expect(codeOf(await small.invoke({ ...RUN, input: "12345678" }))).toEqual({ output: "12345678" });
    expect(detailsOf(await small.invoke({ ...RUN, input: "123456789" }))).toEqual({
      reason: "output-too-large",
    });
  });
});

describe("AS-SER-001 an output that is no JSON", () => {
  const outputs: [string, unknown][] = [
    ["a function", { go: () => 1 }],
    ["a symbol", Symbol("s")],
    ["a bigint", 1n],
    ["a date", new Date(0)],
    ["no number", Number.NaN],
    [
      "a circle",
      (() => {
        const circle: unknown[] = [];
        circle.push(circle);
        return circle;
      })(),
    ],
  ];

  it.each(outputs)("is a failure for the agent in production: %s", async (_, output) => {
    const { registry } = mount({ actions: { run: echo(() => output) } }, { environment: "production" });
    expect(detailsOf(await registry.invoke(RUN))).toEqual({ reason: "output-invalid" });
  });

  it.each(outputs)("is thrown at who wrote the handler everywhere else: %s", async (_, output) => {
    const { registry } = mount({ actions: { run: echo(() => output) } });
    await expect(registry.invoke(RUN)).rejects.toThrow("the output of view:screen.run is no JsonValue");
  });
});

describe("a precondition", () => {
  // oxlint-disable-next-line typescript/no-explicit-any -- an author may return what is neither
  const run = (precondition: () => any) =>
    mount({
      actions: { run: button(undefined, { precondition }) },
    }).registry.invoke(RUN);

  it("lets pass by saying nothing, and refuses by returning or throwing a failure", async () => {
    const failure = { message: "Not in the list", details: { unknown: ["d9"] } };
    expect(codeOf(await run(() => undefined))).toEqual({ output: undefined });
    for (const precondition of [
      () => failure,
      () => {
        throw failure;
      },
    ]) {
      expect(await run(precondition)).toMatchObject({
        error: {
          code: "PRECONDITION_FAILED",
          message: "Not in the list",
          retry: "with-changes",
          details: failure.details,
        },
      });
    }
  });

  it("refuses with nothing of the cause if it fails otherwise", async () => {
    const failed = await run(() => {
      throw new Error("secret");
    });
    expect(codeOf(failed)).toBe("EXECUTION_FAILED");
    expect(JSON.stringify(failed)).not.toContain("secret");
  });
});

describe("time", () => {
  it("is up after the capability's own timeout, and what the handler does later is only recorded", async () => {
    vi.useFakeTimers();
    const late = deferred();
    const audit = audited();
    let signal: AbortSignal | undefined;
    const run = button(() => late.promise, { timeoutMs: 50 });
    run.execute = (_, ctx) => ((signal = ctx.signal), late.promise);
    const { registry } = mount({ actions: { run } }, audit);
    const running = registry.invoke(RUN);
    await vi.advanceTimersByTimeAsync(49);
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    const result = await running;
    expect(codeOf(result)).toBe("TIMEOUT");
    expect(detailsOf(result)).toEqual({ timeoutMs: 50, idempotent: false });
    expect(signal?.aborted).toBe(true);
    late.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(audit.records().at(-1)?.type).toBe("late-settlement");
  });

  it("is what the caller says, if the caller says so", async () => {
    vi.useFakeTimers();
    const { registry } = mount({ observations: { value: number(() => new Promise(() => undefined)) } });
    const running = registry.invoke(VALUE, { timeoutMs: 10 });
    await vi.advanceTimersByTimeAsync(10);
    expect(await running).toMatchObject({ error: { code: "TIMEOUT", retry: "yes" } });
  });

  it("sets no timer for what does not wait", async () => {
    vi.useFakeTimers();
    const { registry } = mount({ actions: { run: button() } });
    await registry.invoke(RUN);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a host that gives an invocation up", () => {
  it("AS-CONC-012 before it began: no handler is called", async () => {
    const execute = vi.fn<() => void>();
    const { registry } = mount({ actions: { run: button(execute) } });
    expect(codeOf(await registry.invoke(RUN, { signal: AbortSignal.abort() }))).toBe("CANCELLED");
    expect(execute).not.toHaveBeenCalled();
  });

  it("while it waits in a queue, or runs", async () => {
    const gate = deferred();
    const execute = vi.fn<() => Promise<void>>(() => gate.promise);
    const { registry } = mount({ actions: { run: button(execute) } });
    const [first, second] = [new AbortController(), new AbortController()];
    const running = registry.invoke(RUN, { signal: first.signal });
    const queued = registry.invoke(RUN, { signal: second.signal });
    second.abort();
    expect(codeOf(await queued)).toBe("CANCELLED");
    first.abort();
    expect(codeOf(await running)).toBe("CANCELLED");
    expect(execute).toHaveBeenCalledTimes(1);
    gate.resolve();
  });

  it("is not listened to any more once there is an answer", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { signal } = new AbortController();
    const remove = vi.spyOn(signal, "removeEventListener");
    await registry.invoke(RUN, { signal });
    expect(remove).toHaveBeenCalledTimes(1);
  });
});

describe("a component that goes away", () => {
  it("AS-CONC-010 ends what runs and what waits", async () => {
    let signal: AbortSignal | undefined;
    const run = button();
    run.execute = (_, ctx) => ((signal = ctx.signal), new Promise(() => undefined));
    const { registry, handle } = mount({ actions: { run } });
    const [running, queued] = [registry.invoke(RUN), registry.invoke(RUN)];
    handle.unregister();
    for (const result of [await running, await queued]) {
      expect(codeOf(result)).toBe("COMPONENT_UNMOUNTED");
      expect(detailsOf(result)).toEqual({ phase: "mid-flight" });
    }
    expect(signal?.aborted).toBe(true);
    expect(detailsOf(await registry.invoke(RUN))).toEqual({ phase: "resolve" });
  });

  it("can't take back what its handler has done already", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const done = registry.invoke(RUN);
    handle.unregister();
    expect(codeOf(await done)).toEqual({ output: undefined });
  });

  it("AS-NAV-001 does not end a navigation, which is what it goes away for", async () => {
    const gate = deferred();
    let signal: AbortSignal | undefined;
    const run = button(undefined, { effect: "navigation" });
    run.execute = (_, ctx) => {
      ({ signal } = ctx);
      handle.unregister();
      return gate.promise;
    };
    const { registry, handle } = mount({ actions: { run } });
    const running = registry.invoke(RUN);
    expect(signal?.aborted).toBe(true);
    gate.resolve();
    expect(await running).toMatchObject({ status: "ok", surfaceChanged: true });
  });
});

describe("a navigation that is done at once", () => {
  it("AS-NAV-001 is answered when the view that it left is gone", async () => {
    const leave = () => queueMicrotask(() => handle.unregister());
    const { registry, handle } = mount({ actions: { run: button(leave, { effect: "navigation" }) } });
    expect(await registry.invoke(RUN)).toMatchObject({ status: "ok", surfaceChanged: true });
  });

  it("AS-NAV-004 can't be given up any more", async () => {
    const { registry } = mount({ actions: { run: button(undefined, { effect: "navigation" }) } });
    const giving = new AbortController();
    const done = registry.invoke(RUN, { signal: giving.signal });
    giving.abort();
    expect((await done).status).toBe("ok");
  });
});

describe("one invocation", () => {
  it("AS-IDENT-001 runs once, however often it is sent", async () => {
    const gate = deferred<number>();
    const read = vi.fn<() => Promise<number>>(() => gate.promise);
    const { registry } = mount({ observations: { value: number(read) } });
    const request = { ...VALUE, invocationId: "call_1" };
    const [first, second] = [registry.invoke(request), registry.invoke(request)];
    expect(second).toBe(first);
    gate.resolve(3);
    const result = await first;
    expect(await registry.invoke(request)).toEqual(result);
    expect(read).toHaveBeenCalledTimes(1);
    expect(codeOf(await registry.invoke({ ...request, instanceId: "default" }))).toBe("INVOCATION_CONFLICT");
    const other = { consumer: { id: "other", kind: "test" } as const };
    await registry.invoke(request, other);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("keeps its answer for a repetition, whatever was done to the answer", async () => {
    const { registry } = mount({ actions: { run: echo() } });
    const request = { ...RUN, input: { list: [1] }, invocationId: "call_1" };
    const result = await registry.invoke(request);
    if (result.status === "ok") (result.output as { list: number[] }).list.push(2);
    expect(codeOf(await registry.invoke(request))).toEqual({ output: { list: [1] } });
  });
});

describe("a procedure", () => {
  it("is called with what agent and view supply together", async () => {
    const { registry, calls } = mountProcedure(procedure("server-mutation"));
    const call = (input: JsonValue) => registry.invoke({ capabilityId: "domain:devices.disable", input });
    expect(codeOf(await call({ reason: "broken" }))).toEqual({ output: null });
    expect(calls).toEqual([{ ids: ["d1"], reason: "broken" }]);
    expect(detailsOf(await call({ ids: ["victim"] }))).toEqual({ lockedFields: ["ids"] });
  });

  it("fails if the view can't supply its part, be it by throwing", async () => {
    for (const bind of [
      () => ({ ids: [] }),
      () => {
        throw new Error("no");
      },
      () => Promise.resolve({}) as never,
    ]) {
      const { registry, calls } = mountProcedure(procedure("server-query", { bind }));
      const result = await registry.invoke({ capabilityId: "domain:devices.disable", input: {} });
      expect(codeOf(result)).toBe("PRECONDITION_FAILED");
      expect(detailsOf(result)).toEqual({ reason: "binding-failed" });
      expect(calls).toEqual([]);
    }
  });

  it("tells whether its transport may do better the next time, and nothing else of its failure", async () => {
    const failures = [Object.assign(new Error("ECONNRESET 10.0.0.1"), { transient: true }), new Error("500")];
    const { registry } = mountProcedure(procedure("server-query"));
    registry.setProcedureExecutor({ execute: () => Promise.reject(failures.shift()) });
    const call = () => registry.invoke({ capabilityId: "domain:devices.disable", input: {} });
    expect(await call()).toMatchObject({
      error: { retry: "after-delay", details: { reason: "transport", transient: true } },
    });
    const failed = await call();
    expect(failed).toMatchObject({ error: { retry: "no", details: { reason: "transport" } } });
    registry.setProcedureExecutor(undefined);
    expect(codeOf(await call())).toBe("EXECUTION_FAILED");
  });
});
