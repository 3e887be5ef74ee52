import { beforeAll, expect, it } from "vitest";
import { buildApp } from "./harness/build.js";
import { answersOn, PROBE, rightAnswer } from "./harness/probe.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

/** Headers of a site that runs its own scripts, and makes none from text; `more` is what its scripts may besides. */
function policy(more = ""): Record<string, string> {
  const directives = [
    "default-src 'none'",
    `script-src 'self' ${more}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
  ];
  return { "content-security-policy": directives.join("; ") };
}

let folder: string;

beforeAll(async () => {
  folder = await buildApp(PROBE);
});

it("a page whose policy forbids to compile WebAssembly is told which directive allows it", async () => {
  const { complaints } = await visit(await serve(folder, policy()));
  expect(complaints.splice(0)).toEqual([expect.stringContaining("'wasm-unsafe-eval'")]);
});

it("'wasm-unsafe-eval' is all that the kernel needs of a strict policy", async () => {
  const site = await serve(folder, policy("'wasm-unsafe-eval'"));
  expect(await answersOn(site)).toEqual([await rightAnswer(folder)]);
});
