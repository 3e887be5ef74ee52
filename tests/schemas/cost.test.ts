/** Who pays for schema libraries: who uses one. */
import { expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { workersStarted } from "../../npm/compiler/dist/schemas/thread.js";
import { bundle, fixture, VITE_8 } from "../fixtures/apps.js";

/** How many workers a build of the app starts. */
async function workersOf(app: string): Promise<number> {
  const before = workersStarted();
  await bundle(VITE_8, fixture(app), { configFile: false, plugins: [agentSurface()] });
  return workersStarted() - before;
}

it("a build starts one worker for all its schemas, and none where there are none", async () => {
  expect(await workersOf("zod")).toBe(1);
  expect(await workersOf("counter")).toBe(0);
});
