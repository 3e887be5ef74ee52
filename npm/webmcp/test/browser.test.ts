/* oxlint-disable unicorn/consistent-function-scoping -- what a test needs stands in the test */
import { createWebMcpAdapter } from "@agent-surface/webmcp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { button, mount, number, open, screen } from "../../core/test/support/surface.js";
import { Browser, read, soon } from "./support/browser.js";
import { consumer, offer } from "./support/offer.js";

const RUN = "view_screen__run";

afterEach(() => vi.unstubAllGlobals());

describe("a browser without document.modelContext", () => {
  it("AS-ADAPTER-003 is left alone, and the status says why", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const adapter = createWebMcpAdapter();
    await adapter.start({ registry, consumer });
    expect(adapter.status()).toEqual({
      state: "unsupported",
      reason: "there is no document here: tools belong to one",
    });
    vi.stubGlobal("document", {});
    await adapter.start({ registry, consumer });
    expect(adapter.status()).toMatchObject({ reason: "this browser has no document.modelContext" });
    vi.stubGlobal("isSecureContext", false);
    await adapter.start({ registry, consumer });
    expect(adapter.status()).toMatchObject({ reason: expect.stringContaining("secure context") });
    adapter.stop();
    expect(adapter.status()).toEqual({ state: "stopped" });
  });

  it("is not taken for one that has an older thing of that name", async () => {
    vi.stubGlobal("document", { modelContext: { provideContext: () => undefined } });
    const adapter = createWebMcpAdapter();
    await adapter.start({ registry: mount({}).registry, consumer });
    expect(adapter.status()).toMatchObject({ state: "unsupported" });
  });

  it("is one with it from the moment that a polyfill is there", async () => {
    const browser = new Browser();
    vi.stubGlobal("document", { modelContext: browser });
    const adapter = createWebMcpAdapter();
    await adapter.start({ registry: mount({ actions: { run: button() } }).registry, consumer });
    expect(browser.names).toEqual([RUN]);
  });
});

describe("a page whose Permissions-Policy does not allow tools", () => {
  it("says so once, and offers nothing", async () => {
    const { registry, handle } = mount({ observations: { value: number() }, actions: { run: button() } });
    const { adapter, problems } = await offer(registry, {}, new Browser({ isPolicyAgainst: true }));
    handle.invalidate();
    await soon();
    expect(problems).toMatchObject([{ reason: "not-allowed" }]);
    expect(adapter.status()).toEqual({
      state: "refused",
      reason: expect.stringContaining("Permissions-Policy"),
    });
  });

  it("says so on the console where nobody else listens", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const modelContext = new Browser({ isPolicyAgainst: true });
    const adapter = createWebMcpAdapter({ modelContext });
    await adapter.start({ registry: mount({ actions: { run: button() } }).registry, consumer });
    expect(warn.mock.calls).toEqual([[expect.stringContaining("does not allow tools")]]);
    warn.mockRestore();
  });
});

describe("other scripts of the page", () => {
  const theirs = (execute = async () => ({ content: [] })) => ({
    name: RUN,
    title: "",
    description: "Theirs",
    inputSchema: {},
    annotations: {},
    execute,
  });

  it("keep a name they have; that is reported, and everything else is on offer", async () => {
    const { registry } = mount({ observations: { value: number() }, actions: { run: button() } });
    const browser = new Browser();
    void browser.registerTool(theirs());
    const { adapter, problems } = await offer(registry, {}, browser);
    expect(browser.tool(RUN).description).toBe("Theirs");
    const taken = [{ reason: "name-taken", tool: RUN, message: expect.stringContaining(RUN) }];
    expect(problems).toEqual(taken);
    expect(adapter.status()).toEqual({ state: "running", tools: ["view_screen__value"], problems: taken });
  });

  it("give way when they take their tool back", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const browser = new Browser();
    const controller = new AbortController();
    const registered = browser.registerTool(theirs(), { signal: controller.signal });
    await registered;
    const { adapter, problems } = await offer(registry, {}, browser);
    controller.abort();
    await soon();
    expect(browser.tool(RUN).description).toContain("A button");
    expect(adapter.status()).toMatchObject({ tools: [RUN], problems: [] });
    expect(problems).toHaveLength(1);
  });

  it("can't be taken back by this one's stop", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const browser = new Browser();
    void browser.registerTool(theirs());
    const { adapter } = await offer(registry, {}, browser);
    adapter.stop();
    expect(browser.names).toEqual([RUN]);
  });
});

