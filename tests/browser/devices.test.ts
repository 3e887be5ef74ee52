import { createRequire } from "node:module";
import type { AgentInvocation, AgentInvocationResult } from "@agent-surface/core";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { proveScenarios, type Stage } from "../../fixtures/devices/test/scenarios.js";
import type { AgentPort } from "../../fixtures/devices/src/agent/port.js";
import { buildApp } from "./harness/build.js";
import { serveBuild, serveSources } from "./harness/vite.js";
import { visit } from "./harness/visit.js";

const APP = "fixtures/devices";
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

declare global {
  /** In the page: what an agent from outside has of it. */
  var agentPort: AgentPort;
  /** In the page, where the test has put it. */
  var axe: { run(): Promise<{ violations: { id: string; impact: string | null; nodes: unknown[] }[] }> };
}

let folder: string;
beforeAll(async () => {
  folder = await buildApp(APP);
});

async function open(url: string): Promise<Page> {
  const { page } = await visit(url);
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  return page;
}

/** The dialog's buttons. What Playwright clicks, it clicks with the browser's own pointer. */
function answers(page: Page) {
  const dialog = page.getByRole("dialog");
  return {
    dialog,
    approve: dialog.getByRole("button", { name: /^Disable/ }),
    deny: dialog.getByRole("button", { name: "Keep them" }),
  };
}

const setUp = (url: () => Promise<string>) => async (role: "operator" | "viewer") => {
  const page = await open(await url());
  const stage: Stage = {
    agent: {
      look: () => page.evaluate(() => agentPort.look()),
      invoke: async (request) => {
        // As text: the types of JSON have no end.
        const sent = JSON.stringify(request);
        const answer = await page.evaluate(
          async (text) => JSON.stringify(await agentPort.invoke(JSON.parse(text) as AgentInvocation)),
          sent,
        );
        return JSON.parse(answer) as AgentInvocationResult;
      },
      decision: (id) => page.evaluate((sent) => agentPort.decision(sent), id),
    },
    person: {
      approve: () => answers(page).approve.click(),
      deny: () => answers(page).deny.click(),
      goTo: (to) => page.getByRole("link", { name: new RegExp(to, "i") }).click(),
    },
  };
  if (role === "viewer") {
    await stage.person.goTo("settings");
    await page.getByRole("radio", { name: "viewer" }).check();
    await stage.person.goTo("devices");
  }
  return stage;
};

describe("in Chromium, as it was built", () => {
  proveScenarios(setUp(() => serveBuild(APP, folder)));
});
describe("in Chromium, from the dev server", () => {
  proveScenarios(setUp(() => serveSources(APP)));
});

/** Opens the build, selects a device, and has an agent ask to disable it. */
async function openQuestion(): Promise<Page> {
  const page = await open(await serveBuild(APP, folder));
  await page.evaluate(async () => {
    await agentPort.invoke({ capabilityId: "view:devices.table.selectRows", input: { ids: ["dev_4"] } });
    await agentPort.invoke({ capabilityId: "domain:devices.disable", input: {} });
  });
  await answers(page).dialog.waitFor();
  return page;
}

const pending = (page: Page) =>
  page.getByRole("region", { name: "Pending confirmations", includeHidden: true }).locator("li").count();
const records = (page: Page, type: string) => page.locator(`.audit [data-type="${type}"]`).count();

describe("a confirmation is a person's", () => {
  it("nothing that a script does to the page's elements approves it, and a real click does", async () => {
    const page = await openQuestion();
    await answers(page).approve.evaluate((button: HTMLButtonElement) => {
      button.click();
      const made = { bubbles: true, cancelable: true, composed: true };
      for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
        button.dispatchEvent(new MouseEvent(type, made));
      button.focus();
      for (const type of ["keydown", "keypress", "keyup"]) {
        button.dispatchEvent(new KeyboardEvent(type, { ...made, key: "Enter", code: "Enter" }));
        button.dispatchEvent(new KeyboardEvent(type, { ...made, key: " ", code: "Space" }));
      }
      // A form that asks itself to be submitted gets an event that is trusted. The dialog has none, nor joins one.
      const form = document.createElement("form");
      form.id = "made-up";
      document.body.append(form);
      button.setAttribute("form", form.id);
      form.addEventListener("submit", (event) => event.preventDefault());
      for (const any of document.forms) any.requestSubmit();
      button.type = "submit";
      form.requestSubmit(button);
      form.remove();
    });
    expect(await pending(page)).toBe(1);
    expect(await records(page, "confirmation-approved")).toBe(0);

    await answers(page).approve.click();
    await answers(page).dialog.waitFor({ state: "detached" });
    expect(await pending(page)).toBe(0);
    expect(await records(page, "confirmation-approved")).toBe(1);
  });

  it("a dialog that a script closes comes back", async () => {
    const page = await openQuestion();
    const { dialog, deny } = answers(page);
    await page.locator("dialog").evaluate((element: HTMLDialogElement) => element.close("approved"));
    await dialog.waitFor();
    expect(await pending(page)).toBe(1);
    await deny.click();
    await dialog.waitFor({ state: "detached" });
    expect(await records(page, "confirmation-denied")).toBe(1);
  });

  it("the keyboard begins at the answer that changes nothing, and comes back to where it was", async () => {
    const page = await open(await serveBuild(APP, folder));
    await page.getByRole("button", { name: "Start the agent" }).focus();
    await page.keyboard.press("Enter");
    const step = page.getByRole("button", { name: "Next step" });
    await step.waitFor();
    for (let calls = 0; calls < 3; calls += 1) await step.click();
    await step.focus();
    await page.keyboard.press("Enter");
    const { dialog, deny, approve } = answers(page);
    await dialog.waitFor();
    expect(await deny.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Tab");
    expect(await approve.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    expect(await records(page, "confirmation-approved")).toBe(1);
    expect(await step.evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it("Escape denies", async () => {
    const page = await openQuestion();
    await page.keyboard.press("Escape");
    await answers(page).dialog.waitFor({ state: "detached" });
    expect(await records(page, "confirmation-denied")).toBe(1);
  });
});

describe("the demonstration", () => {
  it("goes through the loop, one call for each press of a button, and says how it ended", async () => {
    const page = await open(await serveBuild(APP, folder));
    await page.getByRole("button", { name: "Start the agent" }).click();
    const step = page.getByRole("button", { name: "Next step" });
    for (let calls = 0; calls < 4; calls += 1) await step.click();
    await answers(page).approve.click();
    for (let calls = 0; calls < 2; calls += 1) await step.click();
    await page.getByText("3 disabled, and the backend says so too").waitFor();
    expect(await page.locator(".badge[data-status=disabled]").count()).toBe(3);
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByText("Offline since the last inspection").waitFor();
  });
});

describe("the page", () => {
  it.each(["light", "dark"] as const)(
    "has no serious flaw that axe knows of, when %s",
    async (colorScheme) => {
      const page = await openQuestion();
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.addScriptTag({ path: AXE });
      const flaws = [await seriousFlaws(page)];
      await answers(page).deny.click();
      await page.getByRole("button", { name: "Gateway 1" }).click();
      flaws.push(await seriousFlaws(page));
      for (const name of ["Activity", "Settings"]) {
        await page.getByRole("link", { name }).click();
        flaws.push(await seriousFlaws(page));
      }
      expect(flaws).toEqual([[], [], [], []]);
    },
  );
});

async function seriousFlaws(page: Page) {
  const { violations } = await page.evaluate(() => axe.run());
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical");
}
