import { join } from "node:path";
import { fromJsonSchema, type AgentSurfaceRegistry } from "@agent-surface/core";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolResultSchema,
  ToolListChangedNotificationSchema,
  type CallToolResult,
} from "@modelcontextprotocol/sdk/types.js";
import { expect, it } from "vitest";
import { checkSnippets, writeFiles } from "../../../tests/docs/snippets.js";
import { linkPackages, scratch } from "../../../tests/fixtures/apps.js";
import {
  button,
  deferred,
  echo,
  mount,
  mountProcedure,
  number,
  open,
  procedure,
  screen,
  the,
} from "./support/surface.js";

const PAGE = "npm/core/docs/mcp.md";

/** What the page's module exports. */
interface Bridge {
  serveSurface(this: void, registry: AgentSurfaceRegistry, agent: string): Server;
}

let bridge: Promise<Bridge> | undefined;

/** The bridge, as the page has it; loaded by the first test that wants it. */
function loadBridge(): Promise<Bridge> {
  const load = async () => {
    const folder = scratch();
    linkPackages(folder);
    writeFiles(PAGE, folder);
    return (await import(join(folder, "src/mcp.ts"))) as Bridge;
  };
  return (bridge ??= load());
}

/** An agent elsewhere, connected to a surface. */
async function connect(registry: AgentSurfaceRegistry, agent = "desktop") {
  const [there, here] = InMemoryTransport.createLinkedPair();
  const { serveSurface } = await loadBridge();
  const server = serveSurface(registry, agent);
  await server.connect(here);
  const client = new Client({ name: agent, version: "1.0.0" });
  await client.connect(there);
  const call = async (
    name: string,
    args: Record<string, unknown> = {},
    options = {},
  ): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: args }, CallToolResultSchema, options)) as CallToolResult;
  return { client, server, call };
}

/** What a tool said, as its text has it. */
function textOf({ content: [block] }: CallToolResult): unknown {
  return block?.type === "text" ? JSON.parse(block.text) : undefined;
}

it("every snippet of the page compiles", () => {
  expect(() => checkSnippets(PAGE)).not.toThrow();
});

it("an agent is offered the toolset's names, descriptions and schemas, and what can be used now", async () => {
  const { registry } = mount({
    observations: { value: number() },
    actions: {
      run: button(undefined, { when: () => false, unavailableReason: "Not yet" }),
      set: echo(undefined, { input: fromJsonSchema({ type: "number" }) }),
    },
  });
  const { client } = await connect(registry);
  const { tools } = await client.listTools();
  expect(tools).toMatchObject([
    {
      name: "view_screen__value",
      description: "[view · read] A number",
      _meta: { state: { available: true } },
    },
    {
      name: "view_screen__run",
      inputSchema: { type: "object", additionalProperties: false },
      _meta: { state: { available: false, unavailableReason: "Not yet" } },
    },
    {
      name: "view_screen__set",
      inputSchema: { type: "object", properties: { input: { type: "number" } }, required: ["input"] },
    },
  ]);
});

it("a result comes as text and as it is, whatever kind of value goes in and out", async () => {
  const { registry } = mount({
    observations: { value: number(() => 7) },
    actions: { set: echo(undefined, { input: fromJsonSchema({ type: "number" }) }) },
  });
  const { call } = await connect(registry);
  const read = await call("view_screen__value");
  expect(textOf(read)).toBe(7);
  expect(read).toMatchObject({
    isError: false,
    structuredContent: { status: "ok", capabilityId: "view:screen.value", output: 7, surfaceVersion: "1" },
  });
  expect(textOf(await call("view_screen__set", { input: 5 }))).toBe(5);
});

it("an error keeps its code, what to do about it and its details, and is a result", async () => {
  const { registry } = mountProcedure(procedure("server-query"));
  const { call, client } = await connect(registry);
  const result = await call("domain_devices__disable", { ids: ["victim"] });
  const error = {
    code: "INVALID_INPUT",
    retry: "with-changes",
    message: expect.any(String),
    details: { lockedFields: ["ids"] },
  };
  expect(result).toMatchObject({ isError: true, structuredContent: { status: "error", error } });
  expect(textOf(result)).toEqual(error);
  await expect(client.callTool({ name: "view_nothing" })).rejects.toThrow("There is no tool view_nothing");
});

it("a tool that was listed and is gone says so, as the registry does", async () => {
  const { registry, handle } = mount({ actions: { run: button() } });
  const { client, call } = await connect(registry);
  await client.listTools();
  handle.unregister();
  expect((await call("view_screen__run")).structuredContent).toMatchObject({
    error: { code: "COMPONENT_UNMOUNTED", retry: "after-refresh" },
  });
});

