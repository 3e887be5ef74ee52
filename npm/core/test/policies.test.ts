/* oxlint-disable unicorn/consistent-function-scoping, promise/no-promise-in-callback -- what a test needs stands in
   the test, and hooks are no callbacks of Node. */
import { describe, expect, it } from "vitest";
import {
  AgentSurfaceError,
  audit,
  authenticated,
  hasPermission,
  memoryAuditSink,
  rateLimit,
  requireConfirmation,
  type AgentInvocationResult,
  type AgentPolicy,
  type DiscoveryDecision,
} from "@agent-surface/core";
import {
  button,
  codeOf,
  deferred,
  detailsOf,
  echo,
  mount,
  mountProcedure,
  number,
  procedure,
} from "./support/surface.js";

const RUN = { capabilityId: "view:screen.run", input: {} };

const votes = (decision: DiscoveryDecision): AgentPolicy => ({ name: "votes", onDiscovery: () => decision });

describe("policies that vote", () => {
  it("AS-POLICY-002 hide if any of them does, and otherwise disable if any of them does", () => {
    const show = (...policies: AgentPolicy[]) =>
      mount({ actions: { run: button(undefined, { policies }) } }).registry.snapshot().components[0]
        ?.actions[0];
    const expose = votes({ decision: "expose" });
    expect(show(expose, expose)).toMatchObject({ available: true });
    expect(
      show(expose, votes({ decision: "disable", reason: "a" }), votes({ decision: "disable", reason: "b" })),
    ).toMatchObject({ unavailableReason: "a" });
    expect(show(votes({ decision: "disable", reason: "a" }), votes({ decision: "hide" }))).toBeUndefined();
    for (const odd of [undefined, {}, { decision: "maybe" }, Promise.resolve({ decision: "expose" })]) {
      expect(show(votes(odd as DiscoveryDecision))).toBeUndefined();
    }
  });

  it("AS-POLICY-003 vote again when a capability is used, if they do nothing else", async () => {
    let decision: DiscoveryDecision = { decision: "expose" };
    const { registry } = mount(
      { actions: { run: button() } },
      { policies: [{ name: "votes", onDiscovery: () => decision }] },
    );
    expect((await registry.invoke(RUN)).status).toBe("ok");
    decision = { decision: "disable", reason: "closed" };
    expect(detailsOf(await registry.invoke(RUN))).toEqual({ reason: "closed" });
    decision = { decision: "hide" };
    const hidden = await registry.invoke(RUN);
    const nothing = await registry.invoke({ ...RUN, capabilityId: "view:screen.nothing" });
    const of = (result: AgentInvocationResult) => ({ ...result, invocationId: "", capabilityId: "" });
    expect(of(hidden)).toEqual(of(nothing));
  });

  it("AS-AVAIL-002 hide a component of which they hide everything", () => {
    const { registry } = mount(
      { observations: { value: number() }, actions: { run: button() } },
      { policies: [authenticated()] },
    );
    expect(registry.snapshot().components).toEqual([]);
  });
});

