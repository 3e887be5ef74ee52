import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { BrowserAgent } from "./harness/agent.js";
import { buildApp } from "./harness/build.js";
import { startDevicesServer } from "./harness/devices-server.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

const FILTER = "view_devices__filters__set";
const READ = "view_devices__table__readState";
const SELECT = "view_devices__table__selectRows";
const LIST = "domain_devices__list";
const DISABLE = "domain_devices__disable";

/** What the demo shows: each step as it is done. */
const say = (line: string): void => {
  if (process.env["AGENT_SURFACE_DEMO"] !== undefined) process.stdout.write(`${line}\n`);
};

/** A call of the browser's agent, told on the way. */
async function call(agent: BrowserAgent, tool: string, input: object = {}): Promise<unknown> {
  say(`agent  ${tool} ${JSON.stringify(input)}`);
  const answer = await agent.ask(tool, input);
  say(`page   ${JSON.stringify(answer).slice(0, 200)}`);
  return answer;
}

it("an agent of the browser finds, reads, selects, asks, and disables what its user approved, on the server", async () => {
  const server = await startDevicesServer();
  const folder = await buildApp("fixtures/devices", {
    define: { "import.meta.env.VITE_API": JSON.stringify(server.url) },
  });
  let watching: BrowserAgent | undefined;
  const { page } = await visit(await serve(folder), async (empty: Page) => {
    watching = await BrowserAgent.watch(empty);
  });
  if (watching === undefined) throw new Error("nobody watched the page");
  const agent = watching;

  // It finds what can be done now. Nothing is selected, so nothing can be disabled.
  expect((await agent.tool(READ)).annotations).toMatchObject({ readOnly: true });
  await page.getByText("Boiler").first().waitFor();
  say(`agent  finds ${agent.names.join(", ")}`);
  expect(agent.names).toEqual(expect.arrayContaining([FILTER, LIST, READ, SELECT]));
  expect(agent.names).not.toContain(DISABLE);

  // It reads, and narrows the table as its user would.
  expect(await call(agent, FILTER, { status: "offline" })).toEqual({ output: null });
  expect(await call(agent, READ)).toMatchObject({ output: { rows: [{ id: "dev_2" }, { id: "dev_3" }] } });
  expect(await call(agent, SELECT, { ids: ["dev_1"] })).toMatchObject({
    error: { code: "PRECONDITION_FAILED", details: { unknown: ["dev_1"] } },
  });
  expect(await call(agent, SELECT, { ids: ["dev_2"] })).toEqual({ output: null });

  // With a selection there is a tool, which says what it does. It does not do so by itself.
  expect((await agent.tool(DISABLE)).annotations).toMatchObject({ consequential: true });
  const reason = "Replaced by a new one";
  expect(await call(agent, DISABLE, { reason })).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
  const dialog = page.getByRole("dialog");
  say(`user   reads "${await dialog.getByRole("heading").textContent()}"`);
  expect(await dialog.textContent()).toContain("Chiller");
  expect(server.disabled).toEqual([]);

  // The user says yes, and the same call goes through to the server, once.
  say("user   approves");
  await dialog.getByRole("button", { name: /^Disable/ }).click();
  expect(await call(agent, DISABLE, { reason })).toEqual({ output: { disabled: ["dev_2"] } });
  expect(server.disabled).toEqual([{ ids: ["dev_2"], role: "operator", agent: "browser" }]);
  expect(await call(agent, LIST, { status: "disabled" })).toMatchObject({ output: [{ id: "dev_2" }] });

  // What the filter hides is no longer selected: the tool is gone, and can't be called.
  await expect.poll(() => agent.names).not.toContain(DISABLE);
});
