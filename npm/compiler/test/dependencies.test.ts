/** What `docs/dependencies.md` says, done: a library is built, packed, installed in each layout, and used. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { build, createServer, type BuildOptions, type InlineConfig, type UserConfig } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  agentSurface,
  compileCapabilityContract,
  type AgentSurfaceCompilerOptions,
} from "@agent-surface/compiler";
import type {
  AgentSurfaceRegistry,
  CapabilityAuthority,
  CapabilityContractManifest,
} from "@agent-surface/core";
import { contractModule, createApp, installPackages, makeApp, writeFiles, type Files } from "./app.js";
import { bundleOnce, BUNDLERS, fileNamed, run, VITE_8 } from "./bundlers.js";

const PAGE = readFileSync(fileURLToPath(new URL("../docs/dependencies.md", import.meta.url)), "utf8");

/** The files that the page shows, each below its name, in the folder that its path begins with. */
function filesOf(folder: string): Files {
  const shown = PAGE.matchAll(/^`([\w./-]+)`\n\n```\w+\n([^]*?)^```$/gm);
  const files = [...shown].map(([, path = "", text = ""]) => [path, text] as const);
  const prefix = `${folder}/`;
  return Object.fromEntries(
    files
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, text]) => [path.slice(prefix.length), text]),
  );
}

/** One of them. */
function fileOf(folder: string, path: string): string {
  const text = filesOf(folder)[path];
  if (text === undefined) throw new Error(`the page shows no ${folder}/${path}`);
  return text;
}

const CONFIG = "vite.config.js";
const CONTRACT = "dist/agent-surface.contract.json";

/** Runs `vite build` in a folder, by the config there, as far as that can be done without this package installed. */
async function viteBuild(root: string, inline: InlineConfig = {}): Promise<void> {
  const text = readFileSync(join(root, CONFIG), "utf8");
  // The config that the page shows, in this process: its imports are here already.
  const body = text.replaceAll(/^import .*\n/gm, "").replace("export default", "return");
  // oxlint-disable-next-line typescript/no-implied-eval -- the page's own text, which is what is tested
  const config = new Function("agentSurface", "defineConfig", body)(
    agentSurface,
    (given: UserConfig) => given,
  ) as UserConfig;
  await build({ logLevel: "silent", configFile: false, root, ...config, ...inline });
}

/** As the page's config has it, but for one file whose whitespace is minified too, which Vite spares libraries otherwise. */
const LIBRARY: BuildOptions = {
  rolldownOptions: {
    input: "src/charts.js",
    preserveEntrySignatures: "strict",
    external: [/^@agent-surface\//],
    output: { entryFileNames: "charts.js" },
  },
};

/** The library as the page has it: built, packed and unpacked into `package`. */
async function packLibrary(): Promise<string> {
  const root = createApp(filesOf("charts"));
  await viteBuild(root);
  execFileSync("npm", ["pack", "--silent"], { cwd: root });
  const archive = readdirSync(root).find((name) => name.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["xzf", archive], { cwd: root });
  return root;
}

/** A way to lay packages out on disk. */
interface Layout {
  name: string;
  /** The app's folder below the workspace's. */
  app: string;
  /** Where the library's files lie, from the workspace. */
  at: string;
  /** Where a link to them stands, if one does. */
  link?: string;
}

const NPM: Layout = { name: "npm", app: ".", at: "node_modules/@acme/charts" };
const STORE = "node_modules/.pnpm/@acme+charts@1.0.0_x/node_modules/@acme/charts";
const PNPM: Layout = { name: "pnpm", app: ".", at: STORE, link: "node_modules/@acme/charts" };

const LAYOUTS: readonly Layout[] = [
  NPM,
  { ...NPM, name: "npm, hoisted to a workspace", app: "apps/shop" },
  PNPM,
  {
    name: "pnpm, in a workspace",
    app: "apps/shop",
    at: STORE,
    link: "apps/shop/node_modules/@acme/charts",
  },
];

/** An app with the library installed; its folder, by its real path. */
function installed(library: string, layout: Layout): string {
  const workspace = makeApp({});
  const app = join(workspace, layout.app);
  writeFiles(app, {
    "package.json": '{ "name": "shop", "private": true, "type": "module" }',
    ...filesOf("shop"),
  });
  cpSync(library, join(workspace, layout.at), { recursive: true });
  if (layout.link !== undefined) {
    const link = join(workspace, layout.link);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(relative(dirname(link), join(workspace, layout.at)), link, "dir");
  }
  return app;
}

type Allowed = NonNullable<NonNullable<AgentSurfaceCompilerOptions["externalContracts"]>["allow"]>;

/** The entries that a failing build prints. */
async function printedEntries(building: Promise<unknown>): Promise<Allowed> {
  const message = await building.then(
    () => expect.unreachable("the build passed"),
    // A bundler that takes its output for a terminal's paints it, as Rolldown does in CI.
    (error: unknown) => stripVTControlCharacters((error as Error).message),
  );
  return [...message.matchAll(/^ *\{\n[^}]*\n *\}$/gm)].map(([text]) => JSON.parse(text) as Allowed[number]);
}

