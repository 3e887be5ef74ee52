/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { describe, expect, it, vi } from "vitest";
import type { AgentPolicy, AgentSurfaceSnapshot } from "@agent-surface/core";
import { button, mount, mountProcedure, number, open, procedure, screen, the } from "./support/surface.js";

const isFrozen = (value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen));

const types = ({ components }: AgentSurfaceSnapshot) => components.map(({ type }) => type);

describe("a snapshot", () => {
  it("AS-SNAP-001 says what there is, and runs no handler for it", () => {
    const read = vi.fn<() => number>();
    const { registry, handle } = mount(
      {
        meta: { unit: "rows" },
        parent: { type: "page" },
        observations: { value: number(read, { meta: { slow: true } }) },
        actions: { run: button(undefined, { confirmation: "optional", idempotent: true }) },
      },
      { now: () => 0, route: () => ({ path: "/devices", params: { id: "1" } }) },
    );
    expect(registry.snapshot()).toEqual({
      surfaceId: registry.surfaceId,
      surfaceVersion: "1",
      capturedAt: "1970-01-01T00:00:00.000Z",
      route: { path: "/devices", params: { id: "1" } },
      components: [
        {
          type: "screen",
          instanceId: "default",
          registrationId: handle.registrationId,
          description: "A screen",
          meta: { unit: "rows" },
          parent: { type: "page", instanceId: "default" },
          observations: [
            {
              capabilityId: "view:screen.value",
              name: "value",
              description: "A number",
              outputSchema: { type: "number" },
              available: true,
              meta: { slow: true },
            },
          ],
          actions: [
            {
              capabilityId: "view:screen.run",
              name: "run",
              description: "A button",
              inputSchema: { type: "object", properties: {}, additionalProperties: false },
              effect: "local-state",
              idempotent: true,
              reversible: true,
              confirmation: "optional",
              available: true,
            },
          ],
        },
      ],
      procedures: [],
    });
    expect(read).not.toHaveBeenCalled();
  });

  it("AS-SNAP-002 is frozen through and through, and has nothing in it that is internal", () => {
    const { registry } = mount({
      internal: { secret: "1234" },
      observations: { value: number() },
      actions: { run: button(undefined, { when: () => false }) },
    });
    const snapshot = registry.snapshot();
    expect(isFrozen(snapshot)).toBe(true);
    expect(JSON.stringify(snapshot)).not.toContain("1234");
  });

  it("AS-SNAP-003 is ordered by priority, type and instance, and cut from the end", () => {
    const definitions = [
      screen({ type: "b" }),
      screen({ type: "a", instanceId: "2" }),
      screen({ type: "a", instanceId: "1" }),
      screen({ type: "z", priority: 1 }),
    ];
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    const { components } = registry.snapshot();
    expect(components.map(({ type, instanceId }) => type + instanceId)).toEqual([
      "zdefault",
      "a1",
      "a2",
      "bdefault",
    ]);
    const cut = registry.snapshot({ budget: { maxComponents: 3 } });
    expect(types(cut)).toEqual(["z", "a", "a"]);
    expect(cut.truncated).toEqual({ droppedComponents: 1 });
    expect(registry.snapshot({ budget: { maxBytes: 2 } }).components).toEqual([]);
  });

  it("has the parts that are asked for", () => {
    const definitions = ["devices", "devices.table", "devices2"].map((type) => screen({ type }));
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    expect(types(registry.snapshot({ scope: ["devices"] }))).toEqual(["devices", "devices.table"]);
    expect(types(registry.snapshot({ scope: [] }))).toHaveLength(3);
  });

  it("shows what can't be used with the reason, or leaves it out", () => {
    const { registry } = mount({ actions: { run: button(undefined, { when: () => false }), go: button() } });
    expect(
      registry
        .snapshot()
        .components[0]?.actions.map(({ available, unavailableReason }) => [available, unavailableReason]),
    ).toEqual([
      [false, "Currently unavailable"],
      [true, undefined],
    ]);
    const { actions } = the(registry.snapshot({ includeUnavailable: false }).components[0]);
    expect(actions.map(({ name }) => name)).toEqual(["go"]);
  });

  it("shows a consumer what policies let it see", () => {
    const hide: AgentPolicy = {
      name: "grants",
      onDiscovery: ({ consumer }) => ({ decision: consumer.grants?.includes("run") ? "expose" : "hide" }),
    };
    const { registry } = mount({
      observations: { value: number() },
      actions: { run: button(undefined, { policies: [hide] }) },
    });
    const names = (grants: string[]) =>
      registry
        .snapshot({ consumer: { id: "a", kind: "test", grants } })
        .components[0]?.actions.map(({ name }) => name);
    expect(names([])).toEqual([]);
    expect(names(["run"])).toEqual(["run"]);
  });

  it("is made of the very same objects as the one before, where nothing changed", () => {
    let isReady = true;
    const { registry } = mount({
      observations: { value: number() },
      actions: { run: button(undefined, { when: () => isReady }) },
    });
    const first = registry.snapshot().components[0];
    expect(registry.snapshot().components[0]).toBe(first);
    isReady = false;
    const second = registry.snapshot().components[0];
    expect(second).not.toBe(first);
    expect(second?.observations[0]).toBe(first?.observations[0]);
    expect(second?.actions[0]).toMatchObject({ available: false });
  });

  it("AS-CACHE-004 keeps what a procedure's text says apart from what is the case", () => {
    let note = "2 devices selected";
    const { registry, handle } = mountProcedure(
      procedure("destructive", { bind: () => ({ ids: [] }), describe: () => note }),
    );
    const shown = () => registry.snapshot().procedures[0];
    expect(shown()).toEqual({
      procedureId: "domain:devices.disable",
      description: "Disable devices",
      contextualNote: "2 devices selected",
      inputSchema: {
        type: "object",
        properties: { reason: { type: "string" } },
        additionalProperties: false,
      },
      effect: "destructive",
      confirmation: "required",
      available: true,
      boundFields: [{ path: "ids", locked: true, source: "ui-state" }],
      registrationId: handle.registrationId,
    });
    note = "";
    expect(shown()).not.toHaveProperty("contextualNote");
    expect(registry.snapshot().components).toEqual([]);
  });

  it("goes without what the host can't say", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const no = () => {
      throw new Error("no");
    };
    const describe = no as () => string;
    const binding = procedure("server-query", { bind: () => ({}), describe });
    const { registry } = mountProcedure(binding, {
      route: no,
      context: no,
      environment: "development",
      audit: { record: () => undefined },
      policies: [
        { name: "open", onDiscovery: ({ host }) => ({ decision: "user" in host ? "hide" : "expose" }) },
      ],
    });
    const snapshot = registry.snapshot();
    expect(snapshot).not.toHaveProperty("route");
    expect(snapshot.procedures).toHaveLength(1);
    expect(warn).toHaveBeenCalledTimes(2);
    warn.mockRestore();
  });
});
