import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build as build8, type Plugin } from "vite";
import { build as build7 } from "vite7";
import { describe, expect, it } from "vitest";
import { contractModule, makeApp } from "../test/app.js";
import { agentSurface, compileCapabilityContract, ContractError } from "./index.js";
import { createScan, PluginMissing } from "./scan.js";

const APP = {
  "index.html": '<script type="module" src="/src/main.ts"></script>\n',
  "src/main.ts": `import authority from "virtual:agent-surface-contract";
import { contract } from "./contract";
console.log(authority, contract);
`,
  "src/contract.ts": contractModule("demo.button"),
};

/** A plugin that notes which hooks of its are called. */
function witness(called: string[]): Plugin {
  return {
    name: "witness",
    buildStart: () => void called.push("buildStart"),
    buildEnd: () => void called.push("buildEnd"),
    renderStart: () => void called.push("renderStart"),
    generateBundle: () => void called.push("generateBundle"),
    writeBundle: () => void called.push("writeBundle"),
    closeBundle: () => void called.push("closeBundle"),
  };
}

describe.each([
  { name: "Vite 8", build: build8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", build: build7 as unknown as typeof build8 },
])("a scan by $name", ({ build }) => {
  const scanApp = async (root: string, plugins: Plugin[], target?: string) => {
    const scan = createScan(target === undefined ? {} : { target });
    const config = { root, configFile: false as const, logLevel: "silent" as const };
    await expect(build({ ...config, plugins: [...plugins, ...scan.plugins] })).rejects.toThrow("scan ended");
    const text = scan.proof()?.manifestText;
    return text === undefined ? undefined : (JSON.parse(text) as unknown);
  };

  it("proves what a build proves, with and without an agentSurface() in the config", async () => {
    const root = makeApp(APP);
    let built: unknown;
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      build: { write: false },
      plugins: [agentSurface({ onManifest: (manifest) => (built = manifest) })],
    });
    expect(built).toHaveProperty("capabilities.length", 1);
    await expect(scanApp(root, [])).resolves.toEqual(built);
    await expect(scanApp(root, [agentSurface()])).resolves.toEqual(built);
  });

  it("ends with the graph: nothing is rendered, written or closed", async () => {
    const root = makeApp(APP);
    const before = readdirSync(root);
    const called: string[] = [];
    await scanApp(root, [witness(called)]);
    expect(called).toEqual(["buildStart", "buildEnd"]);
    expect(readdirSync(root)).toEqual(before);
  });

  it("tells nobody else what it finds", async () => {
    const told: unknown[] = [];
    await scanApp(makeApp(APP), [agentSurface({ onManifest: (manifest) => told.push(manifest) })]);
    expect(told).toEqual([]);
  });

  it("tells how a capability came about where it is asked to, whoever's plugin does the work", async () => {
    const root = makeApp({
      ...APP,
      "src/contract.ts": contractModule("demo.button").replace('"Press it"', "words.press"),
      "src/words.ts": 'export const words = { press: "Press it" };\n',
    });
    const text = readFileSync(join(root, "src/contract.ts"), "utf8");
    writeFileSync(join(root, "src/contract.ts"), `import { words } from "./words";\n${text}`);
    for (const plugins of [[], [agentSurface()]]) {
      const scan = createScan({ explain: "view:demo.button.press" });
      const config = { root, configFile: false as const, logLevel: "silent" as const };
      // oxlint-disable-next-line no-await-in-loop
      await expect(build({ ...config, plugins: [...plugins, ...scan.plugins] })).rejects.toThrow(
        "scan ended",
      );
      expect(scan.explanations()).toMatchObject([
        {
          declarationId: "src/contract.ts#contract",
          file: "src/contract.ts",
          constants: [{ name: "words", file: "src/words.ts", line: 1, column: 14 }],
          // A call of nothing imported is told by the import it needs.
          binders: [{ name: "contract", file: "src/main.ts" }],
        },
      ]);
    }
  });

  it("ends before anything is built where it needs the app's own plugin and there is none", async () => {
    const called: string[] = [];
    const scan = createScan({ needsPlugin: true });
    const config = { root: makeApp(APP), configFile: false as const, logLevel: "silent" as const };
    const plugins = [witness(called), ...scan.plugins];
    await expect(build({ ...config, plugins })).rejects.toThrow(PluginMissing);
    expect(called).toEqual([]);
    expect(scan.stage()).toBe("graph");
  });

  it("lets the target it was given win over the app's own", async () => {
    const plugins = [agentSurface({ target: "own" })];
    await expect(scanApp(makeApp(APP), plugins, "given")).resolves.toHaveProperty("targets", ["given"]);
    await expect(scanApp(makeApp(APP), [agentSurface({ target: "own" })])).resolves.toHaveProperty(
      "targets",
      ["own"],
    );
  });
});

/** A config whose plugin says where it stands and which mode it was told. It is another copy of this package. */
const config = (name: string): string => `
import { agentSurface } from ${JSON.stringify(import.meta.resolve("../dist/index.js"))};
export default ({ mode }) => ({ plugins: [agentSurface({ target: "${name}-" + mode })] });
`;

describe("compileCapabilityContract", () => {
  it("takes the app's own config, or the one it is told, in the mode it is told", async () => {
    const root = makeApp({ ...APP, "vite.config.js": config("found"), "other.config.js": config("other") });
    const targetsOf = async (options: object) =>
      (await compileCapabilityContract({ root, ...options })).targets;
    expect(await targetsOf({})).toEqual(["found-production"]);
    expect(await targetsOf({ configFile: "other.config.js" })).toEqual(["other-production"]);
    expect(await targetsOf({ vite: { mode: "staging" } })).toEqual(["found-staging"]);
    expect(await targetsOf({ target: "given" })).toEqual(["given"]);
  });

  it("throws the report alone when the contract is refused", async () => {
    const root = makeApp({
      ...APP,
      "src/contract.ts": contractModule("demo.button").replace('"A thing to press"', "document.title"),
    });
    await expect(compileCapabilityContract({ root })).rejects.toSatisfy(
      (error) => error instanceof ContractError && !error.message.startsWith("Build failed"),
    );
  });

  it("throws what Vite throws when the graph cannot be built", async () => {
    const root = makeApp({ ...APP, "src/contract.ts": 'import "./missing";\n' });
    await expect(compileCapabilityContract({ root })).rejects.toThrow(/missing/);
  });

  it("does not watch, also where the app's config does", async () => {
    const root = makeApp(APP);
    const contract = await compileCapabilityContract({ root, vite: { build: { watch: {} } } });
    expect(contract.capabilities).toHaveLength(1);
  });
});

it("agentSurface() in the plugins twice is an error", async () => {
  const plugins = [agentSurface(), agentSurface()];
  await expect(
    build8({ root: makeApp(APP), configFile: false, logLevel: "silent", plugins }),
  ).rejects.toThrow(/2 times/);
});
