/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { createAgentSurfaceRegistry, createCapabilityAuthority } from "@agent-surface/core";
import { createTestSurface, serializeSurfaceSnapshot } from "@agent-surface/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { authority, contracts } from "../../react/test/support/contracts.js";
import "@agent-surface/testing/vitest";

/** A counter in a surface of its own. */
function open(options: Parameters<typeof createTestSurface>[0] = {}) {
  const surface = createTestSurface({ authority, ...options });
  const state = { value: 0 };
  const define = (instanceId?: string) =>
    contracts.counter.bind({
      ...(instanceId !== undefined && { instanceId }),
      observations: { value: { read: () => state.value } },
      actions: {
        add: { execute: (by) => void (state.value += by) },
        reset: {
          when: () => state.value > 0,
          unavailableReason: "It is 0",
          execute: () => void (state.value = 0),
        },
      },
    });
  return { surface, state, define, handle: surface.registry.register(define()) };
}

/** A safe in a surface of its own, and what was typed into it. */
function openSafe() {
  const surface = createTestSurface({ authority });
  const typed: number[] = [];
  surface.registry.register(
    contracts.safe.bind({ actions: { open: { execute: ({ code }) => void typed.push(code) } } }),
  );
  return {
    surface,
    typed,
    type: (code: number, confirmationId?: string) =>
      surface.invoke("view:demo.safe.open", { code }, confirmationId === undefined ? {} : { confirmationId }),
  };
}

describe("a test surface", () => {
  it("needs the authority of a build, or a registry", () => {
    expect(() => createTestSurface()).toThrow("virtual:agent-surface-contract");
    const { manifest } = authority;
    expect(
      createTestSurface({ authority: createCapabilityAuthority(manifest) }).snapshot().components,
    ).toEqual([]);
  });

  it("invokes the one registration that has a capability", async () => {
    const { surface, state } = open();
    expect(await surface.invoke("view:demo.counter.add", 2)).toBeOk();
    expect(state.value).toBe(2);
  });

  it("leaves it to the registry to say what is ambiguous", async () => {
    const { surface, define } = open();
    surface.registry.register(define("second"));
    expect(await surface.invoke("view:demo.counter.add", 2)).toFailWith("AMBIGUOUS_INSTANCE");
    expect(await surface.invoke("view:demo.counter.add", 2, { instanceId: "second" })).toBeOk();
  });

  it("reads an observation, or throws why it can't be read", async () => {
    const { surface, state, handle } = open();
    state.value = 7;
    await expect(surface.observe<number>("view:demo.counter.value")).resolves.toBe(7);
    handle.unregister();
    await expect(surface.observe("view:demo.counter.value")).rejects.toThrow("COMPONENT_UNMOUNTED");
  });

  it("refuses an observation that changes the surface", async () => {
    const surface = createTestSurface({ authority });
    const handle = surface.registry.register(
      contracts.counter.bind({
        observations: {
          value: {
            read: () => {
              handle.invalidate();
              return 1;
            },
          },
        },
        actions: { add: { execute: () => undefined }, reset: { execute: () => undefined } },
      }),
    );
    await expect(surface.observe("view:demo.counter.value")).rejects.toThrow("mutated the surface");
  });

  it("keeps what an agent knew, to be used too late", async () => {
    const { surface, define, handle } = open();
    const { registrationId, surfaceVersion } = surface.captureRef("view:demo.counter.add");
    expect([registrationId, surfaceVersion]).toEqual([handle.registrationId, "1"]);
    handle.unregister();
    expect(await surface.invoke("view:demo.counter.add", 1)).toFailWith("COMPONENT_UNMOUNTED");
    surface.registry.register(define());
    const late = await surface.invoke("view:demo.counter.add", 1, { registrationId });
    expect(late).toFailWith("STALE_CAPABILITY", { reason: "registration-replaced" });
    expect(() => surface.captureRef("view:demo.counter.nothing")).toThrow("not exactly one");
  });

  it("changes the host's context in the middle of a test", async () => {
    const surface = createTestSurface({ authority, host: { user: "viewer" } });
    const users: unknown[] = [];
    surface.registry.register(
      contracts.counter.bind({
        observations: { value: { read: ({ host }) => users.push(host["user"]) } },
        actions: { add: { execute: () => undefined }, reset: { execute: () => undefined } },
      }),
    );
    await surface.observe("view:demo.counter.value");
    surface.as({ user: "admin" });
    await surface.observe("view:demo.counter.value");
    expect(users).toEqual(["viewer", "admin"]);
  });

  it("leaves the context and the life of a registry that it was given to the test", () => {
    const registry = createAgentSurfaceRegistry({ authority, environment: "test" });
    const { surface } = open({ registry });
    expect(() => surface.as({})).toThrow("context of its own");
    surface.dispose();
    expect(registry.snapshot().components).toHaveLength(1);
    expect(surface.events().map(({ type }) => type)).toEqual(["component-registered"]);
  });

  it("keeps events and audit records", async () => {
    const { surface } = open();
    await surface.invoke("view:demo.counter.add", 1);
    expect(surface.events().map(({ type }) => type)).toEqual(
      expect.arrayContaining(["component-registered", "invocation-started", "invocation-settled"]),
    );
    expect(surface.auditLog().map(({ type }) => type)).toEqual(
      expect.arrayContaining(["registration", "invocation-settled"]),
    );
  });

  it("sees and calls as whom the test says", async () => {
    const { surface } = open({ consumer: { id: "copilot", kind: "embedded" } });
    await surface.invoke("view:demo.counter.add", 1);
    await surface.invoke("view:demo.counter.add", 1, { consumer: { id: "other", kind: "other" } });
    const started = surface.events().filter((event) => event.type === "invocation-started");
    expect(started.map(({ consumerId }) => consumerId)).toEqual(["copilot", "other"]);
  });
});

