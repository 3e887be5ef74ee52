/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { createWebMcpAdapter } from "@agent-surface/webmcp";
import { describe, expect, it, vi } from "vitest";
import {
  button,
  mount,
  mountProcedure,
  number,
  open,
  procedure,
  screen,
} from "../../core/test/support/surface.js";
import { Browser, read, soon } from "./support/browser.js";
import { consumer, offer } from "./support/offer.js";

describe("what a browser is offered", () => {
  it("AS-ADAPTER-003 is a tool for each capability, named, titled, described and annotated by its contract", async () => {
    const { registry } = mount({
      observations: { value: number() },
      actions: { turnOff: button(undefined, { confirmation: "required" }) },
    });
    const { browser, adapter } = await offer(registry);
    expect(browser.names).toEqual(["view_screen__value", "view_screen__turnOff"]);
    expect(browser.tool("view_screen__value")).toMatchObject({
      title: "Value",
      description: "[view · read] A number",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, consequentialHint: false, untrustedContentHint: false },
    });
    expect(browser.tool("view_screen__turnOff")).toMatchObject({
      title: "Turn off",
      description: "[view · local-state · requires confirmation] A button",
      annotations: { readOnlyHint: false, consequentialHint: false },
    });
    expect(adapter.status()).toEqual({ state: "running", tools: browser.names, problems: [] });
  });

  it.each([
    ["server-query", true, false],
    ["server-mutation", false, false],
    ["external-side-effect", false, true],
    ["destructive", false, true],
  ] as const)("hints at what %s does", async (effect, readOnlyHint, consequentialHint) => {
    const { browser } = await offer(mountProcedure(procedure(effect)).registry);
    const tool = browser.tool("domain_devices__disable");
    expect(tool.annotations).toMatchObject({ readOnlyHint, consequentialHint });
    expect(tool.title).toBe("Disable");
  });

  it("tells instances apart, and calls the one that is meant", async () => {
    const definitions = ["main", "side"].map((instanceId) =>
      screen({ instanceId, observations: { value: number(() => instanceId.length) } }),
    );
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    const { browser } = await offer(registry);
    expect(browser.names).toEqual(["view_screen__value_at_main", "view_screen__value_at_side"]);
    expect(browser.tool("view_screen__value_at_side").title).toBe("Value (side)");
    expect(read(await browser.call("view_screen__value_at_side"))).toEqual({ output: 4 });
  });

  it("is the scope it is given, by itself or by its host", async () => {
    const definitions = ["devices.table", "admin"].map((type) =>
      screen({ type, actions: { run: button() } }),
    );
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    const { browser } = await offer(registry, { snapshotContext: { scope: ["devices"] } });
    expect(browser.names).toEqual(["view_devices__table__run"]);
    const other = new Browser();
    const adapter = createWebMcpAdapter({ modelContext: other });
    await adapter.start({ registry, consumer, snapshotContext: { scope: ["admin"] } });
    expect(other.names).toEqual(["view_admin__run"]);
  });

  it("says what a budget leaves out", async () => {
    const definitions = ["a", "b"].map((type) => screen({ type, observations: { value: number() } }));
    const registry = open(definitions);
    for (const definition of definitions) registry.register(definition);
    const budget = { maxComponents: 1 };
    const { browser, problems, adapter } = await offer(registry, { snapshotContext: { budget } });
    expect(browser.names).toEqual(["view_a__value"]);
    expect(problems).toMatchObject([{ reason: "truncated" }]);
    expect(adapter.status()).toMatchObject({ problems });
  });

  it("AS-AUTHORITY-004 is curated in how it looks, never in what it does", async () => {
    const execute = vi.fn<() => void>();
    const rogue = vi.fn<() => void>();
    const { registry } = mount({ observations: { value: number() }, actions: { run: button(execute) } });
    const { browser } = await offer(registry, {
      exposeCapability: (descriptor) => {
        if ("name" in descriptor && descriptor.name === "value") return null;
        const exposedTo = ["https://partner.example"];
        const curated = { description: "Do it", title: "Go", untrustedContent: true, exposedTo };
        return { ...curated, execute: rogue } as never;
      },
    });
    expect(browser.names).toEqual(["view_screen__run"]);
    const tool = browser.tool("view_screen__run");
    expect(tool).toMatchObject({ description: "Do it", title: "Go", exposedTo: ["https://partner.example"] });
    expect(tool.annotations.untrustedContentHint).toBe(true);
    await browser.call("view_screen__run");
    expect([execute.mock.calls.length, rogue.mock.calls.length]).toEqual([1, 0]);
  });

  it("leaves out what its curation threw on, and says so once", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const { browser, problems } = await offer(registry, {
      exposeCapability: () => {
        throw new Error("who knows");
      },
    });
    handle.invalidate();
    await soon();
    expect(browser.names).toEqual([]);
    expect(problems).toMatchObject([{ reason: "curation-failed", tool: "view_screen__run" }]);
  });

  it("is shown to the origins that the adapter names", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { browser } = await offer(registry, { exposedTo: ["https://partner.example"] });
    expect(browser.tool("view_screen__run").exposedTo).toEqual(["https://partner.example"]);
  });
});

