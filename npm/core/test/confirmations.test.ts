import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentSurfaceRegistry, PendingConfirmation } from "@agent-surface/core";
import { codeOf, confirmationOf, detailsOf, mountProcedure, procedure, record } from "./support/surface.js";

const DISABLE = { capabilityId: "domain:devices.disable", input: {} };

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

async function ask(registry: AgentSurfaceRegistry): Promise<string> {
  const asked = await registry.invoke({ ...DISABLE, invocationId: "call_1" });
  expect(codeOf(asked)).toBe("CONFIRMATION_REQUIRED");
  return confirmationOf(asked);
}

const retry = (registry: AgentSurfaceRegistry, confirmationId: string) =>
  registry.invoke({ ...DISABLE, invocationId: "call_1", confirmationId });

describe("a confirmation", () => {
  it("shows exactly what is to be approved", async () => {
    const { registry, handle } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    expect(confirmationId).toMatch(/^cnf_/);
    expect(registry.confirmations.pending()).toEqual([
      {
        confirmationId,
        capabilityId: "domain:devices.disable",
        registrationId: handle.registrationId,
        consumerKey: "embedded:anonymous",
        effect: "destructive",
        summary: 'Disable devices: {"ids":["d1"]}',
        input: { ids: ["d1"] },
        requestedAt: "1970-01-01T00:00:00.000Z",
        expiresAt: "1970-01-01T00:02:00.000Z",
      },
    ]);
  });

  it("AS-CONFIRM-003 that is approved is good for one call, whose handler is told so", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const execute = vi.fn<(request: { info: { confirmation?: object } }) => Promise<null>>(async () => null);
    registry.setProcedureExecutor({ execute });
    const confirmationId = await ask(registry);
    registry.confirmations.resolve(confirmationId, { approved: true });
    expect((await retry(registry, confirmationId)).status).toBe("ok");
    expect(execute.mock.calls[0]?.[0].info.confirmation).toEqual({
      id: confirmationId,
      approvedAt: "1970-01-01T00:00:00.000Z",
    });
    const again = await registry.invoke({ ...DISABLE, confirmationId });
    expect(detailsOf(again)).toEqual({ reason: "consumed" });
    expect(execute).toHaveBeenCalledTimes(1);
  });

  it("AS-CONFIRM-006 that is pending is the same one when it is asked for again", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    expect(await ask(registry)).toBe(confirmationId);
    expect(detailsOf(await retry(registry, confirmationId))["confirmationId"]).toBe(confirmationId);
    expect(registry.confirmations.pending()).toHaveLength(1);
  });

  it("that is denied is not to be asked for again", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    registry.confirmations.resolve(confirmationId, { approved: false, reason: "wrong devices" });
    expect(await retry(registry, confirmationId)).toMatchObject({
      error: { code: "CONFIRMATION_INVALID", retry: "no", details: { reason: "denied" } },
    });
  });

  it("that nobody decides expires, and so does an approval that nobody uses", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const events = record(registry);
    const undecided = await ask(registry);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(events.at(-1)).toEqual({
      type: "confirmation-resolved",
      confirmationId: undecided,
      outcome: "expired",
    });
    expect(detailsOf(await retry(registry, undecided))).toEqual({ reason: "expired" });
    const confirmationId = confirmationOf(await registry.invoke(DISABLE));
    registry.confirmations.resolve(confirmationId, { approved: true });
    await vi.advanceTimersByTimeAsync(120_001);
    expect(detailsOf(await registry.invoke({ ...DISABLE, confirmationId }))).toEqual({
      reason: "expired",
    });
  });

  it("can be made to expire by a test", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    registry.confirmations.forceExpire(confirmationId);
    expect(await registry.confirmations.waitFor(confirmationId)).toBe("expired");
    registry.confirmations.resolve(confirmationId, { approved: true });
    expect(detailsOf(await retry(registry, confirmationId))).toEqual({ reason: "expired" });
  });

  it("is not made where too many are pending", async () => {
    const { registry } = mountProcedure(procedure("destructive"), { limits: { maxPendingConfirmations: 1 } });
    await ask(registry);
    const other = await registry.invoke({ ...DISABLE, input: { reason: "another" } });
    expect(codeOf(other)).toBe("RATE_LIMITED");
    expect(registry.confirmations.pending()).toHaveLength(1);
  });
});

describe("who waits for a confirmation", () => {
  it.each([
    ["approved", true],
    ["denied", false],
  ] as const)("is told that it was %s", async (outcome, approved) => {
    const { registry } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    const waiting = registry.confirmations.waitFor(confirmationId);
    registry.confirmations.resolve(confirmationId, { approved });
    expect(await waiting).toBe(outcome);
    expect(await registry.confirmations.waitFor(confirmationId)).toBe(outcome);
  });

  it("may give up, and is not told of what nobody knows of", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const confirmationId = await ask(registry);
    const giving = new AbortController();
    const waiting = registry.confirmations.waitFor(confirmationId, { signal: giving.signal });
    giving.abort();
    expect(await waiting).toBe("expired");
    expect(await registry.confirmations.waitFor(confirmationId, { signal: AbortSignal.abort() })).toBe(
      "expired",
    );
    expect(await registry.confirmations.waitFor("cnf_unknown")).toBe("expired");
    expect(registry.confirmations.pending()).toHaveLength(1);
  });

  it("is told at the latest when the surface is closed", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const waiting = registry.confirmations.waitFor(await ask(registry));
    registry.dispose();
    expect(await waiting).toBe("expired");
  });
});

describe("a dialog", () => {
  it("is told what is to be decided whenever that changes", async () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const shown: number[] = [];
    const listener = (pending: PendingConfirmation[]) => shown.push(pending.length);
    const leave = registry.confirmations.subscribe(listener);
    registry.confirmations.subscribe(() => {
      throw new Error("no");
    });
    const confirmationId = await ask(registry);
    registry.confirmations.resolve(confirmationId, { approved: true });
    leave();
    await registry.invoke(DISABLE);
    expect(shown).toEqual([1, 0]);
  });
});
