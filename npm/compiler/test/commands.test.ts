/** What a person types, typed: processes of Vite and Vitest, with all of their options. */
import { spawn, type ChildProcess } from "node:child_process";

import { cpSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { canonicalManifestJson, CONTRACT_FILE, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { contractModule, installPackages, installVite, makeApp } from "./app.js";

const COMPILER = fileURLToPath(new URL("..", import.meta.url));

/** A config that says what it was told; `rest` is more of it. */
const config = (rest = "") => `import { agentSurface } from "@agent-surface/compiler";
import { defineConfig } from "vite";

export default defineConfig(({ command, mode }) => ({
  ${rest}
  plugins: [agentSurface()],
  define: { TOLD: JSON.stringify(command + " in " + mode) },
}));
`;

/** An app in a folder of a workspace, with configs in either. */
function makeWorkspace(vite: string): string {
  const workspace = makeApp({
    "other.config.ts": config('root: "apps/shop",'),
    "apps/shop/package.json": '{ "name": "shop", "private": true, "type": "module" }',
    "apps/shop/vite.config.ts": config(),
    "apps/shop/other.config.ts": config(
      'build: { rolldownOptions: {}, lib: { entry: "src/lib.ts", formats: ["es"] } },',
    ),
    "apps/shop/index.html": '<script type="module" src="/src/main.ts"></script>\n',
    "apps/shop/.env.staging": "VITE_WORD=Push\n",
    "apps/shop/src/main.ts": contractModule("demo.page").replace(
      '"Press it"',
      "`${import.meta.env.VITE_WORD ?? 'Press'}: ${TOLD}`",
    ),
    "apps/shop/src/lib.ts": contractModule("demo.lib").replace('"Press it"', "TOLD"),
    "apps/shop/src/contract.test.ts": `import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { manifest } from ${JSON.stringify(VIRTUAL_CONTRACT_ID)};
it("has a contract", () => {
  expect(manifest.hash).toBeDefined();
  writeFileSync(new URL("../tested.json", import.meta.url), JSON.stringify(manifest));
});
`,
  });
  installPackages(workspace, ["vitest"]);
  installVite(workspace, vite);
  symlinkSync(COMPILER, join(workspace, "node_modules/@agent-surface/compiler"), "dir");
  return workspace;
}

/** Starts a package's command, as a shell would: without what this process was given by the Vitest it runs in. */
function start(
  cwd: string,
  script: string,
  args: readonly string[],
  more: Record<string, string> = {},
): ChildProcess {
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(?:VITEST|NODE_ENV|MODE|DEV|PROD|TEST|BASE_URL|SSR)/.test(name),
    ),
  );
  const child = spawn(process.execPath, [script, ...args], { cwd, env: { ...env, NO_COLOR: "1", ...more } });
  onTestFinished(() => void child.kill());
  return child;
}

/** Runs one to its end. */
async function run(
  cwd: string,
  script: string,
  args: readonly string[],
  more: Record<string, string> = {},
): Promise<void> {
  const child = start(cwd, script, args, more);
  let printed = "";
  child.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(`${printed}\n${String(code)}`).toMatch(/\n0$/);
}

/** The contract that a dev server hands out to whoever asks it over the network. */
async function servedBy(child: ChildProcess, printed: string[] = []): Promise<string> {
  if (child.stdout === null) throw new Error("nobody listens");
  for await (const line of createInterface(child.stdout)) {
    printed.push(line);
    const [, url] = /Local: +(http\S+)/.exec(stripVTControlCharacters(line)) ?? [];
    if (url === undefined) continue;
    const response = await fetch(new URL(`/@id/__x00__${VIRTUAL_CONTRACT_ID}`, url));
    const [, literal = "''"] = /JSON\.parse\(('.*')\)/.exec(await response.text()) ?? [];
    child.kill();
    // oxlint-disable-next-line typescript/no-implied-eval -- the literal of a text, in which quotes are escaped
    const text = new Function(`return ${literal}`)() as string;
    return canonicalManifestJson(JSON.parse(text) as CapabilityContractManifest);
  }
  throw new Error(`the server ended: ${printed.join("\n")}`);
}

/** A command line: where it is typed, and what behind `vite` and `vite build`. */
interface Line {
  name: string;
  cwd?: string;
  args: string[];
  /** A part of the contract that shows that all was heeded. */
  has: string;
}

const LINES: readonly Line[] = [
  { name: "in the app's folder", cwd: "apps/shop", args: [], has: "Press: build in production" },
  { name: "with the app's folder behind it", args: ["apps/shop"], has: "Press: build in production" },
  {
    name: "with --mode",
    args: ["apps/shop", "--mode", "staging"],
    has: "Push: build in staging",
  },
  {
    name: "with --config, which names another root",
    args: ["--config", "other.config.ts"],
    has: "Press: build in production",
  },
  {
    name: "with --config beside the app's own, and --mode",
    cwd: "apps/shop",
    args: ["--config", "other.config.ts", "-m", "staging"],
    has: '"build in staging"',
  },
];

describe.each([
  { name: "Vite 8", vite: "vite" },
  { name: "Vite 7", vite: "vite7" },
])("$name, typed", ({ vite }) => {
  it.each(LINES)("$name, serves what it builds", async ({ cwd = ".", args, has }) => {
    const workspace = makeWorkspace(vite);
    const bin = join(workspace, "node_modules/vite/bin/vite.js");
    await run(join(workspace, cwd), bin, ["build", ...args]);
    const built = readFileSync(join(workspace, "apps/shop/dist", CONTRACT_FILE), "utf8");
    expect(built).toContain(has);
    const server = start(join(workspace, cwd), bin, [...args, "--port", "0"]);
    expect(await servedBy(server)).toBe(built);
  });
});