describe("what a browser refuses otherwise", () => {
  it("is reported of each tool, and the others are on offer", async () => {
    const { registry } = mount({ actions: { run: button(), stop: button() } });
    const { adapter, problems } = await offer(registry, {
      exposeCapability: (descriptor) =>
        "name" in descriptor && descriptor.name === "run" ? { exposedTo: ["http://a.example"] } : undefined,
    });
    expect(problems).toMatchObject([{ reason: "origin-refused", tool: RUN }]);
    expect(adapter.status()).toMatchObject({ tools: ["view_screen__stop"] });
  });

  it("is reported where it does not even answer with a promise", async () => {
    const browser = new Browser();
    vi.spyOn(browser, "registerTool").mockImplementation(() => {
      throw "nothing that a browser would throw";
    });
    const { problems } = await offer(mount({ actions: { run: button() } }).registry, {}, browser);
    expect(problems).toMatchObject([{ reason: "not-registered", tool: RUN }]);
  });
});

describe("the end of an adapter", () => {
  it("takes every tool back, and may come twice", async () => {
    const { registry, handle } = mount({ actions: { run: button() } });
    const { adapter, browser } = await offer(registry);
    const { execute } = browser.tool(RUN);
    adapter.stop();
    adapter.stop();
    handle.invalidate();
    await soon();
    expect(browser.names).toEqual([]);
    expect(adapter.status()).toEqual({ state: "stopped" });
    expect(read(await execute({}))).toMatchObject({ code: "CANCELLED" });
  });

  it("is no end for good: it may be started again", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { adapter, browser } = await offer(registry);
    adapter.stop();
    await adapter.start({ registry, consumer });
    await adapter.start({ registry, consumer });
    expect(browser.names).toEqual([RUN]);
  });

  it("comes by itself when a call finds the registry disposed", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { adapter, browser } = await offer(registry);
    registry.dispose();
    expect(read(await browser.call(RUN))).toMatchObject({ code: "CANCELLED" });
    expect(browser.names).toEqual([]);
    expect(adapter.status()).toEqual({ state: "stopped" });
  });

  it("comes when an app that was reloaded in place starts another one for the same consumer", async () => {
    const browser = new Browser();
    const before = await offer(mount({ actions: { run: button() } }).registry, {}, browser);
    const execute = vi.fn<() => void>();
    const after = await offer(mount({ actions: { run: button(execute) } }).registry, {}, browser);
    await browser.call(RUN);
    expect(execute).toHaveBeenCalledOnce();
    expect(before.adapter.status()).toEqual({ state: "stopped" });
    before.adapter.stop();
    expect(browser.names).toEqual([RUN]);
    expect([...before.problems, ...after.problems]).toEqual([]);
  });

  it("does not come when one for another consumer starts: names both have stay the first one's", async () => {
    const browser = new Browser();
    const first = await offer(mount({ actions: { run: button() } }).registry, {}, browser);
    const other = createWebMcpAdapter({ modelContext: browser, onProblem: () => undefined });
    const registry = mount({ actions: { run: button() } }).registry;
    await other.start({ registry, consumer: { id: "another", kind: "webmcp" } });
    expect(other.status()).toMatchObject({ problems: [{ reason: "name-taken" }] });
    first.adapter.stop();
    await soon();
    expect(other.status()).toMatchObject({ tools: [RUN], problems: [] });
  });

  it("is not begun with a registry that is none, or was disposed", async () => {
    const { registry } = mount({ actions: { run: button() } });
    const { browser } = await offer(registry);
    const adapter = createWebMcpAdapter({ modelContext: browser });
    expect(() => adapter.start({ registry: { ...registry }, consumer })).toThrow(
      "createAgentSurfaceRegistry",
    );
    const closed = open([screen()]);
    closed.dispose();
    expect(() => adapter.start({ registry: closed, consumer })).toThrow("disposed");
    expect(browser.names).toEqual([RUN]);
  });
});
