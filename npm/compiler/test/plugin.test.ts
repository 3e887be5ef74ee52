import { describe, expect, it } from "vitest";
import {
  agentSurface,
  CONTRACT_FILE,
  verifyManifest,
  type AgentSurfaceCompilerOptions,
} from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { contractModule, makeApp, PRESSABLE } from "./app.js";
import { bundleOnce, BUNDLERS, fileNamed, run } from "./bundlers.js";

describe.each(BUNDLERS)("with $name", (bundler) => {
  const bundle = (root: string, options?: AgentSurfaceCompilerOptions) =>
    bundleOnce(bundler, { root, plugins: [agentSurface(options)] });

  it("a bundle exports the authority over what its build proved", async () => {
    const root = makeApp(PRESSABLE);
    const files = await bundle(root);
    const { authority, manifest } = await run(root, files, "app.js");

    expect(manifest).toEqual(JSON.parse(fileNamed(files, CONTRACT_FILE).text));
    verifyManifest(manifest as CapabilityContractManifest);
    expect(authority).toMatchObject({ manifest: { hash: (manifest as CapabilityContractManifest).hash } });
    expect((manifest as CapabilityContractManifest).capabilities).toMatchObject([
      {
        capabilityId: "view:demo.button.press",
        declarationId: "src/contract.js#contract",
        targets: ["web-production"],
      },
    ]);
  });

  it("no placeholder is left in a bundle", async () => {
    const files = await bundle(makeApp(PRESSABLE));
    for (const file of files) expect(file.text).not.toContain("@agent-surface/placeholder:");
  });

  it("the contract is told to onManifest as it is written", async () => {
    const told: CapabilityContractManifest[] = [];
    const files = await bundle(makeApp(PRESSABLE), { onManifest: (manifest) => told.push(manifest) });
    expect(told).toEqual([JSON.parse(fileNamed(files, CONTRACT_FILE).text)]);
  });

  it("the contract is written under the name that was asked for, for the target that was named", async () => {
    const files = await bundle(makeApp(PRESSABLE), { fileName: "agent/contract.json", target: "kiosk" });
    expect(files.filter(({ fileName }) => fileName.endsWith(".json"))).toHaveLength(1);
    expect(JSON.parse(fileNamed(files, "agent/contract.json").text)).toMatchObject({ targets: ["kiosk"] });
  });

  it("with emit off nothing is written beside the bundle, and the authority is there all the same", async () => {
    const root = makeApp(PRESSABLE);
    const files = await bundle(root, { emit: false });
    expect(files.map(({ fileName }) => fileName)).toEqual(["app.js"]);
    await expect(run(root, files, "app.js")).resolves.toHaveProperty("manifest.formatVersion", 5);
  });

  it("a contract in a chunk that is loaded later is in the authority of the first", async () => {
    const root = makeApp({
      ...PRESSABLE,
      "src/main.js": `${PRESSABLE["src/main.js"]}export const later = () => import("./later.js");\n`,
      "src/later.js": contractModule("demo.later"),
    });
    const files = await bundle(root);
    const { manifest, later } = await run(root, files, "app.js");
    expect(manifest).toMatchObject({
      capabilities: [{ capabilityId: "view:demo.button.press" }, { capabilityId: "view:demo.later.press" }],
    });
    await expect((later as () => Promise<unknown>)()).resolves.toHaveProperty("contract");
  });

  it("each of several outputs has the authority and the contract", async () => {
    const root = makeApp(PRESSABLE);
    const outputs = await bundler.bundle({ root, plugins: [agentSurface()], outputs: ["first", "second"] });
    const contracts = outputs.map((files) => fileNamed(files, CONTRACT_FILE).text);
    expect(contracts).toHaveLength(2);
    expect(new Set(contracts).size).toBe(1);
    const manifests = [
      await run(root, outputs[0] ?? [], "first.js"),
      await run(root, outputs[1] ?? [], "second.js"),
    ];
    for (const { manifest } of manifests) expect(manifest).toEqual(JSON.parse(contracts[0] ?? ""));
  });

  it("a text of the app that looks like a placeholder stays as it is", async () => {
    const text =
      "@agent-surface/placeholder:manifest @agent-surface/placeholder:0 @agent-surface/placeholder:";
    const root = makeApp({
      ...PRESSABLE,
      "src/main.js": `${PRESSABLE["src/main.js"]}export const text = ${JSON.stringify(text)};\n`,
    });
    await expect(run(root, await bundle(root), "app.js")).resolves.toMatchObject({ text });
  });

  it("a macro in an installed package fails the build", async () => {
    const root = makeApp({
      ...PRESSABLE,
      "src/main.js": `${PRESSABLE["src/main.js"]}export { contract as foreign } from "foreign";\n`,
      "node_modules/foreign/package.json":
        '{ "name": "foreign", "version": "1.0.0", "main": "index.js", "type": "module" }',
      "node_modules/foreign/index.js": contractModule("foreign.thing"),
    });
    await expect(bundle(root)).rejects.toThrow(/foreign/);
  });

  it("two modules of a package that import each other don't keep the build waiting", async () => {
    const root = makeApp({
      ...PRESSABLE,
      "src/main.js": `${PRESSABLE["src/main.js"]}export { ping } from "cyclic";\n`,
      "node_modules/cyclic/package.json":
        '{ "name": "cyclic", "version": "1.0.0", "main": "ping.js", "type": "module" }',
      "node_modules/cyclic/ping.js": `// @agent-surface/core\nimport { pong } from "./pong.js"; export const ping = () => pong;\n`,
      "node_modules/cyclic/pong.js": `// @agent-surface/core\nimport { ping } from "./ping.js"; export const pong = () => ping;\n`,
    });
    await expect(run(root, await bundle(root), "app.js")).resolves.toHaveProperty("ping");
  });
});
