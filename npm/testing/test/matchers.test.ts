import type { AgentInvocationResult } from "@agent-surface/core";
import { createTestSurface, toMatchSurfaceSnapshot, type TestSurface } from "@agent-surface/testing";
import { describe, expect, it } from "vitest";
import { authority, contracts } from "../../react/test/support/contracts.js";
import "@agent-surface/testing/vitest";

/** Two counters: `first` can be reset, `second` can't. */
function open(): TestSurface {
  const surface = createTestSurface({ authority });
  for (const instanceId of ["first", "second"]) {
    surface.registry.register(
      contracts.counter.bind({
        instanceId,
        observations: { value: { read: () => 0 } },
        actions: {
          add: { execute: () => undefined },
          reset: {
            when: () => instanceId === "first",
            unavailableReason: "It is 0",
            execute: () => undefined,
          },
        },
      }),
    );
  }
  return surface;
}

const surface = open();
const ok: AgentInvocationResult = {
  status: "ok",
  invocationId: "i",
  capabilityId: "view:demo.counter.add",
  surfaceVersion: "1",
};
const failed: AgentInvocationResult = {
  status: "error",
  invocationId: "i",
  capabilityId: "view:demo.counter.add",
  surfaceVersion: "1",
  error: {
    code: "STALE_CAPABILITY",
    message: "It is stale",
    retry: "after-refresh",
    details: { reason: "surface-reloaded", tried: ["a", "b"] },
  },
};

describe("toExpose", () => {
  it("is for what is there and available", () => {
    expect(surface).toExpose("view:demo.counter.reset");
    expect(surface).toExpose("view:demo.counter.add", { instanceId: "second" });
    expect(surface).not.toExpose("view:demo.counter.reset", { instanceId: "second" });
    expect(surface).not.toExpose("view:demo.counter.nothing");
  });

  it.each<[string, () => void]>([
    [
      "but it is not: It is 0",
      () => expect(surface).toExpose("view:demo.counter.reset", { instanceId: "second" }),
    ],
    [
      "but it is absent: hidden, or not registered",
      () => expect(surface).toExpose("view:demo.counter.nothing"),
    ],
    ["expected the surface not to expose", () => expect(surface).not.toExpose("view:demo.counter.add")],
  ])("says %s", (message, assertion) => expect(assertion).toThrow(message));
});

describe("toExposeUnavailable", () => {
  it("is for what is there and not available, because of a reason", () => {
    expect(surface).toExposeUnavailable("view:demo.counter.reset");
    expect(surface).toExposeUnavailable("view:demo.counter.reset", {
      instanceId: "second",
      reason: "It is 0",
    });
    expect(surface).not.toExposeUnavailable("view:demo.counter.reset", { reason: "It is late" });
    expect(surface).not.toExposeUnavailable("view:demo.counter.reset", { instanceId: "first" });
    expect(surface).not.toExposeUnavailable("view:demo.counter.nothing");
  });

  it.each<[string, () => void]>([
    ["but it is absent", () => expect(surface).toExposeUnavailable("view:demo.counter.nothing")],
    ["but it is available", () => expect(surface).toExposeUnavailable("view:demo.counter.add")],
    [
      'because of "It is late", but it is because of "It is 0"',
      () => expect(surface).toExposeUnavailable("view:demo.counter.reset", { reason: "It is late" }),
    ],
    [
      "not to be unavailable, but it is: It is 0",
      () => expect(surface).not.toExposeUnavailable("view:demo.counter.reset"),
    ],
  ])("says %s", (message, assertion) => expect(assertion).toThrow(message));
});

describe("toBeOk and toFailWith", () => {
  it("are for results, with at least these details", () => {
    expect(ok).toBeOk();
    expect(failed).not.toBeOk();
    expect(failed).toFailWith("STALE_CAPABILITY");
    expect(failed).toFailWith("STALE_CAPABILITY", { tried: ["a", "b"] });
    expect(failed).not.toFailWith("STALE_CAPABILITY", { tried: ["b", "a"] });
    expect(failed).not.toFailWith("TIMEOUT");
    expect(ok).not.toFailWith("TIMEOUT");
  });

  it.each<[string, () => void]>([
    ['but got {"code":"STALE_CAPABILITY"', () => expect(failed).toBeOk()],
    ["expected the invocation not to go well", () => expect(ok).not.toBeOk()],
    ["but it failed with STALE_CAPABILITY: It is stale", () => expect(failed).toFailWith("TIMEOUT")],
    [
      'reason: "x", but it is "surface-reloaded"',
      () => expect(failed).toFailWith("STALE_CAPABILITY", { reason: "x" }),
    ],
    ["expected the invocation to fail with TIMEOUT, but got", () => expect(ok).toFailWith("TIMEOUT")],
    ["not to fail with STALE_CAPABILITY", () => expect(failed).not.toFailWith("STALE_CAPABILITY")],
  ])("say %s", (message, assertion) => expect(assertion).toThrow(message));
});

describe("every matcher", () => {
  it("refuses what it is not for, with .not as well", () => {
    expect(() => expect(ok).toExpose("view:demo.counter.add")).toThrow("is for a surface of");
    expect(() => expect(undefined).not.toExpose("view:demo.counter.add")).toThrow("is for a surface of");
    expect(() => expect({}).not.toExposeUnavailable("view:demo.counter.add")).toThrow("is for a surface of");
    expect(() => expect({}).not.toMatchSurfaceSnapshot()).toThrow("is for a surface of");
    expect(() => expect(Promise.resolve(ok)).not.toBeOk()).toThrow("a promise: await it");
    expect(() => expect(surface).not.toFailWith("TIMEOUT")).toThrow("is for the result of an invocation");
  });

  it("works on a promise's value", async () => {
    await expect(Promise.resolve(ok)).resolves.toBeOk();
    await expect(surface.invoke("view:demo.counter.add", "x", { instanceId: "first" })).resolves.toFailWith(
      "INVALID_INPUT",
    );
  });
});

describe("toMatchSurfaceSnapshot", () => {
  it("holds what an agent sees against the snapshot file", () => {
    expect(surface).toMatchSurfaceSnapshot();
    expect(open()).toMatchSurfaceSnapshot({ includeVersion: true });
  });

  it("can't be negated, as any change would pass", () => {
    expect(() => expect(surface).not.toMatchSurfaceSnapshot()).toThrow("can't be used with .not");
  });

  it("says where it can't work", () => {
    expect(toMatchSurfaceSnapshot.call(undefined, surface).message()).toContain("needs the snapshots of");
  });
});