describe("a confirmation", () => {
  it("is approved, used once, and not a second time", async () => {
    const { surface, typed, type } = openSafe();
    const asked = await type(42);
    expect(asked).toFailWith("CONFIRMATION_REQUIRED", { effect: "local-state" });
    const [pending] = surface.confirmations.pending();
    surface.confirmations.approve();
    expect(await type(42, pending?.confirmationId)).toBeOk();
    expect(await type(42, pending?.confirmationId)).toFailWith("CONFIRMATION_INVALID", {
      reason: "consumed",
    });
    expect(typed).toEqual([42]);
  });

  it("is worth nothing for another input than the one that was shown", async () => {
    const { surface, typed, type } = openSafe();
    await type(42);
    const [pending] = surface.confirmations.pending();
    surface.confirmations.approve(pending?.confirmationId);
    expect(await type(43, pending?.confirmationId)).toFailWith("CONFIRMATION_INVALID", {
      reason: "mismatch",
    });
    expect(typed).toEqual([]);
  });

  it("is denied or expires", async () => {
    const { surface, type } = openSafe();
    await type(1);
    const [first] = surface.confirmations.pending();
    surface.confirmations.deny(undefined, "no");
    expect(await type(1, first?.confirmationId)).toFailWith("CONFIRMATION_INVALID", { reason: "denied" });
    await type(2);
    const [second] = surface.confirmations.pending();
    surface.confirmations.expire();
    expect(await type(2, second?.confirmationId)).toFailWith("CONFIRMATION_INVALID", { reason: "expired" });
  });

  it("has to be named where none or several are pending", async () => {
    const { surface, type } = openSafe();
    expect(() => surface.confirmations.approve()).toThrow("no confirmation is pending");
    await type(1);
    await type(2);
    expect(() => surface.confirmations.approve()).toThrow("2 confirmations are pending");
  });
});

describe("with timers that the test holds", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it("a handler that hangs runs out of time, and what comes late is only recorded", async () => {
    const surface = createTestSurface({ authority });
    let finish = (): void => undefined;
    let signal: AbortSignal | undefined;
    surface.registry.register(
      contracts.counter.bind({
        observations: { value: { read: () => 1 } },
        actions: {
          add: {
            execute: (_, ctx) => {
              signal = ctx.signal;
              return new Promise<void>((resolve) => (finish = resolve));
            },
          },
          reset: { execute: () => undefined },
        },
      }),
    );
    const pending = surface.invoke("view:demo.counter.add", 1);
    vi.advanceTimersByTime(10_000);
    expect(await pending).toFailWith("TIMEOUT", { timeoutMs: 10_000 });
    expect(signal?.aborted).toBe(true);
    finish();
    await Promise.resolve();
    expect(surface.auditLog().map(({ type }) => type)).toContain("late-settlement");
  });

  it("an approval that is not used in time is no approval", async () => {
    const { surface, type } = openSafe();
    await type(42);
    const [pending] = surface.confirmations.pending();
    surface.confirmations.approve();
    vi.advanceTimersByTime(120_001);
    expect(await type(42, pending?.confirmationId)).toFailWith("CONFIRMATION_INVALID", { reason: "expired" });
  });
});

describe("a serialised surface", () => {
  it("is the same after a remount, and in every run", () => {
    const { surface, define, handle } = open();
    const first = serializeSurfaceSnapshot(surface.snapshot());
    handle.unregister();
    surface.registry.register(define());
    expect(serializeSurfaceSnapshot(surface.snapshot())).toEqual(first);
    expect(JSON.stringify(first)).not.toMatch(/reg_|srf_|capturedAt|surfaceVersion/);
    expect(first).toMatchObject({ components: [{ registrationId: "<reg#1>" }], procedures: [] });
  });

  it("has the version where it is asked for", () => {
    const { surface } = open();
    expect(serializeSurfaceSnapshot(surface.snapshot(), { includeVersion: true })).toMatchObject({
      surfaceVersion: "1",
    });
  });
});
