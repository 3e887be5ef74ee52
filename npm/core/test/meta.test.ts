/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { describe, expect, it, vi } from "vitest";
import {
  createAgentToolset,
  type AgentConsumer,
  type AgentInvocationResult,
  type AgentSurfaceRegistry,
  type AgentSurfaceSnapshot,
  type AgentToolsetOptions,
  type JsonValue,
} from "@agent-surface/core";
import {
  button,
  codeOf,
  confirmationOf,
  detailsOf,
  echo,
  mount,
  mountProcedure,
  number,
  open,
  procedure,
  screen,
  the,
} from "./support/surface.js";

const consumer: AgentConsumer = { id: "copilot", kind: "embedded" };

/** The three tools, to be called by name. */
function verbs(registry: AgentSurfaceRegistry, options: Partial<AgentToolsetOptions> = {}) {
  const toolset = createAgentToolset(registry, { consumer, topology: "remote", mode: "meta", ...options });
  const call = (name: string) => (input: JsonValue, toolCallId?: string) =>
    the(toolset.tools().find((tool) => tool.name === `surface_${name}`)).execute(
      input,
      toolCallId === undefined ? {} : { toolCallId },
    );
  return { toolset, discover: call("discover"), read: call("read"), act: call("act") };
}

const found = (result: AgentInvocationResult) =>
  (result.status === "ok" ? result.output : undefined) as unknown as AgentSurfaceSnapshot;

function two() {
  const definitions = ["devices.table", "admin"].map((type) =>
    screen({ type, observations: { value: number() }, actions: { run: echo() } }),
  );
  const registry = open(definitions);
  for (const definition of definitions) registry.register(definition);
  return registry;
}

describe("meta mode", () => {
  it("AS-META-005 has three tools that are the same for every surface", () => {
    const small = verbs(mount({}).registry).toolset.tools();
    const large = verbs(two()).toolset.tools();
    expect(small.map(({ name }) => name)).toEqual(["surface_discover", "surface_read", "surface_act"]);
    expect(JSON.stringify(large)).toBe(JSON.stringify(small));
    for (const { state, inputSchema } of small) {
      expect(state).toEqual({ available: true });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    }
  });

  it("never tells of another catalogue, and has no capabilities for names", async () => {
    const { registry, handle } = mount({});
    const { toolset } = verbs(registry);
    const listener = vi.fn<() => void>();
    toolset.subscribe(listener)();
    toolset.subscribe(listener);
    handle.unregister();
    await Promise.resolve();
    expect(listener).not.toHaveBeenCalled();
    expect(toolset.wireNameMap().size).toBe(0);
    toolset.dispose();
  });
});

describe("surface_discover", () => {
  it("gives a snapshot as JSON", async () => {
    const registry = two();
    const { discover } = verbs(registry);
    const result = await discover({}, "call_1");
    expect(result).toMatchObject({
      status: "ok",
      invocationId: "call_1",
      capabilityId: "meta:surface.discover",
      surfaceVersion: "2",
    });
    const { capturedAt: _, ...snapshot } = registry.snapshot({ consumer });
    expect(found(result)).toMatchObject(JSON.parse(JSON.stringify(snapshot)) as object);
    expect((await discover(null)).invocationId).not.toBe((await discover(null)).invocationId);
  });

  it("AS-ADAPTER-005 AS-META-001 shows less of its part of the surface if asked to, and never more", async () => {
    const types = async (scope: string[]) =>
      found(await verbs(two(), { scope: ["devices"] }).discover({ scope })).components.map(
        ({ type }) => type,
      );
    expect(await types([])).toEqual(["devices.table"]);
    expect(await types(["devices.table"])).toEqual(["devices.table"]);
    expect(await types(["devices", "admin"])).toEqual(["devices.table"]);
  });

  it("AS-META-002 AS-META-006 shows nothing of what it may not, and says which", async () => {
    const { discover } = verbs(two(), { scope: ["devices"], budget: { maxComponents: 1 } });
    const refused = found(await discover({ scope: ["admin", "admin"] }));
    expect(refused).toMatchObject({ components: [], procedures: [], scopeRejected: { prefixes: ["admin"] } });
    expect(refused).not.toHaveProperty("truncated");
    expect(found(await discover({}))).not.toHaveProperty("scopeRejected");
  });

  it("AS-META-003 says how much a budget has cut", async () => {
    const { discover } = verbs(two(), { budget: { maxComponents: 1 } });
    expect(found(await discover({}))).toMatchObject({
      components: [{ type: "admin" }],
      truncated: { droppedComponents: 1 },
    });
  });
});

