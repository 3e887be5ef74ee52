import { beforeAll, expect, it } from "vitest";
import { buildApp } from "./harness/build.js";
import { JAVASCRIPT } from "./harness/kernels.js";
import { policy } from "./harness/policy.js";
import { answersOn, PROBE, rightAnswer } from "./harness/probe.js";
import { serve } from "./harness/site.js";
import { visit } from "./harness/visit.js";

/** Strings must not become scripts in any other way either. */
const STRICTEST = policy();
STRICTEST["content-security-policy"] += "; require-trusted-types-for 'script'; trusted-types 'none'";

let wasm: string;
let javascript: string;

beforeAll(async () => {
  wasm = await buildApp(PROBE);
  javascript = await buildApp(PROBE, JAVASCRIPT);
});

it("a page whose policy forbids WebAssembly is told what to allow, and what to build instead", async () => {
  const { complaints } = await visit(await serve(wasm, policy()));
  expect(complaints.splice(0)).toEqual([
    "The agent-surface kernel is WebAssembly, and WebAssembly cannot be compiled here. A page with a " +
      "Content-Security-Policy allows it by 'wasm-unsafe-eval' in script-src. Where that is no choice, take the " +
      'kernel as JavaScript: build with the export condition "agent-surface-js-kernel", or load ' +
      '"@agent-surface/core/js-kernel" before the app. See docs/csp.md of @agent-surface/core.',
  ]);
});

it("'wasm-unsafe-eval' is all that the kernel in WebAssembly needs of a policy", async () => {
  const site = await serve(wasm, policy("'wasm-unsafe-eval'"));
  expect(await answersOn(site)).toEqual([await rightAnswer(wasm)]);
});

it("the kernel in JavaScript needs nothing of a policy", async () => {
  const site = await serve(javascript, STRICTEST);
  expect(await answersOn(site)).toEqual([await rightAnswer(javascript)]);
});

it("the kernel in JavaScript needs nothing in a worker either, which is bound by its own policy", async () => {
  const site = await serve(javascript, policy());
  expect(await answersOn(`${site}worker.html`)).toEqual([await rightAnswer(javascript)]);
});

it("a worker that the policy keeps from WebAssembly says so too", async () => {
  const { page, complaints } = await visit(`${await serve(wasm, policy())}worker.html`);
  await expect.poll(() => complaints.length).toBe(1);
  expect(complaints.splice(0)).toEqual([expect.stringContaining("'wasm-unsafe-eval'")]);
  expect(await page.locator("output").count()).toBe(0);
});

it("an app that loads the kernel in JavaScript first runs it, in the same build that has WebAssembly", async () => {
  const site = await serve(wasm, STRICTEST);
  expect(await answersOn(`${site}js-kernel.html`)).toEqual([await rightAnswer(wasm)]);
});
