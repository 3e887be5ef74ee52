import { beforeAll, describe, expect, it } from "vitest";
import { buildApp } from "./harness/build.js";
import { KERNELS } from "./harness/kernels.js";
import { answersOn, PROBE, rightAnswer } from "./harness/probe.js";
import { serve } from "./harness/site.js";

describe.each(KERNELS)("the kernel in $language", ({ config, headers }) => {
  let modules: string;
  let classic: string;

  beforeAll(async () => {
    modules = await buildApp(PROBE, config);
    classic = await buildApp(PROBE, { ...config, mode: "classic" });
  });

  it("verifies the contract and validates values in a page", async () => {
    expect(await answersOn(await serve(modules, headers))).toEqual([await rightAnswer(modules)]);
  });

  it("does so in a worker", async () => {
    const site = await serve(modules, headers);
    expect(await answersOn(`${site}worker.html`)).toEqual([await rightAnswer(modules)]);
  });

  it("does so in a classic script that is deferred", async () => {
    const site = await serve(classic, headers);
    expect(await answersOn(`${site}deferred.html`)).toEqual([await rightAnswer(classic)]);
  });

  it("is one for each copy of the app, where a page loads two", async () => {
    const site = await serve(classic, headers);
    const answer = await rightAnswer(classic);
    expect(await answersOn(`${site}twice.html`, 2)).toEqual([answer, answer]);
  });
});
