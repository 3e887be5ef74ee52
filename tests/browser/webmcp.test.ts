import type { WebMcpAdapter } from "@agent-surface/webmcp";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { BrowserAgent } from "./harness/agent.js";
import { buildApp } from "./harness/build.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

declare global {
  /** In the page: see pages/desk/main.ts. */
  var webmcp: { adapter: WebMcpAdapter; problems: string[] };
}

const NOTES = "view_office__desk__notes";
const WRITE = "view_office__desk__write";
const CLEAR = "view_office__desk__clear";
const LOCK = "view_office__drawer__lock";

let folder: string;
beforeAll(async () => {
  folder = await buildApp("tests/browser/pages/desk", { build: { target: "esnext" } });
});

/** Opens the page as people do, with an agent of the browser beside them. */
async function open(query = "", headers: Record<string, string> = {}, rival = "") {
  let agent: BrowserAgent | undefined;
  const watch = async (page: Page): Promise<void> => {
    agent = await BrowserAgent.watch(page);
    await page.addInitScript(rival);
  };
  const { page } = await visit((await serve(folder, headers)) + query, watch);
  if (agent === undefined) throw new Error("nobody watched the page");
  await page.waitForFunction(() => "webmcp" in globalThis);
  return { page, agent };
}

/** Another script of the page, which is there first. */
const RIVAL = `document.modelContext.registerTool({
  name: "${WRITE}", description: "Theirs", execute: () => "theirs",
});`;

const statusOf = (page: Page) => page.evaluate(() => webmcp.adapter.status());
const problemsOf = (page: Page) => page.evaluate(() => webmcp.problems);

describe("an agent of the browser", () => {
  it("finds the tools of the page, as their contracts describe them", async () => {
    const { page, agent } = await open();
    expect(agent.names).toEqual([CLEAR, NOTES, WRITE]);
    expect(await agent.tool(NOTES)).toMatchObject({
      description: "[view · read] All notes",
      annotations: { readOnly: true, consequential: false, untrustedContent: false },
    });
    expect(await agent.tool(WRITE)).toMatchObject({
      annotations: { readOnly: false },
      inputSchema: { properties: { text: { type: "string", maxLength: 40 } }, required: ["text"] },
    });
    const titles = await page.evaluate(async () => {
      const { document } = globalThis as unknown as {
        document: { modelContext: { getTools(): Promise<{ title: string }[]> } };
      };
      return (await document.modelContext.getTools()).map(({ title }) => title);
    });
    expect(titles.toSorted()).toEqual(["Clear", "Notes", "Write"]);
    expect(await statusOf(page)).toEqual({ state: "running", tools: [NOTES, CLEAR, WRITE], problems: [] });
  });

  it("reads, acts, and is refused what the contract does not allow", async () => {
    const { page, agent } = await open();
    expect(await agent.ask(WRITE, { text: "milk" })).toEqual({ output: null });
    expect(await agent.ask(NOTES)).toEqual({ output: ["milk"] });
    expect(await agent.ask(WRITE, { text: "", more: 1 })).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(await page.getByLabel("Notes").textContent()).toBe("milk");
  });

  it("is told why it can't use what can't be used now", async () => {
    const { agent } = await open();
    expect(await agent.ask(CLEAR)).toMatchObject({
      error: { code: "CAPABILITY_NOT_AVAILABLE", details: { reason: "There is no note" } },
    });
  });

  it("does what needs the user's word once the user has given it", async () => {
    const { page, agent } = await open();
    await agent.ask(WRITE, { text: "milk" });
    expect(await agent.ask(CLEAR)).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
    expect(await page.getByRole("dialog").textContent()).toContain("Throw all notes away");
    await page.getByRole("button", { name: "Approve" }).click();
    expect(await agent.ask(CLEAR)).toEqual({ output: null });
    expect(await page.getByLabel("Notes").textContent()).toBe("");
  });

  it("does not do what the user has denied", async () => {
    const { page, agent } = await open();
    await agent.ask(WRITE, { text: "milk" });
    await agent.ask(CLEAR);
    await page.getByRole("button", { name: "Deny" }).click();
    expect(await agent.ask(CLEAR)).toMatchObject({ error: { details: { reason: "denied" } } });
    expect(await page.getByLabel("Notes").textContent()).toBe("milk");
  });
});

describe("as people go from page to page", () => {
  it("only what comes or goes is told within a document, whatever is rendered anew", async () => {
    const { page, agent } = await open();
    agent.history();
    await page.getByRole("link", { name: "Drawer" }).click();
    await agent.tool(LOCK);
    expect(agent.history()).toEqual([`+${LOCK}`]);
    await page.goBack();
    await page.getByRole("link", { name: "Drawer" }).click();
    await expect.poll(() => agent.history()).toEqual([`-${LOCK}`, `+${LOCK}`]);
    expect(await problemsOf(page)).toEqual([]);
  });

  it("a new document has the tools of its own, whole", async () => {
    const { page, agent } = await open();
    await agent.ask(WRITE, { text: "milk" });
    await page.reload();
    expect(await agent.ask(NOTES)).toEqual({ output: [] });
    await agent.tool(CLEAR);
    expect(agent.names).toEqual([CLEAR, NOTES, WRITE]);
    expect(await problemsOf(page)).toEqual([]);
  });

  it("an adapter that is stopped leaves nothing behind", async () => {
    const { page, agent } = await open();
    await page.evaluate(() => webmcp.adapter.stop());
    await expect.poll(() => agent.names).toEqual([]);
    expect(await statusOf(page)).toEqual({ state: "stopped" });
  });
});

describe("what a browser refuses", () => {
  it("is reported once where the page's policy does not allow tools, and the app goes on", async () => {
    const { page, agent } = await open("", { "permissions-policy": "tools=()" });
    expect(await statusOf(page)).toMatchObject({ state: "refused" });
    expect(await problemsOf(page)).toEqual(["not-allowed"]);
    expect(agent.names).toEqual([]);
  });

  it("is reported where another script has the name, and everything else is on offer", async () => {
    const { page, agent } = await open("", {}, RIVAL);
    expect(await problemsOf(page)).toEqual([`name-taken ${WRITE}`]);
    expect(await statusOf(page)).toMatchObject({ state: "running", tools: [NOTES, CLEAR] });
    expect(await agent.call(WRITE)).toEqual({ status: "Completed", output: "theirs" });
    expect(await agent.ask(NOTES)).toEqual({ output: [] });
  });
});

describe("the polyfill @mcp-b/global", () => {
  it("is used like a browser, and hands the tools on to the one below it", async () => {
    const { page, agent } = await open("?polyfill");
    expect(await statusOf(page)).toMatchObject({ state: "running", problems: [] });
    expect(await agent.ask(WRITE, { text: "milk" })).toEqual({ output: null });
    expect(await agent.ask(NOTES)).toEqual({ output: ["milk"] });
  });
});
