import { describe, expect, it } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { contractModule, makeApp, PRESSABLE } from "./app.js";
import {
  bundleOnce,
  BUNDLERS,
  fileNamed,
  ROLLDOWN,
  VITE_8,
  type Request,
  type TestPlugin,
} from "./bundlers.js";

/** A call that declares something, under a name of its own. */
const ADDED = `import { defineAgentComponentContract as late } from "@agent-surface/core";
export const added = late({ type: "demo.late", description: "Added later" });
`;

/** Changes one module of the app. */
const changing = (
  file: string,
  change: (code: string) => string,
  order: Partial<TestPlugin> = {},
): TestPlugin => ({
  name: "test:changing",
  transform: (code, id) => (id.endsWith(file) ? change(code) : null),
  ...order,
});

describe.each(BUNDLERS)("with $name, no macro call ships that was not analysed:", (bundler) => {
  /** Bundles the app with further plugins; after ours where they don't say otherwise. */
  const bundle = (files: Record<string, string>, plugins: TestPlugin[], more: Partial<Request> = {}) => {
    const root = makeApp({ ...PRESSABLE, ...files });
    const first = plugins.filter(({ enforce }) => enforce === "pre");
    const rest = plugins.filter(({ enforce }) => enforce !== "pre");
    return bundleOnce(bundler, { root, plugins: [...first, agentSurface(), ...rest], ...more });
  };

  it("one that a plugin adds later, to a module that names nothing of ours, is analysed", async () => {
    const plain = {
      "src/main.js": `export { plain, added } from "./plain.js";\n`,
      "src/plain.js": "export const plain = 1;\n",
    };
    for (const order of [{}, { enforce: "post" } as const]) {
      const adds = changing("plain.js", (code) => ADDED + code, order);
      expect(fileNamed(await bundle(plain, [adds]), "app.js").text).toMatch(/late.*src\/plain\.js#added/);
    }
  });

  it("one that a plugin adds later, to a module that declares a contract itself, is analysed", async () => {
    const adds = changing("contract.js", (code) => code + ADDED);
    const main = { "src/main.js": `export * from "./contract.js";\n` };
    expect(fileNamed(await bundle(main, [adds]), "app.js").text).toMatch(/late.*src\/contract\.js#added/);
  });

  it("a plugin that comes later takes the proof away", async () => {
    const takes = changing("contract.js", (code) =>
      code.replaceAll(/\/\* @__PURE__ \*\/ JSON\.parse\([^)]*\)/g, "({})"),
    );
    await expect(bundle({}, [takes])).rejects.toThrow(/unsupported-call[^]*src\/contract\.js:3:/);
  });

  it("a plugin that comes later lets the macro get away", async () => {
    const passes = changing(
      "contract.js",
      (code) => `${code}globalThis.declare = defineAgentComponentContract;\n`,
    );
    await expect(bundle({}, [passes])).rejects.toThrow(/escaped-macro/);
  });

  it("a plugin that comes later may do to the rest of the module what it likes", async () => {
    const harmless = changing(
      "contract.js",
      (code) => `const before = 1;\n${code}export const after = before;\n`,
    );
    const files = await bundle({}, [harmless]);
    const { capabilities } = JSON.parse(fileNamed(files, CONTRACT_FILE).text) as CapabilityContractManifest;
    expect(capabilities).toMatchObject([{ capabilityId: "view:demo.button.press" }]);
  });

  it("a plugin writes one where a file has none, and it is analysed", async () => {
    const writes: TestPlugin = {
      name: "test:writing",
      load: (id) => (id.endsWith("plain.js") ? contractModule("demo.written") : null),
    };
    const files = await bundle(
      { "src/main.js": `export * from "./plain.js";\n`, "src/plain.js": "export {};\n" },
      [writes],
    );
    const { capabilities } = JSON.parse(fileNamed(files, CONTRACT_FILE).text) as CapabilityContractManifest;
    expect(capabilities).toMatchObject([{ declarationId: "src/plain.js#contract" }]);
  });

  it("a module that no file holds reaches one under a name of the app", async () => {
    const madeUp: TestPlugin = {
      name: "test:made-up",
      resolveId: (specifier) => (specifier === "made-up" ? "\0made-up" : null),
      load: (id) =>
        id === "\0made-up"
          ? `import { declare } from "surface"; export const made = declare({ type: "demo.made", description: "Made up" });\n`
          : null,
    };
    const files = {
      "src/main.js": `export { made } from "made-up";\n`,
      "node_modules/surface/package.json": '{ "name": "surface", "main": "index.js", "type": "module" }',
      "node_modules/surface/index.js": `export { defineAgentComponentContract as declare } from "@agent-surface/core";\n`,
    };
    await expect(bundle(files, [madeUp])).rejects.toThrow(/made-up/);
  });

  it("a barrel that passes it on is imported while the page runs", async () => {
    const files = {
      "src/main.js": `export const late = import("./barrel.js").then(({ declare }) => declare({ type: "x", description: "x" }));\n`,
      "src/barrel.js": `export { defineAgentComponentContract as declare } from "@agent-surface/core";\n`,
    };
    await expect(bundle(files, [])).rejects.toThrow(/escaped-macro/);
  });

  it("the core stays outside of the bundle", async () => {
    const plain = {
      "src/main.js": `export { plain, added } from "./plain.js";\n`,
      "src/plain.js": "export const plain = 1;\n",
    };
    const adds = changing("plain.js", (code) => ADDED + code);
    const files = await bundle(plain, [adds], { external: ["@agent-surface/core"] });
    expect(fileNamed(files, "app.js").text).toMatch(/late.*src\/plain\.js#added/);
  });
});

describe.each([VITE_8, ROLLDOWN])("with $name", (bundler) => {
  it("a module that is required is no way round", async () => {
    const root = makeApp({
      "src/main.js": `export const { declare } = require("./barrel.js");\n`,
      "src/barrel.js": `export { defineAgentComponentContract as declare } from "@agent-surface/core";\n`,
    });
    await expect(bundleOnce(bundler, { root, plugins: [agentSurface()] })).rejects.toThrow(/escaped-macro/);
  });
});

describe.each(BUNDLERS)("with $name, a build warns", (bundler) => {
  it("once of each capability that is declared twice, and of each contract that nothing binds", async () => {
    const root = makeApp({
      "src/main.js": `import { bound } from "./bound.js";
import "./unbound.js";
export const use = () => bound.bind({});
export { default as authority } from "virtual:agent-surface-contract";
`,
      "src/bound.js": contractModule("demo.same", "bound"),
      "src/unbound.js": contractModule("demo.same", "unbound"),
    });
    const heard: string[] = [];
    await bundler.bundle({
      root,
      plugins: [agentSurface()],
      outputs: ["first", "second"],
      onWarn: (_, message) => {
        const code = /agent-surface\(([a-z-]+)\)/.exec(message)?.[1];
        if (code !== undefined) heard.push(code);
      },
    });
    expect(heard).toHaveLength(2);
    expect(new Set(heard)).toEqual(new Set(["duplicate-capability", "unbound-contract"]));
  });

  it("of nothing where a library exports its contracts", async () => {
    const root = makeApp(PRESSABLE);
    const heard: string[] = [];
    await bundler.bundle({
      root,
      plugins: [agentSurface()],
      onWarn: (_, message) => void (message.includes("agent-surface(") && heard.push(message)),
    });
    expect(heard).toEqual([]);
  });
});
