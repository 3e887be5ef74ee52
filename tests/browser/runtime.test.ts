import type { AgentInvocation, AgentInvocationResult, AgentSurfaceRegistry } from "@agent-surface/core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "./harness/build.js";
import { KERNELS } from "./harness/kernels.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

declare global {
  /** In the page: see pages/lamp/main.ts. */
  var surface: AgentSurfaceRegistry;
}

/** What an agent does: this suite plays it, from outside of the page. A request is text until it is in the page. */
const invoke = (page: Page, request: AgentInvocation) =>
  page.evaluate((text) => surface.invoke(JSON.parse(text)), JSON.stringify(request));

const brightness = (page: Page) => page.getByLabel("Brightness").textContent();

const TURN_OFF = { capabilityId: "view:home.lamp.turnOff", input: {} };

describe.each(KERNELS)("an agent of an app whose kernel is $language", ({ config, headers }) => {
  let folder: string;
  beforeAll(async () => {
    folder = await buildApp("tests/browser/pages/lamp", config);
  });
  const open = async () => (await visit(await serve(folder, headers))).page;

  it("sees what the build has proven and the page has mounted", async () => {
    const page = await open();
    const { components } = await page.evaluate(() => surface.snapshot());
    const [lamp] = components;
    expect(components).toHaveLength(1);
    expect([...(lamp?.observations ?? []), ...(lamp?.actions ?? [])].map((it) => it.capabilityId)).toEqual([
      "view:home.lamp.brightness",
      "view:home.lamp.dim",
      "view:home.lamp.turnOff",
    ]);
  });

  it("reads, and does what is declared", async () => {
    const page = await open();
    const dim = { capabilityId: "view:home.lamp.dim", input: { percent: 25 } };
    expect(await invoke(page, { capabilityId: "view:home.lamp.brightness" })).toMatchObject({ output: 60 });
    expect(await invoke(page, dim)).toMatchObject({ status: "ok" });
    expect(await brightness(page)).toBe("25 %");
    expect(await invoke(page, { capabilityId: "view:home.lamp.brightness" })).toMatchObject({ output: 25 });
  });

  it("is refused an input that the contract does not allow", async () => {
    const page = await open();
    const dim = { capabilityId: "view:home.lamp.dim", input: { percent: 101 } };
    expect(await invoke(page, dim)).toMatchObject({ error: { code: "INVALID_INPUT" } });
    expect(await brightness(page)).toBe("60 %");
  });

  it("does what needs the user's word once the user has said yes, and only once", async () => {
    const page = await open();
    const asked = await invoke(page, TURN_OFF);
    expect(asked).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
    const confirmationId = confirmationOf(asked);
    expect(await page.getByRole("dialog").textContent()).toContain("Turn it off");
    await page.getByRole("button", { name: "Approve" }).click();
    expect(await invoke(page, { ...TURN_OFF, confirmationId })).toMatchObject({ status: "ok" });
    expect(await brightness(page)).toBe("0 %");
    expect(await invoke(page, { ...TURN_OFF, confirmationId })).toMatchObject({
      error: { code: "CONFIRMATION_INVALID" },
    });
  });

  it("does not do what the user denies", async () => {
    const page = await open();
    const confirmationId = confirmationOf(await invoke(page, TURN_OFF));
    await page.getByRole("button", { name: "Deny" }).click();
    expect(await invoke(page, { ...TURN_OFF, confirmationId })).toMatchObject({
      error: { code: "CONFIRMATION_INVALID" },
    });
    expect(await brightness(page)).toBe("60 %");
  });

  it("finds nothing of a component that is gone", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Take the lamp away" }).click();
    expect(await page.evaluate(() => surface.snapshot().components)).toEqual([]);
    expect(await invoke(page, { capabilityId: "view:home.lamp.brightness" })).toMatchObject({
      status: "error",
    });
  });
});

function confirmationOf(result: AgentInvocationResult): string {
  const details = result.status === "error" ? result.error.details : undefined;
  const id = details?.["confirmationId"];
  return typeof id === "string" ? id : "";
}
