/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { describe, expect, it, vi } from "vitest";
import { consoleAuditSink, type AgentPolicy, type AuditEvent } from "@agent-surface/core";
import {
  audited,
  button,
  deferred,
  echo,
  mount,
  mountProcedure,
  number,
  open,
  procedure,
  record,
  screen,
} from "./support/surface.js";

const RUN = { capabilityId: "view:screen.run", input: {} };

describe("listeners", () => {
  it("are told what happened, in its order, and once per turn that the surface changed", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    await Promise.resolve();
    const events = record(registry);
    handle.update({ availability: { run: { available: false, reason: "busy" } } });
    handle.update({ availability: { run: { available: true } } });
    const result = registry.invoke({ ...RUN, invocationId: "call_1" });
    handle.unregister();
    await result;
    const { registrationId } = handle;
    const capabilityId = "view:screen.run";
    expect(events).toEqual([
      { type: "availability-changed", registrationId, capabilityId, available: false },
      { type: "availability-changed", registrationId, capabilityId, available: true },
      { type: "invocation-started", invocationId: "call_1", capabilityId, consumerId: "anonymous" },
      {
        type: "invocation-settled",
        invocationId: "call_1",
        capabilityId,
        status: "ok",
        durationMs: expect.any(Number),
      },
      { type: "component-unregistered", registrationId, componentType: "screen", instanceId: "default" },
      { type: "surface-changed", surfaceVersion: "4" },
    ]);
  });

  it("AS-EVT-001 that change the surface are told of that after the others have been told", async () => {
    const [first, second] = [screen(), screen({ type: "other" })];
    const registry = open([first, second]);
    const order: string[] = [];
    let depth = 0;
    registry.subscribe((event) => {
      depth += 1;
      order.push(`a:${event.type}:${depth}`);
      if (event.type === "component-registered" && event.componentType === "screen")
        registry.register(second);
      depth -= 1;
    });
    registry.subscribe(({ type }) => order.push(`b:${type}`));
    registry.register(first);
    expect(order).toEqual([
      "a:component-registered:1",
      "b:component-registered",
      "a:component-registered:1",
      "b:component-registered",
    ]);
  });

  it("that throw keep nobody else from being told, and are reported in development", async () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { registry } = mount({ actions: { run: button() } }, { environment: "development" });
    await Promise.resolve();
    error.mockClear();
    registry.subscribe(() => {
      throw new Error("no");
    });
    const events = record(registry);
    expect((await registry.invoke(RUN)).status).toBe("ok");
    expect(events).toHaveLength(2);
    expect(error.mock.calls.some(([text]) => String(text).includes("an event listener threw"))).toBe(true);
    error.mockRestore();
  });

  it("can't change an event for the next one", async () => {
    const { registry, handle } = mount({});
    registry.subscribe((event) => void ((event as { type: string }).type = "forged"));
    const events = record(registry);
    handle.unregister();
    expect(events[0]?.type).toBe("component-unregistered");
  });

  it("that have left are told nothing", () => {
    const { registry, handle } = mount({});
    const listener = vi.fn<() => void>();
    registry.subscribe(listener)();
    handle.unregister();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe("an audit sink", () => {
  const levels = (level: "none" | "metadata" | "full") => {
    const audit = audited();
    const { registry } = mount({ actions: { run: echo(undefined, { audit: level }) } }, audit);
    return registry.invoke({ ...RUN, input: { a: 1 } }).then(() => audit.records().slice(1));
  };

  it("is told as much as a capability's level says", async () => {
    expect(await levels("none")).toEqual([]);
    const [started, settled] = await levels("metadata");
    expect(started).toMatchObject({ type: "invocation-started", consumerId: "embedded:anonymous" });
    expect(settled).toMatchObject({ type: "invocation-settled", status: "ok", queueWaitMs: 0 });
    expect(settled).not.toHaveProperty("payload");
    expect((await levels("full"))[1]?.payload).toEqual({ input: { a: 1 }, output: { a: 1 } });
  });

  it("AS-OBSV-001 is told apart what an invocation waited and what it took", async () => {
    let now = 0;
    const audit = audited();
    const gate = deferred();
    const slow = button(() => gate.promise);
    const fast = button(() => void (now += 7));
    const { registry } = mount({ actions: { slow, fast } }, { ...audit, now: () => now });
    const calls = [
      registry.invoke({ ...RUN, capabilityId: "view:screen.slow" }),
      registry.invoke({ ...RUN, capabilityId: "view:screen.fast" }),
    ];
    now += 100;
    gate.resolve();
    await Promise.all(calls);
    const settled = audit
      .records()
      .find((it) => it.type === "invocation-settled" && it.capabilityId === "view:screen.fast");
    expect(settled).toMatchObject({ queueWaitMs: 100, executionMs: 7, durationMs: 107 });
  });

  it("is given payloads as they were redacted, or none if that fails", async () => {
    const { records, audit } = audited();
    const redact = vi
      .fn<() => object>()
      .mockReturnValueOnce({ input: "***" })
      .mockImplementation(() => {
        throw new Error("no");
      });
    const { registry } = mount({ actions: { run: echo(undefined, { audit: "full" }) } }, { audit, redact });
    await registry.invoke({ ...RUN, input: "1234" });
    await registry.invoke({ ...RUN, input: "1234" });
    const payloads = records()
      .filter(({ type }) => type === "invocation-settled")
      .map(({ payload }) => payload);
    expect(payloads).toEqual([{ input: "***" }, undefined]);
    expect(JSON.stringify(records())).not.toContain("1234");
  });

  it("is told of a confirmation what was asked and what became of it", async () => {
    const audit = audited();
    const { registry } = mountProcedure(procedure("destructive"), audit);
    await registry.invoke({ capabilityId: "domain:devices.disable", input: {} });
    registry.confirmations.resolve(registry.confirmations.pending()[0]?.confirmationId ?? "", {
      approved: false,
    });
    const told = audit.records().filter(({ type }) => type.startsWith("confirmation"));
    expect(told.map(({ type, payload }) => [type, payload?.input])).toEqual([
      ["confirmation-requested", { ids: ["d1"] }],
      ["confirmation-denied", { ids: ["d1"] }],
    ]);
  });

  it("that throws disturbs nothing", async () => {
    const audit = {
      record() {
        throw new Error("full");
      },
    };
    const { registry } = mount({ observations: { value: number() }, actions: { run: button() } }, { audit });
    expect((await registry.invoke(RUN)).status).toBe("ok");
    expect((await registry.invoke({ capabilityId: "view:screen.value" })).status).toBe("ok");
  });

  it("AS-OBSV-002 is the console's channel for diagnostics in development", () => {
    const error = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    mount({}, { environment: "development" });
    consoleAuditSink().record({ at: "", type: "registration" } satisfies AuditEvent);
    expect(error).toHaveBeenCalledTimes(2);
    expect(log).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });

  it("is nowhere by default", async () => {
    const debug = vi.spyOn(console, "debug");
    const quiet: AgentPolicy = { name: "quiet" };
    const { registry } = mount(
      { actions: { run: button() } },
      { policies: [quiet], environment: "production" },
    );
    expect((await registry.invoke(RUN)).status).toBe("ok");
    expect(debug).not.toHaveBeenCalled();
    vi.restoreAllMocks();
  });
});
