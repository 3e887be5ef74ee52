/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { describe, expect, it, vi } from "vitest";
import {
  AgentSurfaceDefinitionError,
  assertDefinitionAuthorized,
  createAgentSurfaceRegistry,
  type AgentComponentDefinition,
  type CapabilityAuthority,
} from "@agent-surface/core";
import { mark, prove } from "./support/prove.js";
import { button, codeOf, mount, number, open, procedure, record, screen, the } from "./support/surface.js";

const code = (value: string) => expect.objectContaining({ code: value });

describe("a registry", () => {
  it("AS-AUTHORITY-001 is made of a genuine authority only", () => {
    const { manifest } = prove(screen());
    expect(() => createAgentSurfaceRegistry()).toThrow("virtual:agent-surface-contract");
    for (const fake of [{ manifest }, Object.create(prove(screen())), new Proxy(prove(screen()), {})]) {
      const attempt = () => createAgentSurfaceRegistry({ authority: fake as CapabilityAuthority });
      expect(attempt).toThrow("invalid capability authority");
    }
  });

  it("has an id that no other has, and starts at version 0", () => {
    const authority = prove(screen());
    const ids = Array.from({ length: 3 }, () => createAgentSurfaceRegistry({ authority }).surfaceId);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^srf_[0-9A-Za-z]{22}$/);
    expect(createAgentSurfaceRegistry({ authority }).getVersion()).toBe("0");
  });

  it("can't be given methods of another's", () => {
    expect(Object.isFrozen(open([]))).toBe(true);
  });

  it("knows its limits by name", () => {
    const limits = { maxOutputByte: 1 } as object;
    expect(() => open([], { limits })).toThrow('there is no limit "maxOutputByte"');
  });
});

