import { readContract } from "./build.js";
import { visit } from "./visit.js";

/** The app in which a page asks its kernel everything that can come out wrong. */
export const PROBE = "tests/browser/pages/probe";

/** Opens a page of the probe and reads what so many kernels answer there. */
export async function answersOn(url: string, kernels = 1): Promise<unknown[]> {
  const { page } = await visit(url);
  const outputs = page.locator("output");
  await outputs.nth(kernels - 1).waitFor();
  return (await outputs.allTextContents()).map((text) => JSON.parse(text) as unknown);
}

/** What every kernel in a build of the probe must answer. */
export async function rightAnswer(folder: string) {
  const { hash } = await readContract(folder);
  return {
    hash,
    accepted: { room: "Ölkeller \u{1f4a1}", level: 175 },
    refused: ["level: must be a multiple of 0.25", "room: must match the pattern ^\\p{Lu}"],
  };
}