/** Canonical JSON, as a digest is made of it, by nobody's code but this test's. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value as Record<string, unknown>).map(
    ([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`,
  );
  // The quote behind a name comes before any letter, so that the order of the members is that of their names.
  members.sort();
  return `{${members.join(",")}}`;
}

const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

const bundleApp = (root: string, allow: Allowed, bundler = VITE_8) =>
  bundleOnce(bundler, { root, plugins: [agentSurface({ externalContracts: { allow } })] });

/** A package whose source has a macro call. */
const widget = (name = "widget"): Files => ({
  "package.json": `{ "name": "${name}", "version": "1.0.0", "main": "index.js", "type": "module" }`,
  "index.js": contractModule("widget.thing"),
});

describe("a library that ships its contract file", () => {
  let built = "";
  let library = "";
  let contract: CapabilityContractManifest;
  let digest = "";
  let entry = { package: "@acme/charts", digest };

  beforeAll(async () => {
    built = await packLibrary();
    library = join(built, "package");
    const text = readFileSync(join(library, CONTRACT), "utf8");
    contract = JSON.parse(text) as CapabilityContractManifest;
    digest = sha256(text);
    entry = { ...entry, digest };
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  const exporting = `${fileOf("shop", "src/main.js")}export { default as authority, manifest } from "virtual:agent-surface-contract";\n`;
  it("publishes code and contract, and nothing else", () => {
    const files = readdirSync(library, { recursive: true, encoding: "utf8" });
    expect(new Set(files)).toEqual(new Set(["dist", CONTRACT, "dist/charts.js", "package.json"]));
    expect(contract.capabilities).toMatchObject([
      { capabilityId: "view:charts.chart.zoom", declarationId: "src/charts.js#chartContract" },
    ]);
  });

  it.each(LAYOUTS)(
    "is refused, approved by what the refusal prints, and used, installed by $name",
    async (layout) => {
      const root = installed(library, layout);
      writeFiles(root, { "src/main.js": exporting });
      const printed = await printedEntries(bundleApp(root, []));
      expect(printed).toEqual([entry]);

      const files = await bundleApp(root, printed);
      const { registry, range, manifest } = await run(root, files, "app.js");
      // Of the layout nothing is left but where the file lies.
      expect(manifest).toMatchObject({
        capabilities: contract.capabilities,
        externalContracts: [
          {
            package: "@acme/charts",
            route: "sidecar",
            contractDigest: digest,
            source: join(relative(layout.app, layout.at), CONTRACT),
            authorization: { mode: "pinned", expectedDigest: digest },
          },
        ],
      });
      expect((manifest as CapabilityContractManifest).capabilities).toEqual(contract.capabilities);

      const result = await (registry as AgentSurfaceRegistry).invoke({
        capabilityId: "view:charts.chart.zoom",
        input: { from: 7, to: 14 },
      });
      expect(result).toMatchObject({ status: "ok" });
      expect(range).toEqual({ from: 7, to: 14 });
    },
  );

  it.each(BUNDLERS)("has its contract under the app's own authority, bundled by $name", async (bundler) => {
    const root = installed(library, NPM);
    const { registry } = await run(root, await bundleApp(root, [entry], bundler), "app.js");
    const { components } = (registry as AgentSurfaceRegistry).snapshot();
    expect(components).toMatchObject([{ type: "charts.chart" }]);
  });

  it.each(["oxc", "esbuild", "terser"] as const)("may be minified by %s", async (minify) => {
    const source = makeApp(filesOf("charts"));
    await viteBuild(source, { build: { ...LIBRARY, minify } });
    const code = readFileSync(join(source, "dist/charts.js"), "utf8");
    expect(code.trim().split("\n")).toHaveLength(1);
    const root = installed(source, NPM);
    writeFiles(root, { "src/main.js": exporting });
    const { registry, manifest } = await run(root, await bundleApp(root, [entry]), "app.js");
    expect(manifest).toMatchObject({ externalContracts: [{ contractDigest: digest }] });
    expect((registry as AgentSurfaceRegistry).snapshot().components).toHaveLength(1);
  });

  it("has the contract that the page's config approves", async () => {
    const root = installed(library, NPM);
    writeFiles(root, { [CONFIG]: fileOf("shop", CONFIG).replace("DIGEST", digest) });
    await viteBuild(root, { build: { rolldownOptions: { input: join(root, "src/main.js") } } });
    const built = JSON.parse(readFileSync(join(root, CONTRACT), "utf8")) as CapabilityContractManifest;
    expect(built.externalContracts).toHaveLength(1);
    expect(PAGE).toContain("`@acme/charts` contributes 1 capability by its contract");
  });

  it("fails the build that approved it once it contributes something else, with both digests", async () => {
    const root = installed(library, NPM);
    const approved = "0".repeat(64);
    const building = bundleApp(root, [{ ...entry, digest: approved }]);
    await expect(building).rejects.toThrow(new RegExp(`approved +${approved}[^]*this build +${digest}`));
  });

  it("is named by its path where no module leads to it", async () => {
    const root = installed(library, PNPM);
    writeFiles(root, { "src/main.js": 'export { manifest } from "virtual:agent-surface-contract";\n' });
    const path = "node_modules/@acme/charts/dist/agent-surface.contract.json";
    const { manifest } = await run(root, await bundleApp(root, [{ ...entry, path }]), "app.js");
    expect(manifest).toMatchObject({ externalContracts: [{ package: "@acme/charts", source: path }] });
    // Unless it is named, it is not there.
    const without = await run(root, await bundleApp(root, [entry]), "app.js");
    expect(without["manifest"]).toMatchObject({ externalContracts: [], capabilities: [] });
    const wrong = bundleApp(root, [{ ...entry, package: "@acme/other", path }]);
    await expect(wrong).rejects.toThrow(/belongs to `@acme\/charts`/);
    expect(PAGE).toContain(`path: "${path}"`);
  });

  it("has the served app's authority too, in the page and on the server", async () => {
    const root = installed(library, PNPM);
    writeFiles(root, {
      "index.html": '<script type="module" src="/src/main.js"></script>\n',
      "src/main.js": exporting,
    });
    const server = await createServer({
      root,
      configFile: false,
      logLevel: "silent",
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: [agentSurface({ externalContracts: { allow: [entry] } })],
    });
    onTestFinished(() => server.close());

    const { client } = server.environments;
    const found = await client.pluginContainer.resolveId("@acme/charts", join(root, "src/main.js"));
    const page = (await client.transformRequest(found?.id ?? ""))?.code;
    const { registry, authority } = (await server.ssrLoadModule("/src/main.js")) as {
      registry: AgentSurfaceRegistry;
      authority: CapabilityAuthority;
    };
    expect(authority.manifest.capabilities).toEqual(contract.capabilities);
    expect(page).toContain(authority.manifest.hash);
    expect(page).not.toContain(contract.hash);
    expect(registry.snapshot().components).toMatchObject([{ type: "charts.chart" }]);
  });

  it("has the authority of an app that Vitest runs", () => {
    const root = installed(library, NPM);
    installPackages(root, ["vitest"]);
    writeFiles(root, {
      "vitest.config.js": `import { agentSurface } from ${JSON.stringify(import.meta.resolve("@agent-surface/compiler"))};
const allow = [${JSON.stringify(entry)}];
export default {
  build: { rolldownOptions: { input: "src/main.js" } },
  plugins: [agentSurface({ externalContracts: { allow } })],
};
`,
      "src/main.test.js": `import { expect, it } from "vitest";
import { range, registry } from "./main.js";

it("zooms", async () => {
  const input = { from: 7, to: 14 };
  const result = await registry.invoke({ capabilityId: "view:charts.chart.zoom", input });
  expect(result).toMatchObject({ status: "ok" });
  expect(range).toEqual(input);
});
`,
    });
    const binary = fileURLToPath(new URL("../../../node_modules/vitest/vitest.mjs", import.meta.url));
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")),
    );
    const printed = execFileSync(process.execPath, [binary, "run"], { cwd: root, encoding: "utf8", env });
    expect(printed).toMatch(/1 passed/);
  });

  it("is part of a server's build, which would leave other packages to Node", async () => {
    const root = installed(library, NPM);
    const result = await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface({ externalContracts: { allow: [entry] } })],
      build: { ssr: "src/main.js", write: false },
    });
    const files = [result].flat().flatMap((output) => ("output" in output ? output.output : []));
    const code = files.find(({ fileName }) => fileName === "main.js");
    expect(code).toHaveProperty("code", expect.stringContaining("charts.chart"));
    expect(code).not.toHaveProperty("code", expect.stringContaining(contract.hash));
  });

  it("is held against its code: what was edited after the build is refused", async () => {
    const root = installed(library, NPM);
    const file = join(root, "node_modules/@acme/charts/dist/charts.js");
    const code = readFileSync(file, "utf8");
    writeFiles(dirname(file), { "charts.js": code.replace("Zoom in on", "Delete all of") });
    await expect(bundleApp(root, [entry])).rejects.toThrow(/stale-contract/);
    rmSync(join(root, "node_modules/@acme/charts", CONTRACT));
    await expect(bundleApp(root, [entry])).rejects.toThrow(/bad-contract-file/);
  });

  it("is the app's word beside that of its config, for one who compiles without a build", async () => {
    const root = installed(library, NPM);
    writeFiles(root, { "index.html": '<script type="module" src="/src/main.js"></script>\n' });
    const compile = (own: Allowed, given: Allowed) =>
      compileCapabilityContract({
        root,
        externalContracts: { allow: given },
        vite: { configFile: false, plugins: [agentSurface({ externalContracts: { allow: own } })] },
      });
    await expect(compile([], [])).rejects.toThrow(/unapproved-contract/);
    const other = { package: "other", digest: "0".repeat(64) };
    await expect(compile([other], [entry])).resolves.toHaveProperty("externalContracts.length", 1);
    await expect(compile([entry], [other])).resolves.toHaveProperty("externalContracts.length", 1);
  });
});

