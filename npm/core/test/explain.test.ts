import { describe, expect, it } from "vitest";
import * as root from "@agent-surface/core";
import { authenticated, requireConfirmation, type AgentPolicy } from "@agent-surface/core";
import { explainSurface } from "@agent-surface/core/explain";
import { button, mount, mountProcedure, number, procedure, the } from "./support/surface.js";

const votes = (name: string, onDiscovery: AgentPolicy["onDiscovery"]): AgentPolicy => ({
  name,
  ...(onDiscovery && { onDiscovery }),
});

describe("an explanation", () => {
  it("AS-EXPLAIN-001 tells of what is hidden, and who hides it", () => {
    const { registry, handle } = mount(
      { observations: { value: number() } },
      { policies: [authenticated()], now: () => 0 },
    );
    expect(registry.snapshot().components).toEqual([]);
    expect(explainSurface(registry)).toEqual({
      surfaceId: registry.surfaceId,
      surfaceVersion: "1",
      capturedAt: "1970-01-01T00:00:00.000Z",
      consumer: { id: "anonymous", kind: "embedded" },
      capabilities: [
        {
          capabilityId: "view:screen.value",
          kind: "observation",
          plane: "view",
          description: "A number",
          registrationId: handle.registrationId,
          component: { type: "screen", instanceId: "default" },
          outcome: "hide",
          policies: [
            {
              name: "authenticated",
              scope: "registry",
              phases: ["discovery", "authorize"],
              discovery: { decision: "hide" },
            },
          ],
          availability: { available: true },
        },
      ],
    });
  });

  it("AS-EXPLAIN-002 names every policy, where it is attached, where it has its say, and how it votes", () => {
    const throws = votes("throws", () => {
      throw new Error("no");
    });
    const { registry } = mount(
      {
        policies: [votes("component", () => ({ decision: "disable", reason: "closed" }))],
        actions: { run: button(undefined, { policies: [throws, requireConfirmation()] }) },
      },
      { policies: [votes("registry", undefined)] },
    );
    expect(explainSurface(registry).capabilities[0]?.policies).toEqual([
      { name: "registry", scope: "registry", phases: [] },
      {
        name: "component",
        scope: "component",
        phases: ["discovery"],
        discovery: { decision: "disable", reason: "closed" },
      },
      {
        name: "throws",
        scope: "capability",
        phases: ["discovery"],
        discovery: { decision: "hide" },
        threw: true,
      },
      { name: "require-confirmation", scope: "capability", phases: [], confirmationEscalation: true },
    ]);
  });

  it("AS-EXPLAIN-003 comes to what a snapshot comes to, and keeps the component's own word apart", () => {
    const { registry } = mount({
      actions: {
        open: button(),
        waits: button(undefined, { when: () => false, unavailableReason: "not yet" }),
        closed: button(undefined, {
          policies: [votes("closed", () => ({ decision: "disable", reason: "closed" }))],
        }),
        gone: button(undefined, { policies: [votes("gone", () => ({ decision: "hide" }))] }),
      },
    });
    const { actions } = the(registry.snapshot().components[0]);
    const explained = explainSurface(registry, {
      includeUnavailable: false,
      budget: { maxComponents: 0 },
    }).capabilities;
    expect(explained.map(({ outcome, reason, availability }) => [outcome, reason, availability])).toEqual([
      ["expose", undefined, { available: true }],
      ["disable", "not yet", { available: false, reason: "not yet" }],
      ["disable", "closed", { available: true }],
      ["hide", undefined, { available: true }],
    ]);
    for (const { capabilityId, outcome, reason } of explained) {
      const shown = actions.find((it) => it.capabilityId === capabilityId);
      expect(shown === undefined).toBe(outcome === "hide");
      expect(shown?.unavailableReason).toBe(reason);
    }
  });

  it("is for one consumer and scope, and frozen", () => {
    const { registry } = mountProcedure(procedure("server-query"), { route: () => ({ path: "/" }) });
    const consumer = { id: "a", kind: "test" } as const;
    const explanation = explainSurface(registry, { consumer, scope: ["devices"] });
    expect(explanation).toMatchObject({
      consumer,
      route: { path: "/" },
      capabilities: [{ kind: "procedure", plane: "domain" }],
    });
    expect(Object.isFrozen(explanation.capabilities[0])).toBe(true);
    expect(explainSurface(registry, { scope: ["other"] }).capabilities).toEqual([]);
  });

  it("is of a genuine registry that is open", () => {
    const { registry } = mount({});
    expect(() => explainSurface({ ...registry })).toThrow("createAgentSurfaceRegistry");
    registry.dispose();
    expect(() => explainSurface(registry)).toThrow("disposed");
  });

  it("AS-EXPLAIN-004 can't be had from the package's root", () => {
    expect(Object.keys(root).filter((name) => /explain/i.test(name))).toEqual([]);
  });
});
