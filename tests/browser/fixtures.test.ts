import { expect, it } from "vitest";
import { buildApp, readContract } from "./harness/build.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

/** Builds a fixture and opens it; the page says which contract its authority has verified. */
async function open(fixture: string) {
  const folder = await buildApp(`fixtures/${fixture}`);
  const { page } = await visit(await serve(folder));
  const { hash } = await readContract(folder);
  expect(await page.locator("html").getAttribute("data-contract")).toBe(hash);
  return page;
}

it("the counter verifies the contract that its build wrote, and counts", async () => {
  const page = await open("counter");
  await page.getByRole("button", { name: "Pressed 0 times" }).click();
  expect(await page.getByRole("button").textContent()).toBe("Pressed 1 times");
});

it("a contract in a chunk of its own is bound when somebody opens what it belongs to", async () => {
  const page = await open("panels");
  await page.getByRole("button", { name: "Open the reports" }).click();
  const report = page.getByRole("heading");
  expect(await report.textContent()).toBe("Report of the month, page 1");
});