describe("a dependency with macros in its source", () => {
  const MAIN = {
    "src/main.js":
      'export { manifest } from "virtual:agent-surface-contract";\nexport { contract } from "widget";\n',
  };

  it("is admitted by the digest of its canonical entries", async () => {
    const root = makeApp(MAIN);
    writeFiles(join(root, "node_modules/widget"), widget());
    const entries = await printedEntries(bundleApp(root, []));
    const { manifest } = await run(root, await bundleApp(root, entries), "app.js");
    const { capabilities, externalContracts } = manifest as CapabilityContractManifest;
    expect(entries).toEqual([{ package: "widget", digest: sha256(`${canonical(capabilities)}\n`) }]);
    expect(externalContracts).toMatchObject([{ route: "source", source: "node_modules/widget/index.js" }]);
  });

  it("is the project's own where a workspace links it", async () => {
    const root = makeApp(MAIN);
    writeFiles(join(root, "packages/widget"), widget());
    symlinkSync("../packages/widget", join(root, "node_modules/widget"), "dir");
    const { manifest } = await run(root, await bundleApp(root, []), "app.js");
    expect(manifest).toMatchObject({
      externalContracts: [],
      capabilities: [{ declarationId: "packages/widget/index.js#contract" }],
    });
  });

  it("is a dependency under any alias, and by no other's name", async () => {
    const root = makeApp(MAIN);
    // As `"widget": "npm:original@1"` installs it, with a folder inside that calls itself something else.
    const folder = join(root, "node_modules/widget");
    writeFiles(folder, {
      ...widget("original"),
      "index.js": 'export { contract } from "./lib/index.js";\n',
      "lib/package.json": '{ "name": "trusted", "type": "module" }',
      "lib/index.js": contractModule("widget.thing"),
    });
    const entries = await printedEntries(bundleApp(root, []));
    expect(entries).toMatchObject([{ package: "original" }]);
    const trusted = entries.map(({ digest }) => ({ package: "trusted", digest }));
    await expect(bundleApp(root, trusted)).rejects.toThrow(/unapproved-contract/);
    await expect(bundleApp(root, entries)).resolves.toBeDefined();
  });

  it("contributes as one package in two versions, nested and hoisted", async () => {
    const root = makeApp({
      ...MAIN,
      "src/main.js": `${MAIN["src/main.js"]}export { contract as other } from "outer";\n`,
      "node_modules/outer/package.json": '{ "name": "outer", "main": "index.js", "type": "module" }',
      "node_modules/outer/index.js": 'export { contract } from "widget";\n',
    });
    writeFiles(join(root, "node_modules/widget"), widget());
    writeFiles(join(root, "node_modules/outer/node_modules/widget"), widget());
    const entries = await printedEntries(bundleApp(root, []));
    expect(entries).toHaveLength(1);
    const { manifest } = await run(root, await bundleApp(root, entries), "app.js");
    expect((manifest as CapabilityContractManifest).capabilities.map(({ origin }) => origin)).toEqual([
      "node_modules/outer/node_modules/widget/index.js",
      "node_modules/widget/index.js",
    ]);
    expect(fileNamed(await bundleApp(root, entries), "app.js").text).toContain("authority");
  });
});