describe("policies that guard", () => {
  it("AS-INVOKE-002 are around each other: the registry's, the component's, the capability's", async () => {
    const order: string[] = [];
    const guard = (name: string): AgentPolicy => ({
      name,
      async onAuthorize(ctx, next) {
        order.push(`${name} authorizes`);
        expect(ctx).not.toHaveProperty("effectiveInput");
        const result = await next();
        order.push(`${name} saw ${result.status}`);
        return result;
      },
      async onInvoke(ctx, next) {
        order.push(`${name} invokes ${JSON.stringify(ctx.effectiveInput)}`);
        return next();
      },
    });
    const { registry } = mount(
      {
        policies: [guard("component")],
        actions: { run: echo(() => void order.push("runs"), { policies: [guard("capability")] }) },
      },
      { policies: [guard("registry")] },
    );
    await registry.invoke({ ...RUN, input: { a: 1 } });
    expect(order).toEqual([
      "registry authorizes",
      "component authorizes",
      "capability authorizes",
      'registry invokes {"a":1}',
      'component invokes {"a":1}',
      'capability invokes {"a":1}',
      "runs",
      "capability saw ok",
      "component saw ok",
      "registry saw ok",
    ]);
  });

  it("see an invocation that fails further inside", async () => {
    const seen: string[] = [];
    const watch: AgentPolicy = {
      name: "watch",
      async onAuthorize(_, next) {
        const result = await next();
        seen.push(result.status === "error" ? result.error.code : "ok");
        return result;
      },
    };
    const { registry } = mount({ actions: { run: button() } }, { policies: [watch] });
    await registry.invoke({ ...RUN, input: { odd: 1 } });
    await registry.invoke(RUN);
    expect(seen).toEqual(["INVALID_INPUT", "ok"]);
  });

  it("may return another output, which has to satisfy the schema as well", async () => {
    const replies: unknown[] = [2, "two"];
    const replace: AgentPolicy = {
      name: "replace",
      onInvoke: async (_, next) => ({ ...(await next()), output: replies.shift() }) as AgentInvocationResult,
    };
    const { registry } = mount({ observations: { value: number() } }, { policies: [replace] });
    const read = () => registry.invoke({ capabilityId: "view:screen.value" });
    expect(codeOf(await read())).toEqual({ output: 2 });
    expect(detailsOf(await read())).toEqual({ reason: "output-invalid" });
  });

  it("may answer in a capability's stead, and then nothing runs", async () => {
    let runs = 0;
    const cached: AgentPolicy = {
      name: "cached",
      onAuthorize: async () => ({ status: "ok", output: 5 }) as AgentInvocationResult,
    };
    const { registry } = mount(
      { observations: { value: number(() => (runs += 1)) } },
      { policies: [cached] },
    );
    expect(codeOf(await registry.invoke({ capabilityId: "view:screen.value" }))).toEqual({ output: 5 });
    expect(runs).toBe(0);
  });

  it("refuse with an error of their own, and tell nothing of any other", async () => {
    const refuse = (error: unknown): AgentPolicy => ({
      name: "refuse",
      onInvoke: () => Promise.reject(error),
    });
    const call = (error: unknown) =>
      mount({ actions: { run: button() } }, { policies: [refuse(error)] }).registry.invoke(RUN);
    const payload = { code: "NOT_AUTHORIZED", message: "No", retry: "no" } as const;
    expect(codeOf(await call(new AgentSurfaceError(payload)))).toBe("NOT_AUTHORIZED");
    const failed = await call(new Error("secret"));
    expect(codeOf(failed)).toBe("EXECUTION_FAILED");
    expect(JSON.stringify(failed)).not.toContain("secret");
  });

  it("may throw what was thrown further inside, or make something of it", async () => {
    const payload = { code: "NOT_AUTHORIZED", message: "No", retry: "no" } as const;
    const inner: AgentPolicy = {
      name: "inner",
      onInvoke: () => Promise.reject(new AgentSurfaceError(payload)),
    };
    const outer = (recover: boolean): AgentPolicy => ({
      name: "outer",
      onAuthorize: (_, next) =>
        recover ? next().catch(() => ({ status: "ok", output: 9 }) as AgentInvocationResult) : next(),
    });
    const call = (recover: boolean) =>
      mount({ observations: { value: number() } }, { policies: [outer(recover), inner] }).registry.invoke({
        capabilityId: "view:screen.value",
      });
    expect(codeOf(await call(false))).toBe("NOT_AUTHORIZED");
    expect(codeOf(await call(true))).toEqual({ output: 9 });
  });

  it("that call next twice fail, and the capability runs once", async () => {
    let runs = 0;
    const twice: AgentPolicy = { name: "twice", onAuthorize: async (_, next) => (await next(), next()) };
    const { registry } = mount({ actions: { run: button(() => void (runs += 1)) } }, { policies: [twice] });
    expect(codeOf(await registry.invoke(RUN))).toBe("EXECUTION_FAILED");
    expect(runs).toBe(1);
  });

  it("that wait when the surface is closed are let go", async () => {
    const seen = deferred<string>();
    const watch: AgentPolicy = {
      name: "watch",
      async onInvoke(_, next) {
        const result = await next();
        seen.resolve(result.status);
        return result;
      },
    };
    const { registry } = mount(
      { actions: { run: button(() => new Promise(() => undefined)) } },
      { policies: [watch] },
    );
    const running = registry.invoke(RUN);
    registry.dispose();
    expect(codeOf(await running)).toBe("CANCELLED");
    expect(await seen.promise).toBe("error");
  });
});