describe("as the surface changes", () => {
  it("registers what came and takes back what went, and leaves everything else alone", async () => {
    const other = screen({ type: "other", observations: { value: number() } });
    const definition = screen({ observations: { value: number() }, actions: { run: button() } });
    const registry = open([definition, other]);
    registry.register(definition);
    const { browser } = await offer(registry);
    browser.log();
    const handle = registry.register(other);
    await soon();
    expect(browser.log()).toEqual(["+view_other__value"]);
    handle.unregister();
    await soon();
    expect(browser.log()).toEqual(["-view_other__value"]);
  });

  it("touches nothing when a component is mounted again as it was, and calls the new one", async () => {
    let value = 1;
    const definition = screen({ observations: { value: number(() => value) } });
    const registry = open([definition]);
    const handle = registry.register(definition);
    const { browser } = await offer(registry);
    browser.log();
    handle.unregister();
    registry.register(definition);
    value = 2;
    await soon();
    expect(browser.log()).toEqual([]);
    expect(read(await browser.call("view_screen__value"))).toEqual({ output: 2 });
  });

  it("takes back what can't be used, and brings it back", async () => {
    const { registry, handle } = mount({ actions: { run: button(), stop: button() } });
    const { browser } = await offer(registry);
    browser.log();
    handle.update({ availability: { run: { available: false, reason: "Not now" } } });
    await soon();
    handle.update({ availability: { run: { available: true } } });
    await soon();
    expect(browser.log()).toEqual(["-view_screen__run", "+view_screen__run"]);
  });

  it("keeps what can't be used where the app says so, and refuses calls of it with the reason", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const { browser } = await offer(registry, { snapshotContext: { includeUnavailable: true } });
    browser.log();
    handle.update({ availability: { run: { available: false, reason: "Not now" } } });
    await soon();
    expect(browser.log()).toEqual([]);
    expect(read(await browser.call("view_screen__run"))).toMatchObject({
      code: "CAPABILITY_NOT_AVAILABLE",
      details: { reason: "Not now" },
    });
  });

  it("registers again under one name what changed in what agents are told", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    let description = "One";
    const { browser } = await offer(registry, { exposeCapability: () => ({ description }) });
    browser.log();
    description = "Two";
    handle.invalidate();
    await soon();
    expect(browser.log()).toEqual(["-view_screen__run", "+view_screen__run"]);
    expect(browser.tool("view_screen__run").description).toBe("Two");
  });

  it("does not let a late rejection of an old registration take the new one for failed", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    let description = "One";
    const { adapter, browser, problems } = await offer(registry, {
      exposeCapability: () => ({ description }),
    });
    // Each is taken back before the browser has answered it.
    for (description of ["Two", "Three", "Four"]) {
      handle.invalidate();
      await Promise.resolve();
    }
    await soon();
    expect(browser.tool("view_screen__run").description).toBe("Four");
    expect(adapter.status()).toMatchObject({ state: "running", tools: ["view_screen__run"], problems: [] });
    expect(problems).toEqual([]);
  });
});