describe("surface_read and surface_act", () => {
  it("AS-ADAPTER-004 find what is meant, or tell as any invocation does why not", async () => {
    const definitions = ["a", "b"].map((instanceId) =>
      screen({ instanceId, observations: { value: number(() => instanceId.charCodeAt(0)) } }),
    );
    const registry = open(definitions);
    const handles = definitions.map((definition) => registry.register(definition));
    const { read, act } = verbs(registry);
    const capabilityId = "view:screen.value";
    expect(codeOf(await read({ capabilityId, instanceId: "b" }))).toEqual({ output: 98 });
    expect(codeOf(await read({ capabilityId }))).toBe("AMBIGUOUS_INSTANCE");
    expect(codeOf(await read({ capabilityId: "view:screen.nothing" }))).toBe("CAPABILITY_NOT_FOUND");
    expect(codeOf(await act({ capabilityId: "nonsense" }))).toBe("CAPABILITY_NOT_FOUND");
    for (const handle of handles) handle.unregister();
    expect(codeOf(await read({ capabilityId, instanceId: "a" }))).toBe("COMPONENT_UNMOUNTED");
  });

  it("AS-META-004 ask for the user's approval, and mind what has changed, as direct tools do", async () => {
    const { registry, calls, handle } = mountProcedure(procedure("destructive"));
    const { act } = verbs(registry);
    const capabilityId = "domain:devices.disable";
    const stale = await act({ capabilityId, input: {}, surfaceVersion: "0" });
    expect(detailsOf(stale)).toEqual({ reason: "surface-version-mismatch" });
    const asked = await act({ capabilityId, input: {} }, "call_1");
    const confirmationId = confirmationOf(asked);
    registry.confirmations.resolve(confirmationId, { approved: true });
    expect((await act({ capabilityId, input: {}, invocationId: "call_1", confirmationId })).status).toBe(
      "ok",
    );
    expect(calls).toEqual([{ ids: ["d1"] }]);
    handle.unregister();
    expect(codeOf(await act({ capabilityId }))).toBe("COMPONENT_UNMOUNTED");
  });

  it("AS-META-007 refuse arguments that are not theirs, and say which", async () => {
    const execute = vi.fn<() => void>();
    const { registry } = mount({ actions: { run: echo(execute) } });
    const { act, read, discover } = verbs(registry);
    const capabilityId = "view:screen.run";
    for (const [call, path] of [
      [act({}), "capabilityId"],
      [act({ capabilityId: "" }), "capabilityId"],
      [act({ capabilityId, ids: ["d1"] }), "ids"],
      [read({ capabilityId, input: {} }), "input"],
      [discover({ scope: "devices" }), "scope"],
      [discover([]), ""],
    ] as const) {
      const refused = await call;
      expect(codeOf(refused)).toBe("INVALID_INPUT");
      expect(detailsOf(refused)["issues"]).toMatchObject([{ path }]);
    }
    expect(await act({ capabilityId, ids: [] }, "call_1")).toMatchObject({
      capabilityId,
      invocationId: "call_1",
    });
    expect(await act({})).toMatchObject({ capabilityId: "meta:surface.act" });
    expect(execute).not.toHaveBeenCalled();
  });

  it("AS-META-008 take an input that came as text, where an object is wanted", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const { registry } = mount(
      { actions: { any: echo(), run: button(() => undefined) } },
      { environment: "development", audit: { record: () => undefined } },
    );
    const { act } = verbs(registry);
    expect((await act({ capabilityId: "view:screen.run", input: "{}" })).status).toBe("ok");
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("came as a JSON-encoded string"));
    expect(codeOf(await act({ capabilityId: "view:screen.any", input: "{}" }))).toEqual({ output: "{}" });
    expect(codeOf(await act({ capabilityId: "view:screen.run", input: "not JSON" }))).toBe("INVALID_INPUT");
    warn.mockRestore();
  });

  it("are told that the surface is closed", async () => {
    const registry = two();
    const { act, discover } = verbs(registry);
    registry.dispose();
    for (const result of [await discover({}), await act({ capabilityId: "view:admin.run" })]) {
      expect(codeOf(result)).toBe("CANCELLED");
    }
  });
});
