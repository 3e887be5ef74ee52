/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { describe, expect, it, vi } from "vitest";
import {
  AgentSurfaceError,
  createAgentToolset,
  decodeWireName,
  encodeWireName,
  type AgentConsumer,
  type AgentSurfaceRegistry,
  type AgentTool,
  type AgentToolsetOptions,
} from "@agent-surface/core";
import {
  button,
  codeOf,
  confirmationOf,
  deferred,
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

const toolset = (registry: AgentSurfaceRegistry, options: Partial<AgentToolsetOptions> = {}) =>
  createAgentToolset(registry, { consumer, topology: "remote", ...options });

const names = (tools: AgentTool[]) => tools.map(({ name }) => name);

describe("a toolset", () => {
  it("AS-TOPO-001 has to know where its loop runs", () => {
    const { registry } = mount({});
    expect(() => createAgentToolset(registry, { consumer })).toThrow("topology");
  });

  it("has no budget in direct mode, which would leave tools out in silence", () => {
    expect(() => toolset(mount({}).registry, { budget: { maxComponents: 1 } })).toThrow("in silence");
  });

  it("AS-AUTHORITY-004 is of a genuine registry", () => {
    const { registry } = mount({});
    expect(() => toolset({ ...registry })).toThrow("createAgentSurfaceRegistry");
  });

  it("AS-ADAPTER-001 has a tool for each capability, which says what does not change", () => {
    const { registry } = mountProcedure(procedure("destructive"));
    const view = mount({
      observations: { value: number() },
      actions: { run: button(undefined, { confirmation: "required" }) },
    });
    expect(toolset(view.registry).tools()).toEqual([
      {
        name: "view_screen__value",
        description: "[view · read] A number",
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        state: { available: true },
        execute: expect.any(Function),
      },
      {
        name: "view_screen__run",
        description: "[view · local-state · requires confirmation] A button",
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        state: { available: true },
        execute: expect.any(Function),
      },
    ]);
    expect(toolset(registry).tools()[0]).toMatchObject({
      name: "domain_devices__disable",
      description: "[domain · destructive · requires confirmation] Disable devices",
      inputSchema: { properties: { reason: { type: "string" } } },
    });
  });

  it("AS-CACHE-001 AS-CACHE-002 AS-CACHE-003 keeps what changes out of what a provider caches", () => {
    let isReady = true;
    let note = "one";
    const { registry, handle } = mountProcedure(
      procedure("server-query", {
        bind: () => ({ ids: ["d1"] }),
        when: () => isReady,
        unavailableReason: "nothing selected",
        describe: () => note,
      }),
    );
    const tools = toolset(registry);
    const block = () =>
      JSON.stringify(
        tools.tools().map(({ name, description, inputSchema }) => [name, description, inputSchema]),
      );
    const before = block();
    expect(tools.tools()[0]?.state).toEqual({ available: true, note: "one" });
    isReady = false;
    note = "two";
    handle.invalidate();
    expect(tools.tools()[0]?.state).toEqual({
      available: false,
      unavailableReason: "nothing selected",
      note: "two",
    });
    expect(block()).toBe(before);
  });

  it("tells instances apart", async () => {
    const definitions = ["main", "side"].map((instanceId) =>
      screen({ instanceId, observations: { value: number(() => instanceId.length) } }),
    );
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    const tools = toolset(registry);
    expect(names(tools.tools())).toEqual(["view_screen__value_at_main", "view_screen__value_at_side"]);
    expect([...tools.wireNameMap().values()]).toEqual(["view:screen.value", "view:screen.value"]);
    expect(codeOf(await the(tools.tools()[1]).execute({}, {}))).toEqual({ output: 4 });
  });

  it("AS-WIRE-005 AS-WIRE-006 names everything within a provider's bounds, alike at any time, and each its own", () => {
    const definitions = [
      screen({ type: `a${".bcdefgh".repeat(8)}`, actions: { run: button(), go: button() } }),
      screen({ actions: { run: button() } }),
    ];
    const namesOf = (order: typeof definitions) => {
      const registry = open(definitions);
      for (const definition of order) registry.register(definition);
      return [...toolset(registry).wireNameMap()].toSorted(([a], [b]) => (a < b ? -1 : 1));
    };
    const map = namesOf(definitions);
    expect(namesOf(definitions.toReversed())).toEqual(map);
    for (const [name, capabilityId] of map) {
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect([capabilityId, undefined]).toContain(decodeWireName(name));
    }
    expect(new Set(map.map(([name]) => name)).size).toBe(3);
  });

  it("AS-WIRE-007 reads a name back if it is faithful, and otherwise not at all", () => {
    expect(decodeWireName(encodeWireName("view:devices.table.selectRows"))).toBe(
      "view:devices.table.selectRows",
    );
    expect(decodeWireName("view_screen__value_at_main")).toBeUndefined();
    expect(decodeWireName(encodeWireName(`domain:${"x".repeat(99)}`))).toBeUndefined();
  });

  it("has the part of the surface that it is given", () => {
    const definitions = ["devices.table", "admin"].map((type) =>
      screen({ type, actions: { run: button() } }),
    );
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    expect(names(toolset(registry, { scope: ["devices"] }).tools())).toEqual(["view_devices__table__run"]);
  });

  it("is the same list as long as the surface is the same, and a new one with a new version", () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const tools = toolset(registry);
    const list = tools.tools();
    expect(tools.tools()).toBe(list);
    handle.invalidate();
    expect(tools.tools()).not.toBe(list);
    handle.unregister();
    expect(tools.tools()).toEqual([]);
    registry.dispose();
    expect(tools.tools()).toEqual([]);
  });

  it("tells when another catalogue is there, be it only in a state, and only then", async () => {
    const { registry, handle, definition } = mount({ actions: { run: button() } });
    const tools = toolset(registry);
    tools.tools();
    await Promise.resolve();
    const listener = vi.fn<(tools: AgentTool[]) => void>();
    tools.subscribe(() => {
      throw new Error("no");
    });
    const leave = tools.subscribe(listener);
    handle.invalidate();
    await Promise.resolve();
    expect(listener).not.toHaveBeenCalled();
    handle.update({ availability: { run: { available: false, reason: "busy" } } });
    await Promise.resolve();
    expect(listener.mock.calls[0]?.[0][0]?.state).toEqual({ available: false, unavailableReason: "busy" });
    handle.unregister();
    registry.register(definition);
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(2);
    leave();
    tools.dispose();
    handle.invalidate();
    await Promise.resolve();
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe("a tool", () => {
  it("AS-ADAPTER-002 calls its capability under the provider's own id, and gives the result as it is", async () => {
    const { registry } = mount({ actions: { run: echo() } });
    const [tool] = toolset(registry).tools();
    const result = await the(tool).execute({ a: 1 }, { toolCallId: "call_1" });
    expect(result).toMatchObject({ status: "ok", invocationId: "call_1", output: { a: 1 } });
    expect(codeOf(await the(tool).execute({ a: 2 }, { toolCallId: "call_1" }))).toBe("INVOCATION_CONFLICT");
    const direct = await registry.invoke(
      { capabilityId: "view:screen.nothing", invocationId: "x" },
      { consumer },
    );
    expect(direct.status).toBe("error");
  });

  it("of a registration that is gone finds it gone, whatever stands there now", async () => {
    const { registry, handle, definition } = mount({ actions: { run: button() } });
    const [tool] = toolset(registry).tools();
    handle.unregister();
    expect(codeOf(await the(tool).execute({}, {}))).toBe("COMPONENT_UNMOUNTED");
    registry.register(definition);
    expect(detailsOf(await the(tool).execute({}, { toolCallId: "again" }))).toMatchObject({
      reason: "registration-replaced",
    });
  });

  it("AS-STALE-002 of a surface that has changed refuses what can't be taken back", async () => {
    const { registry, handle } = mountProcedure(procedure("destructive"));
    const [tool] = toolset(registry).tools();
    handle.invalidate();
    expect(detailsOf(await the(tool).execute({}, {}))).toEqual({ reason: "surface-version-mismatch" });
  });

  it("never throws", async () => {
    const { registry } = mount({ actions: { run: echo(() => 1n) } });
    const [tool] = toolset(registry).tools();
    expect(codeOf(await the(tool).execute({}, {}))).toBe("EXECUTION_FAILED");
    expect(codeOf(await the(tool).execute(1n as never, {}))).toBe("INVALID_INPUT");
    registry.dispose();
    expect(await the(tool).execute({}, { toolCallId: "late" })).toMatchObject({
      invocationId: "late",
      error: { code: "CANCELLED" },
    });
  });
});

describe("a call that the user has to approve", () => {
  const destructive = () => mountProcedure(procedure("destructive"));
  const pendingId = (registry: AgentSurfaceRegistry) =>
    registry.confirmations.pending()[0]?.confirmationId ?? "";

  it.each<Partial<AgentToolsetOptions>>([
    { topology: "embedded" },
    { topology: "remote", confirmations: "wait" },
    { confirmations: "wait" },
  ])("AS-TOPO-002 waits for the user where that can be done: %o", async (options) => {
    const { registry, calls } = destructive();
    const [tool] = createAgentToolset(registry, { consumer, ...options }).tools();
    const call = the(tool).execute({}, { toolCallId: "call_1" });
    await Promise.resolve();
    registry.confirmations.resolve(pendingId(registry), { approved: true });
    expect(await call).toMatchObject({ status: "ok", invocationId: "call_1" });
    expect(calls).toHaveLength(1);
  });

  it.each<Partial<AgentToolsetOptions>>([
    { topology: "remote" },
    { topology: "embedded", confirmations: "two-phase" },
  ])("AS-TOPO-002 asks the model where the user can't be waited for: %o", async (options) => {
    const [tool] = createAgentToolset(destructive().registry, { consumer, ...options }).tools();
    expect(codeOf(await the(tool).execute({}, {}))).toBe("CONFIRMATION_REQUIRED");
  });

  it("goes on with the confirmation that the model was told of, once the user has given it", async () => {
    const { registry, calls } = destructive();
    const [tool] = toolset(registry, { topology: "remote" }).tools();
    const asked = await the(tool).execute({}, { toolCallId: "call_1" });
    const call = { toolCallId: asked.invocationId, confirmationId: confirmationOf(asked) };
    expect(codeOf(await the(tool).execute({}, call))).toBe("CONFIRMATION_REQUIRED");
    registry.confirmations.resolve(pendingId(registry), { approved: true });
    expect(await the(tool).execute({}, call)).toMatchObject({ status: "ok", invocationId: "call_1" });
    expect(calls).toHaveLength(1);
  });

  it("is given up with its signal, while it runs and while its user is waited for", async () => {
    const started = deferred();
    const slow = button(() => {
      started.resolve();
      return new Promise(() => undefined);
    });
    const waiting = button(undefined, { confirmation: "required" });
    const { registry } = mount({ actions: { slow, waiting } });
    const tools = toolset(registry, { topology: "embedded" }).tools();
    const giveUp = new AbortController();
    const results = tools.map((tool) => tool.execute({}, { signal: giveUp.signal }));
    await started.promise;
    giveUp.abort();
    expect((await Promise.all(results)).map(codeOf)).toEqual(["CANCELLED", "CONFIRMATION_REQUIRED"]);
  });

  it("is not waited for where the server is who wants it, and the server is called once", async () => {
    const { registry } = mountProcedure(procedure("server-mutation"));
    let calls = 0;
    registry.setProcedureExecutor({
      execute() {
        calls += 1;
        throw new AgentSurfaceError({
          code: "CONFIRMATION_REQUIRED",
          message: "The server wants an approval.",
          retry: "with-confirmation",
          details: { origin: "server", confirmationId: "apr_1" },
        });
      },
    });
    const [tool] = toolset(registry, { topology: "embedded" }).tools();
    expect(detailsOf(await the(tool).execute({}, {}))).toMatchObject({ origin: "server" });
    expect(calls).toBe(1);
  });

  it("is told that the user said no", async () => {
    const { registry, calls } = destructive();
    const [tool] = toolset(registry, { topology: "embedded" }).tools();
    const call = the(tool).execute({}, {});
    await Promise.resolve();
    registry.confirmations.resolve(pendingId(registry), { approved: false });
    expect(detailsOf(await call)).toEqual({ reason: "denied" });
    expect(calls).toEqual([]);
  });

  it("AS-TOPO-003 is not waited for any longer once the toolset is disposed", async () => {
    const { registry } = destructive();
    const tools = toolset(registry, { topology: "embedded" });
    const call = the(tools.tools()[0]).execute({}, {});
    await Promise.resolve();
    tools.dispose();
    expect(codeOf(await call)).toBe("CONFIRMATION_REQUIRED");
    expect(codeOf(await the(tools.tools()[0]).execute({}, {}))).toBe("CONFIRMATION_REQUIRED");
  });

  it("expires with the surface", async () => {
    const { registry } = destructive();
    const call = the(toolset(registry, { topology: "embedded" }).tools()[0]).execute({}, {});
    await Promise.resolve();
    registry.dispose();
    expect(codeOf(await call)).toBe("CANCELLED");
  });
});