describe("AS-POLICY-004 built-in policies", () => {
  it("hide from who has no right, and refuse all the same", async () => {
    let host: Record<string, unknown> = {};
    const policies = [
      authenticated(),
      hasPermission("run", (it, permission) => (it["can"] as string[]).includes(permission)),
    ];
    const { registry } = mount({ actions: { run: button() } }, { context: () => host, policies });
    expect(codeOf(await registry.invoke(RUN))).toBe("NOT_AUTHENTICATED");
    host = { user: 1, can: [] };
    expect(codeOf(await registry.invoke(RUN))).toBe("NOT_AUTHORIZED");
    expect(registry.snapshot().components).toEqual([]);
    host = { user: 1, can: ["run"] };
    expect((await registry.invoke(RUN)).status).toBe("ok");
    expect(registry.snapshot().components).toHaveLength(1);
  });

  it("AS-POLICY-001 count time by the registry's clock", async () => {
    let now = 0;
    const { registry } = mount(
      { actions: { run: button() } },
      { now: () => now, policies: [rateLimit({ limit: 1, windowMs: 100 })] },
    );
    expect((await registry.invoke(RUN)).status).toBe("ok");
    const limited = await registry.invoke({ ...RUN, invocationId: "call_1" });
    expect(detailsOf(limited)).toEqual({ reason: "rate", retryAfterMs: 100 });
    now = 100;
    // What was limited may be sent again as it was.
    expect((await registry.invoke({ ...RUN, invocationId: "call_1" })).status).toBe("ok");
  });

  it("record what they see", async () => {
    const sink = memoryAuditSink();
    const { registry } = mount({ actions: { run: echo() } }, { policies: [audit(sink, "full")] });
    await registry.invoke({ ...RUN, input: 5 });
    expect(sink.events().map(({ type, payload }) => [type, payload])).toEqual([
      ["invocation-started", { input: 5 }],
      ["invocation-settled", { output: 5 }],
    ]);
  });

  it("ask for a confirmation, always or where it is due, in words of their own", async () => {
    const due = requireConfirmation({
      if: ({ effectiveInput }) => (effectiveInput as { amount: number }).amount > 10,
      summary: (input) => `Pay ${(input as { amount: number }).amount}`,
    });
    const { registry } = mount({ actions: { run: echo(undefined, { policies: [due] }) } });
    const pay = (amount: number) => registry.invoke({ ...RUN, input: { amount } });
    expect((await pay(10)).status).toBe("ok");
    const asked = await pay(11);
    expect(codeOf(asked)).toBe("CONFIRMATION_REQUIRED");
    expect(detailsOf(asked)["summary"]).toBe("Pay 11");
  });

  it("ask for a confirmation if they can't say whether one is due", async () => {
    const broken = requireConfirmation({
      if: () => {
        throw new Error("no");
      },
      summary: () => {
        throw new Error("no");
      },
    });
    const { registry } = mountProcedure(
      procedure("server-query", { bind: () => ({ ids: ["d1"] }), policies: [broken] }),
    );
    const asked = await registry.invoke({ capabilityId: "domain:devices.disable", input: {} });
    expect(codeOf(asked)).toBe("CONFIRMATION_REQUIRED");
    expect(detailsOf(asked)["summary"]).toBe('Disable devices: {"ids":["d1"]}');
  });
});
