import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { table, testsByRequirement } from "./table.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const byRequirement = testsByRequirement(root);

it("every requirement has a test", () => {
  const unproven = [...byRequirement].filter(([, tests]) => tests.length === 0).map(([id]) => id);
  expect(unproven).toEqual([]);
});

it("the table in the docs is that of the tests", async () => {
  await expect(table(byRequirement)).toMatchFileSnapshot("../../docs/conformance.md");
});