describe("a component", () => {
  it("is registered, and is there until it is unregistered", () => {
    const { registry, handle } = mount({ observations: { value: number() } });
    expect(handle.registrationId).toMatch(/^reg_/);
    expect(handle.status).toBe("active");
    expect(registry.getVersion()).toBe("1");
    expect(registry.snapshot().components).toHaveLength(1);
    handle.unregister();
    expect(handle.status).toBe("unregistered");
    expect(registry.getVersion()).toBe("2");
    expect(registry.snapshot().components).toHaveLength(0);
    handle.unregister();
    expect(registry.getVersion()).toBe("2");
  });

  it("AS-CONTRACT-001 is refused without a proof of this authority's", () => {
    const [known, foreign] = [screen({ actions: { run: button() } }), screen({ actions: { run: button() } })];
    const registry = open([known]);
    prove(foreign, screen({ type: "other", actions: { run: button() } }));
    expect(() => registry.register(screen())).toThrow("was not bound from a compiled contract");
    expect(() => registry.register({ ...known })).toThrow("was not bound from a compiled contract");
    expect(() => registry.register(foreign)).toThrow("was compiled into manifest");
    expect(registry.register(known).status).toBe("active");
  });

  it("AS-CONTRACT-001 can be held against an authority without a registry", () => {
    const definition = screen({ actions: { run: button() } });
    const authority = prove(definition);
    expect(() => assertDefinitionAuthorized(definition, authority)).not.toThrow();
    expect(() => assertDefinitionAuthorized({ ...definition }, authority)).toThrow("was not bound");
    expect(() =>
      assertDefinitionAuthorized(definition, prove(screen({ actions: { run: button() } }))),
    ).not.toThrow();
    const other = prove(screen({ actions: { go: button() } }));
    expect(() => assertDefinitionAuthorized(definition, other)).toThrow("was compiled into manifest");
  });

  it("AS-AUTHORITY-002 proves nothing by what it says of itself", () => {
    const registry = open([screen()]);
    const forged = { ...screen(), proof: {}, kind: "agent-component-contract", manifestHash: "x" };
    expect(() => registry.register(forged)).toThrow(AgentSurfaceDefinitionError);
    expect(() => registry.register(mark(screen(), { manifestHash: 5 }))).toThrow("was not bound");
  });

  it.each<[string, (definition: AgentComponentDefinition) => void, string]>([
    ["the description", (it) => (the(it.actions?.["run"]).description = "Other"), "description"],
    ["the effect", (it) => (the(it.actions?.["run"]).effect = "navigation"), "effect"],
    ["the schema", (it) => (the(it.actions?.["run"]).input = number().output as never), "inputSchema"],
    ["the capabilities", (it) => Object.assign(the(it.actions), { more: button() }), "does not have"],
    ["what is left out", (it) => delete it.observations, "leaves out"],
  ])("AS-CONTRACT-002 is refused if %s differs from what was proven", (_, change, message) => {
    const definition = screen({ observations: { value: number() }, actions: { run: button() } });
    const registry = open([definition]);
    change(definition);
    expect(() => registry.register(definition)).toThrow(message);
  });

  it.each<[string, object, string]>([
    ["a member that means nothing", { visible: true }, "INVALID_DEFINITION"],
    ["a type that is no string", { type: 5 }, "INVALID_ID"],
    ["a type against the grammar", { type: "Screen" }, "INVALID_ID"],
    ["an instance against the grammar", { instanceId: "a b" }, "INVALID_ID"],
    ["no description", { description: " " }, "INVALID_DEFINITION"],
    ["a description that is too long", { description: "x".repeat(501) }, "LIMIT_EXCEEDED"],
    ["a meta that is no JSON", { meta: { at: new Date(0) } }, "INVALID_DEFINITION"],
    ["a meta that is too large", { meta: { text: "x".repeat(2048) } }, "LIMIT_EXCEEDED"],
    ["a parent against the grammar", { parent: { type: "A" } }, "INVALID_DEFINITION"],
    ["a priority that is no number", { priority: "high" }, "INVALID_DEFINITION"],
    [
      "an observation without a handler",
      { observations: { value: { ...number(), read: 1 } } },
      "INVALID_DEFINITION",
    ],
    [
      "an observation without a schema",
      { observations: { value: { ...number(), output: {} } } },
      "INVALID_DEFINITION",
    ],
    [
      "an action without a handler",
      { actions: { run: { ...button(), execute: null } } },
      "INVALID_DEFINITION",
    ],
    [
      "an effect of the server's",
      { actions: { run: { ...button(), effect: "destructive" } } },
      "PLANE_VIOLATION",
    ],
    [
      "an effect that there is not",
      { actions: { run: { ...button(), effect: "magic" } } },
      "INVALID_DEFINITION",
    ],
    [
      "one name twice",
      { observations: { run: number() }, actions: { run: button() } },
      "DUPLICATE_CAPABILITY",
    ],
    [
      "unbounded parallelism",
      { actions: { run: { ...button(), concurrency: { mode: "parallel" } } } },
      "INVALID_DEFINITION",
    ],
  ])("AS-LIFE-002 is an error of the app's in every environment: %s", (_, members, expected) => {
    for (const environment of ["development", "production", "test"] as const) {
      const definition = screen();
      const registry = open([definition], { environment, audit: { record: () => undefined } });
      Object.assign(definition, members);
      expect(() => registry.register(definition)).toThrow(code(expected));
      registry.dispose();
    }
  });

  it("AS-LIFE-002 is an error of the app's if it refers to a procedure that nobody executes", () => {
    const definition = screen({ procedures: [procedure("server-query")] });
    expect(() => open([definition]).register(definition)).toThrow(code("PLANE_VIOLATION"));
  });

  it("AS-SCHEMA-001 is an error of the app's if a schema leaves the subset", () => {
    for (const jsonSchema of [
      { oneOf: [] },
      { type: "object", patternProperties: {} },
      { $ref: "https://example.com/schema" },
      { description: "x".repeat(16_384) },
    ]) {
      const definition = screen({
        observations: { value: { ...number(), output: { jsonSchema, parse: (value: unknown) => value } } },
      });
      expect(() => open([definition]).register(definition)).toThrow(code("UNSUPPORTED_SCHEMA"));
    }
  });

  it("pushes what changed, and only that makes another version", () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    handle.update({ enabled: true });
    expect(registry.getVersion()).toBe("1");
    handle.update({ enabled: false });
    expect(registry.getVersion()).toBe("2");
    expect(registry.snapshot().components[0]?.actions[0]).toMatchObject({
      available: false,
      unavailableReason: "component-disabled",
    });
    handle.update({ enabled: true, availability: { run: { available: false, reason: "busy" } } });
    expect(registry.snapshot().components[0]?.actions[0]).toMatchObject({ unavailableReason: "busy" });
    handle.invalidate();
    expect(registry.getVersion()).toBe("4");
  });

  it("is told in development, and only there, that its registration is over", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    for (const environment of ["production", "test", "development"] as const) {
      const { handle } = mount({}, { environment, audit: { record: () => undefined } });
      handle.unregister();
      handle.update({ enabled: false });
    }
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('"screen" was used after its end'));
    warn.mockRestore();
  });
});

describe("a second component at one place", () => {
  it("AS-LIFE-001 is rejected, and the first one stays", () => {
    const { registry, definition, handle } = mount({ actions: { run: button() } });
    const events = record(registry);
    const second = registry.register(definition);
    expect([handle.status, second.status]).toEqual(["active", "rejected"]);
    expect(second.registrationId).not.toBe(handle.registrationId);
    expect(events).toEqual([
      { type: "component-rejected", componentType: "screen", instanceId: "default", reason: "duplicate" },
    ]);
    second.update({ enabled: false });
    second.invalidate();
    second.unregister();
    expect(registry.getVersion()).toBe("1");
  });

  it("takes the place of the first where that is wanted", async () => {
    const { registry, definition, handle } = mount(
      { actions: { run: button(() => new Promise(() => undefined)) } },
      { onDuplicateInstance: "replace" },
    );
    const running = registry.invoke({ capabilityId: "view:screen.run", input: {} });
    const second = registry.register(definition);
    expect([handle.status, second.status]).toEqual(["unregistered", "active"]);
    expect(codeOf(await running)).toBe("COMPONENT_UNMOUNTED");
    handle.unregister();
    expect(second.status).toBe("active");
  });

  it("has a place of its own if it is another instance", () => {
    const [a, b] = [screen({ instanceId: "a" }), screen({ instanceId: "b" })];
    const registry = open([a, b]);
    expect([registry.register(a).status, registry.register(b).status]).toEqual(["active", "active"]);
  });
});