describe("Vitest, typed", () => {
  const TESTED: readonly Line[] = [
    { name: "in the app's folder", cwd: "apps/shop", args: [], has: "Press: build in production" },
    { name: "with --root", args: ["--root", "apps/shop"], has: "Press: build in production" },
    { name: "with --config", args: ["--config", "other.config.ts"], has: "Press: build in production" },
    {
      name: "with --root, --config and --mode",
      args: ["--root", "apps/shop", "--config", "other.config.ts", "--mode", "staging"],
      has: '"build in staging"',
    },
  ];

  it.each(TESTED)("$name, tests what Vite builds", async ({ cwd = ".", args, has }) => {
    const workspace = makeWorkspace("vite");
    const vitest = join(workspace, "node_modules/vitest/vitest.mjs");
    await run(join(workspace, cwd), vitest, ["run", ...args]);
    const tested = readFileSync(join(workspace, "apps/shop/tested.json"), "utf8");
    const contract = canonicalManifestJson(JSON.parse(tested) as CapabilityContractManifest);
    expect(contract).toContain(has);
    // For Vitest a config is one of the root's, for Vite one of the folder where it is typed.
    const [option, folder = "", ...others] = args;
    const [from, rest] = option === "--root" ? [folder, others] : [cwd, args];
    await run(join(workspace, from), join(workspace, "node_modules/vite/bin/vite.js"), ["build", ...rest]);
    expect(contract).toBe(readFileSync(join(workspace, "apps/shop/dist", CONTRACT_FILE), "utf8"));
  });
});

/** A package as Yarn installs it. */
interface Installed {
  location: string;
  dependencies: string[];
}

/** What Yarn writes: which package has which dependencies, and where each lies. */
const stateOf = (packages: Record<string, Installed>): string =>
  JSON.stringify({
    __info: [],
    enableTopLevelFallback: true,
    fallbackExclusionList: [],
    fallbackPool: [],
    ignorePatternData: null,
    dependencyTreeRoots: [{ name: "shop", reference: "workspace:." }],
    packageRegistryData: [
      [null, [[null, entryOf(packages["shop"])]]],
      ...Object.entries(packages).map(([name, it]) => [
        name,
        [[name === "shop" ? "workspace:." : "npm:1.0.0", entryOf(it)]],
      ]),
    ],
  });
const entryOf = (it?: Installed) => ({
  packageLocation: it?.location,
  packageDependencies: it?.dependencies.map((name) => [name, "npm:1.0.0"]),
  linkType: "HARD",
});

describe("Yarn's PnP", () => {
  it("has its packages found by the bundler, and one line says so", async () => {
    const core = "./.yarn/unplugged/core/node_modules/@agent-surface/core/";
    const kit = "./.yarn/unplugged/kit/node_modules/kit/";
    const root = makeApp({
      "package.json": '{ "name": "shop", "private": true, "type": "module" }',
      // In part: Node itself goes on to find what runs the build where the workspace has it.
      ".pnp.cjs": `const RAW_RUNTIME_STATE =
'${stateOf({
        shop: { location: "./", dependencies: ["kit", "@agent-surface/core"] },
        kit: { location: kit, dependencies: ["@agent-surface/core"] },
        "@agent-surface/core": { location: core, dependencies: [] },
      })}';
Object.defineProperty(process.versions, "pnp", { value: "3" });
`,
      "index.html": '<script type="module" src="/src/main.js"></script>\n',
      "vite.config.mjs": `import { agentSurface } from "@agent-surface/compiler";\nexport default { plugins: [agentSurface()] };\n`,
      "src/main.js": `import "kit";\n${contractModule("demo.shop")}`,
      [`${kit}package.json`]: '{ "name": "kit", "version": "1.0.0", "type": "module", "main": "index.js" }',
      [`${kit}index.js`]: 'import "../../../../../src/more.js";\n',
      "src/more.js": contractModule("demo.more"),
    });
    cpSync(fileURLToPath(new URL("../../core", import.meta.url)), join(root, core), {
      recursive: true,
      filter: (path) => !/[\\/](?:node_modules|src|test)$/.test(path),
    });
    installVite(root);
    symlinkSync(COMPILER, join(root, "node_modules/@agent-surface/compiler"), "dir");
    const bin = join(root, "node_modules/vite/bin/vite.js");
    const env = { NODE_OPTIONS: `--require ${join(root, ".pnp.cjs")}`, DEBUG: "agent-surface" };
    await run(root, bin, ["build"], env);
    const built = readFileSync(join(root, "dist", CONTRACT_FILE), "utf8");
    expect(built).toContain("view:demo.more.press");
    expect(built).toContain("view:demo.shop.press");
    const printed: string[] = [];
    expect(await servedBy(start(root, bin, ["--port", "0"], env), printed)).toBe(built);
    expect(printed.filter((line) => line.includes("agent-surface:"))).toEqual([
      expect.stringContaining("by a scan"),
    ]);
    expect(printed.join("\n")).toContain("since a crawl cannot: packages are where Yarn's PnP has them");
  });
});