it("a connection that is closed hears nothing more", async () => {
  const definition = screen({ actions: { run: button() } });
  const registry = open([definition]);
  const { client, server } = await connect(registry);
  await client.listTools();
  let changed = deferred();
  registry.subscribe(({ type }) => {
    if (type === "surface-changed") changed.resolve();
  });
  let told = 0;
  server.sendToolListChanged = async () => void (told += 1);
  const handle = registry.register(definition);
  await changed.promise;
  expect(told).toBe(1);
  await client.close();
  changed = deferred();
  handle.unregister();
  await changed.promise;
  expect(told).toBe(1);
});

it("an agent hears of tools that come, of those that go, and of those that can't be used any more", async () => {
  const definition = screen({ type: "drawer", actions: { close: button() } });
  const registry = open([definition]);
  const { client } = await connect(registry);
  await client.listTools();
  let heard = deferred();
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => heard.resolve());
  const listed = async () => {
    await heard.promise;
    heard = deferred();
    const { tools } = await client.listTools();
    return tools.map(({ name, _meta }) => [name, the(_meta)["state"]]);
  };
  const handle = registry.register(definition);
  expect(await listed()).toEqual([["view_drawer__close", { available: true }]]);
  handle.update({ availability: { close: { available: false, reason: "It is stuck" } } });
  expect(await listed()).toEqual([
    ["view_drawer__close", { available: false, unavailableReason: "It is stuck" }],
  ]);
  handle.unregister();
  expect(await listed()).toEqual([]);
});

it("the user is asked between two calls that are the same, and what is asked comes as data", async () => {
  const { registry, calls } = mountProcedure(procedure("destructive"));
  const { call } = await connect(registry);
  const ask = () => call("domain_devices__disable", { reason: "noise" });
  const asked = await ask();
  const [pending] = registry.confirmations.pending();
  const required = {
    code: "CONFIRMATION_REQUIRED",
    retry: "with-confirmation",
    details: {
      confirmationId: pending?.confirmationId,
      summary: pending?.summary,
      expiresAt: pending?.expiresAt,
    },
  };
  expect(asked.structuredContent).toMatchObject({ error: required });
  expect(pending).toMatchObject({
    consumerKey: "mcp-bridge:desktop",
    input: { ids: ["d1"], reason: "noise" },
  });
  expect((await ask()).structuredContent).toMatchObject({ error: required });
  expect(registry.confirmations.pending()).toHaveLength(1);
  registry.confirmations.resolve(the(pending).confirmationId, { approved: true });
  expect(await ask()).toMatchObject({ isError: false, structuredContent: { status: "ok" } });
  expect(calls).toEqual([{ ids: ["d1"], reason: "noise" }]);
});

it("the user's no is told once, and another input is another question", async () => {
  const { registry, calls } = mountProcedure(procedure("destructive"));
  const { call } = await connect(registry);
  const ask = (reason: string) => call("domain_devices__disable", { reason });
  await ask("noise");
  const [first] = registry.confirmations.pending();
  registry.confirmations.resolve(the(first).confirmationId, { approved: false });
  expect((await ask("noise")).structuredContent).toMatchObject({
    error: { code: "CONFIRMATION_INVALID", retry: "no", details: { reason: "denied" } },
  });
  await ask("noise");
  await ask("smoke");
  expect(registry.confirmations.pending().map(({ input }) => input)).toEqual([
    { ids: ["d1"], reason: "noise" },
    { ids: ["d1"], reason: "smoke" },
  ]);
  expect(calls).toEqual([]);
});

it("a request that is cancelled is given up in the page", async () => {
  const started = deferred<AbortSignal>();
  const { registry } = mount({
    actions: {
      run: echo(undefined, {
        execute: (_, { signal }) => {
          started.resolve(signal);
          return new Promise(() => undefined);
        },
      }),
    },
  });
  const { call } = await connect(registry);
  const giveUp = new AbortController();
  const result = call("view_screen__run", { input: 1 }, { signal: giveUp.signal });
  const signal = await started.promise;
  giveUp.abort("changed my mind");
  await expect(result).rejects.toThrow("changed my mind");
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve());
  });
});

it("connections of one agent never take each other's calls for their own", async () => {
  const { registry } = mount({ actions: { say: echo() } });
  const [one, other] = [await connect(registry), await connect(registry)];
  const said = await Promise.all([
    one.call("view_screen__say", { input: "a" }),
    other.call("view_screen__say", { input: "b" }),
  ]);
  expect(said.map(textOf)).toEqual(["a", "b"]);
});