describe("a guard", () => {
  it("sees what wants to be registered, and may reject it", () => {
    const definition = screen({ origin: "plugin" });
    const onRegister = vi.fn<(candidate: { definition: AgentComponentDefinition }) => "reject">(
      () => "reject",
    );
    const registry = open([definition], { onRegister });
    const events = record(registry);
    expect(registry.register(definition).status).toBe("rejected");
    expect(onRegister).toHaveBeenCalledExactlyOnceWith({ definition });
    expect(events).toMatchObject([{ type: "component-rejected", reason: "guard" }]);
  });

  it("rejects if it throws", () => {
    const definition = screen();
    const onRegister = () => {
      throw new Error("no");
    };
    expect(open([definition], { onRegister }).register(definition).status).toBe("rejected");
  });

  it("is told where the registration comes from, in development", () => {
    const definition = screen();
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const onRegister = vi.fn<(candidate: { stack?: string }) => "accept">(() => "accept");
    open([definition], { environment: "development", onRegister }).register(definition);
    expect(onRegister.mock.calls[0]?.[0].stack).toContain("registry.test.ts");
    vi.restoreAllMocks();
  });
});

describe("a capability of the view that has the name of a procedure", () => {
  const definition = () => screen({ type: "devices", actions: { disable: button() } });
  const executor = { paths: ["devices.disable"], execute: async () => null };

  it("is suspected, which listeners are told", () => {
    const component = definition();
    const registry = open([component]);
    registry.setProcedureExecutor(executor);
    const events = record(registry);
    registry.register(component);
    expect(events[0]).toEqual({
      type: "collision-suspected",
      viewCapabilityId: "view:devices.disable",
      domainProcedureId: "domain:devices.disable",
    });
  });

  it("is an error, or nothing at all, where that is wanted", () => {
    const [refused, ignored] = [definition(), definition()];
    const strict = open([refused], { duplicateSuffixPolicy: "error" });
    strict.setProcedureExecutor(executor);
    expect(() => strict.register(refused)).toThrow(code("PLANE_VIOLATION"));
    const careless = open([ignored], { duplicateSuffixPolicy: "off" });
    careless.setProcedureExecutor(executor);
    const events = record(careless);
    careless.register(ignored);
    expect(events.map(({ type }) => type)).not.toContain("collision-suspected");
  });
});

describe("disposal", () => {
  it("answers what runs, ends what is registered, and lets nobody in any more", async () => {
    const { registry, definition, handle } = mount({
      actions: { run: button(() => new Promise(() => undefined)) },
    });
    const running = registry.invoke({ capabilityId: "view:screen.run", input: {} });
    const queued = registry.invoke({ capabilityId: "view:screen.run", input: {} });
    registry.dispose();
    registry.dispose();
    for (const result of [await running, await queued]) {
      expect(result).toMatchObject({ status: "error", error: { code: "CANCELLED", retry: "no" } });
    }
    expect(handle.status).toBe("unregistered");
    expect(() => registry.register(definition)).toThrow("disposed");
    expect(() => registry.snapshot()).toThrow("disposed");
    await expect(registry.invoke({ capabilityId: "view:screen.run", input: {} })).rejects.toThrow("disposed");
  });

  it("leaves what can be asked of the past", () => {
    const { registry, handle } = mount({});
    registry.dispose();
    expect(registry.getVersion()).toBe("1");
    expect(registry.surfaceId).toMatch(/^srf_/);
    expect(handle.registrationId).toMatch(/^reg_/);
    expect(registry.confirmations.pending()).toEqual([]);
    handle.update({ enabled: false });
    handle.unregister();
    registry.setProcedureExecutor(undefined);
    registry.subscribe(() => undefined)();
  });

  it("tells listeners what it ends, and then lets them go", async () => {
    const { registry, handle } = mount({ actions: { run: button(() => new Promise(() => undefined)) } });
    const events = record(registry);
    void registry.invoke({ capabilityId: "view:screen.run", input: {} });
    registry.dispose();
    handle.invalidate();
    await Promise.resolve();
    expect(events.map(({ type }) => type)).toEqual(["invocation-started", "invocation-settled"]);
  });
});
