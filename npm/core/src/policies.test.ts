import { describe, expect, it, vi } from "vitest";
import type { AuditEvent } from "./audit.js";
import type { AgentSurfaceError } from "./errors.js";
import type { AgentInvocationResult } from "./invocation.js";
import {
  audit,
  authenticated,
  environment,
  hasPermission,
  rateLimit,
  requireConfirmation,
  tenantBoundary,
} from "./policies.js";
import {
  CONFIRMATION_ESCALATION,
  type AgentInvocationPolicyContext,
  type AgentPolicy,
  type AgentPolicyWithEscalation,
} from "./policy.js";

const OK: AgentInvocationResult = {
  status: "ok",
  invocationId: "inv_1",
  capabilityId: "view:screen.run",
  output: 1,
  surfaceVersion: "1",
};

function context(members: Partial<AgentInvocationPolicyContext> = {}): AgentInvocationPolicyContext {
  return {
    capabilityId: "view:screen.run",
    plane: "view",
    kind: "action",
    effect: "local-state",
    registrationId: "reg_1",
    consumer: { id: "copilot", kind: "embedded" },
    host: {},
    meta: {},
    internal: {},
    environment: "production",
    now: () => 0,
    invocationId: "inv_1",
    effectiveInput: {},
    ...members,
  };
}

/** How a policy votes, and what it answers with: `ok`, or the code of its refusal. */
async function judge(policy: AgentPolicy, members: Partial<AgentInvocationPolicyContext> = {}) {
  const ctx = context(members);
  const answer = policy.onAuthorize?.(ctx, async () => OK);
  return {
    vote: policy.onDiscovery?.(ctx).decision,
    answer: await answer?.then(
      ({ status }) => status,
      (error: AgentSurfaceError) => error.payload,
    ),
  };
}

/** What the audit policy records of an invocation. */
async function records(level: "metadata" | "full" | undefined, result = OK): Promise<AuditEvent[]> {
  const kept: AuditEvent[] = [];
  const now = vi.fn<() => number>().mockReturnValueOnce(0).mockReturnValueOnce(5);
  const policy = audit({ record: (event) => kept.push(event) }, level);
  await policy.onInvoke?.(context({ now, effectiveInput: { a: 1 } }), async () => result);
  return kept;
}

describe("a policy about rights hides from who has none, and refuses to who calls all the same", () => {
  it("authenticated: there must be a user", async () => {
    expect(await judge(authenticated(), { host: { user: { id: 1 } } })).toEqual({
      vote: "expose",
      answer: "ok",
    });
    expect(await judge(authenticated())).toMatchObject({
      vote: "hide",
      answer: { code: "NOT_AUTHENTICATED", retry: "no" },
    });
    expect(await judge(authenticated({ key: "session" }), { host: { session: 1 } })).toMatchObject({
      vote: "expose",
    });
  });

  it("hasPermission: the host knows who has which", async () => {
    const policy = hasPermission("devices:write", (host, permission) => host["can"] === permission);
    expect(policy.name).toBe("has-permission(devices:write)");
    expect(await judge(policy, { host: { can: "devices:write" } })).toEqual({
      vote: "expose",
      answer: "ok",
    });
    expect(await judge(policy)).toMatchObject({
      vote: "hide",
      answer: { code: "NOT_AUTHORIZED", details: { origin: "client" } },
    });
  });

  it("tenantBoundary: what belongs to nobody is for all", async () => {
    const policy = tenantBoundary({
      current: (host) => host["tenant"] as string,
      expected: ({ internal }) => internal["tenant"] as string | undefined,
    });
    const host = { tenant: "a" };
    expect(await judge(policy, { host, internal: { tenant: "a" } })).toEqual({
      vote: "expose",
      answer: "ok",
    });
    expect(await judge(policy, { host })).toEqual({ vote: "expose", answer: "ok" });
    expect(await judge(policy, { host, internal: { tenant: "b" } })).toMatchObject({
      vote: "hide",
      answer: { code: "NOT_AUTHORIZED" },
    });
  });

  it("environment: elsewhere nothing tells that the capability exists", async () => {
    const policy = environment(["development"]);
    expect(await judge(policy, { environment: "development" })).toEqual({ vote: "expose", answer: "ok" });
    expect(await judge(policy)).toMatchObject({
      vote: "hide",
      answer: { code: "CAPABILITY_NOT_FOUND", retry: "after-refresh" },
    });
  });
});

describe("rateLimit", () => {
  it("lets so many calls pass in a window, by the registry's clock, and says when the next may come", async () => {
    let now = 1000;
    const policy = rateLimit({ limit: 2, windowMs: 100 });
    const call = async () => (await judge(policy, { now: () => now })).answer;
    expect([await call(), await call()]).toEqual(["ok", "ok"]);
    now += 30;
    expect(await call()).toMatchObject({
      code: "RATE_LIMITED",
      retry: "after-delay",
      details: { reason: "rate", retryAfterMs: 70 },
    });
    now += 70;
    expect(await call()).toBe("ok");
  });

  it("counts consumers and capabilities apart, whatever their names are made of", async () => {
    const policy = rateLimit({ limit: 1, windowMs: 100 });
    const call = (id: string, capabilityId: string) =>
      judge(policy, { consumer: { id, kind: "test" }, capabilityId });
    for (const [id, capabilityId] of [
      ["a", "view:b.c"],
      ["a view:b.c", ""],
      ["a", "view:b.d"],
      ["b", "view:b.c"],
    ] as const) {
      expect((await call(id, capabilityId)).answer).toBe("ok");
    }
    expect((await call("a", "view:b.c")).answer).toMatchObject({ code: "RATE_LIMITED" });
  });
});

describe("requireConfirmation", () => {
  it("says when the user is to be asked, and does nothing else", () => {
    const asks = { if: () => true, summary: () => "Really?" };
    const policy: AgentPolicyWithEscalation = requireConfirmation(asks);
    expect(policy[CONFIRMATION_ESCALATION]).toEqual(asks);
    expect(policy).not.toHaveProperty("onInvoke");
  });
});

describe("audit", () => {
  it("tells of each invocation that it started and how it settled", async () => {
    expect(await records(undefined)).toEqual([
      expect.objectContaining({ at: "1970-01-01T00:00:00.000Z", type: "invocation-started" }),
      expect.objectContaining({ type: "invocation-settled", status: "ok", durationMs: 5 }),
    ]);
    const error = { code: "TIMEOUT", message: "", retry: "no" } as const;
    const failed: AgentInvocationResult = { ...OK, status: "error", error };
    expect((await records("full", failed))[1]).toMatchObject({ status: "error", code: "TIMEOUT" });
  });

  it("tells inputs and outputs only if it is to tell all", async () => {
    expect((await records("metadata")).some((event) => "payload" in event)).toBe(false);
    expect((await records("full")).map(({ payload }) => payload)).toEqual([
      { input: { a: 1 } },
      { output: 1 },
    ]);
  });

  it("lets invocations pass even if its sink throws", async () => {
    const broken = {
      record() {
        throw new Error("full");
      },
    };
    await expect(audit(broken).onInvoke?.(context(), async () => OK)).resolves.toBe(OK);
  });
});
