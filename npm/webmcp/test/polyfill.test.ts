// @vitest-environment jsdom
import { createWebMcpAdapter } from "@agent-surface/webmcp";
import { expect, it, onTestFinished, vi } from "vitest";
import { button, echo, mount } from "../../core/test/support/surface.js";
import { consumer } from "./support/offer.js";
import { soon } from "./support/browser.js";

/** What the polyfill adds to what browsers have. */
interface Polyfilled {
  listTools(): { name: string; description: string }[];
  executeTool(tool: object, input: string): Promise<string | null>;
  getTools(): Promise<{ name: string }[]>;
}

it("@mcp-b/global does for a browser that has no tools", async () => {
  vi.stubGlobal("isSecureContext", true);
  const { cleanupWebModelContext } = await import("@mcp-b/global");
  // Its notifications come by a timer of its own, which must not find the document gone.
  onTestFinished(() => cleanupWebModelContext());
  const { modelContext } = document as unknown as { modelContext: Polyfilled };
  const { registry, handle } = mount({ actions: { echo: echo(), run: button() } });
  const adapter = createWebMcpAdapter();
  await adapter.start({ registry, consumer });
  expect(adapter.status()).toMatchObject({ state: "running", problems: [] });
  expect(modelContext.listTools().map(({ name }) => name)).toEqual(["view_screen__echo", "view_screen__run"]);
  const tool = (await modelContext.getTools()).find(({ name }) => name === "view_screen__echo") ?? {};
  expect(JSON.parse((await modelContext.executeTool(tool, '{"a":1}')) ?? "")).toMatchObject({
    content: [{ type: "text", text: '{"a":1}' }],
  });
  handle.update({ availability: { run: { available: false } } });
  await soon();
  expect(modelContext.listTools().map(({ name }) => name)).toEqual(["view_screen__echo"]);
  adapter.stop();
  expect(modelContext.listTools()).toEqual([]);
});
