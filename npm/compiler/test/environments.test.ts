import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSurface, type AgentSurfaceCompilerOptions } from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import type { Plugin } from "vite";
import { contractModule, installVite, writeFiles, type Files } from "./app.js";
import {
  ALL,
  buildAll,
  BUILDERS,
  capabilitiesOf,
  configOf,
  describeBundle,
  entry,
  makePageAndServer,
  plain,
  type CreateBuilder,
} from "./environments.js";

/** The ways to build several environments. */
const WAYS = [
  { way: "one after the other", atOnce: false, config: {} },
  { way: "one after the other, with one config", atOnce: false, config: { sharedConfigBuild: true } },
  { way: "at once", atOnce: true, config: {} },
  { way: "at once, with one config", atOnce: true, config: { sharedConfigBuild: true } },
  { way: "at once, with plugins that are shared", atOnce: true, config: { sharedPlugins: true } },
];

describe.each(BUILDERS)("with $name", ({ createBuilder, package: vite }) => {
  const build = (root: string, options?: AgentSurfaceCompilerOptions) =>
    buildAll(createBuilder, configOf({ root, plugins: [agentSurface(options)] }));

  it.each(WAYS)("built $way, a page and its server have one contract", async ({ atOnce, config }) => {
    const told: CapabilityContractManifest[] = [];
    const plugin = agentSurface({ onManifest: (manifest) => told.push(manifest) });
    const root = makePageAndServer();
    const bundles = await buildAll(
      createBuilder,
      configOf({ root, plugins: [plugin], config: { builder: config } }),
      { atOnce },
    );
    expect(bundles["client"]?.capabilities).toEqual(ALL);
    expect(bundles["ssr"]?.capabilities).toEqual(ALL);
    // It is written once, by the page, and told once.
    expect(capabilitiesOf(bundles["client"]?.contract)).toEqual(ALL);
    expect(bundles["ssr"]?.contract).toBeUndefined();
    expect(told).toEqual([JSON.parse(bundles["client"]?.contract ?? "")]);
    for (const environment of ["client", "ssr"]) {
      expect(
        plugin.api.proof(environment)?.capabilities.map((it) => [it.capabilityId, it.file, it.line]),
      ).toEqual([
        ["view:demo.job.press", "src/job.js", 6],
        ["view:demo.page.press", "src/page.js", 6],
        ["view:demo.shared.press", "src/shared.js", 6],
      ]);
      expect(plugin.api.proof(environment)?.manifestText).toBe(bundles["client"]?.contract);
    }
  });

  it("the server first, or one of the two alone, has the same contract", async () => {
    const root = makePageAndServer();
    const contract = (await build(root))["client"]?.contract;
    for (const names of [["ssr", "client"], ["client"], ["ssr"]]) {
      // oxlint-disable-next-line no-await-in-loop
      const bundles = await buildAll(createBuilder, configOf({ root, plugins: [agentSurface()] }), { names });
      for (const name of names) expect(bundles[name]?.capabilities).toEqual(ALL);
      expect(bundles["client"]?.contract).toBe(names.includes("client") ? contract : undefined);
    }
  });

  it.each([
    { where: "the server", files: { "src/page.js": "export const page = 1;\n" }, names: ["job", "shared"] },
    { where: "the page", files: { "src/job.js": "export const job = 1;\n" }, names: ["page", "shared"] },
  ])("a contract that only $where has is in both", async ({ files, names }) => {
    const bundles = await build(makePageAndServer(files));
    const capabilities = names.map((name) => `view:demo.${name}.press`);
    expect(bundles["client"]?.capabilities).toEqual(capabilities);
    expect(bundles["ssr"]?.capabilities).toEqual(capabilities);
  });

  it("a third environment with conditions of its own is a part of it", async () => {
    const root = makePageAndServer({
      "src/edge.js": entry(`export * from "runs-there";\n`),
      "packages/runs-there/package.json": JSON.stringify({
        name: "runs-there",
        version: "1.0.0",
        type: "module",
        exports: { workerd: "./edge.js", default: "./elsewhere.js" },
      }),
      "packages/runs-there/edge.js": contractModule("demo.edge", "edge"),
      "packages/runs-there/elsewhere.js": "throw new Error();\n",
    });
    symlinkSync(join(root, "packages/runs-there"), join(root, "node_modules/runs-there"), "dir");
    const config = configOf({
      root,
      plugins: [agentSurface()],
      entries: { client: "src/client.js", ssr: "src/server.js", edge: "src/edge.js" },
    });
    Object.assign(config.environments?.["edge"] ?? {}, {
      resolve: { conditions: ["workerd"], noExternal: true },
    });
    const bundles = await buildAll(createBuilder, config, { atOnce: true });
    const capabilities = new Set(["view:demo.edge.press", ...ALL]);
    for (const name of ["client", "ssr", "edge"]) {
      expect(new Set(bundles[name]?.capabilities)).toEqual(capabilities);
    }
    expect(Object.values(bundles).filter(({ contract }) => contract !== undefined)).toHaveLength(1);
  });

  it("a server's entry may be one that only a plugin knows", async () => {
    const root = makePageAndServer();
    const framework: Plugin = {
      name: "test:framework",
      resolveId: (id) => (id === "virtual:server" ? `\0${id}` : null),
      load: (id) => (id === "\0virtual:server" ? entry(`export * from "/src/job.js";\n`) : null),
    };
    const bundles = await buildAll(
      createBuilder,
      configOf({
        root,
        plugins: [framework, agentSurface()],
        entries: { client: "src/client.js", ssr: "virtual:server" },
      }),
    );
    expect(bundles["client"]?.capabilities).toEqual(ALL);
    expect(bundles["ssr"]?.capabilities).toEqual(ALL);
  });

  it("where only the bundler knows the other environment's graph, that is scanned", async () => {
    const root = makePageAndServer();
    installVite(root, vite);
    // What it says of an import that is no text nobody but the bundler can ask.
    const obstacle: Plugin = { name: "test:obstacle", resolveDynamicImport: () => null };
    const plugins = [obstacle, agentSurface()];
    for (const atOnce of [false, true]) {
      // oxlint-disable-next-line no-await-in-loop
      const bundles = await buildAll(createBuilder, configOf({ root, plugins }), { atOnce });
      expect(bundles["client"]?.capabilities).toEqual(ALL);
      expect(bundles["ssr"]?.capabilities).toEqual(ALL);
      expect(capabilitiesOf(bundles["client"]?.contract)).toEqual(ALL);
    }
  });

  it("packages that a server leaves to Node are in no contract, and those that it keeps are", async () => {
    const root = makePageAndServer({
      "src/server.js": entry(
        'import "linked";\nimport "left";\nimport "left/index.js";\nimport "installed";\n',
      ),
      ...contractPackage("packages/linked"),
      ...contractPackage("packages/left"),
      ...contractPackage("node_modules/installed"),
    });
    for (const name of ["linked", "left"]) {
      symlinkSync(join(root, "packages", name), join(root, "node_modules", name), "dir");
    }
    const of = (noExternal: RegExp[]) => {
      const config = configOf({ root, plugins: [agentSurface()] });
      Object.assign(config.environments?.["ssr"] ?? {}, { resolve: { external: ["left"], noExternal } });
      return config;
    };
    const bundles = await buildAll(createBuilder, of([/^other/]));
    const capabilities = new Set(["linked", "page", "shared"].map((it) => `view:demo.${it}.press`));
    expect(new Set(bundles["client"]?.capabilities)).toEqual(capabilities);
    expect(new Set(bundles["ssr"]?.capabilities)).toEqual(capabilities);

    const refusal = await buildAll(createBuilder, of([/^inst/])).catch((error: Error) => error);
    expect(plain(refusal)).toContain("The environment `ssr` of this app");
    expect(plain(refusal)).toContain("installed");
  });

  it("a contract that is broken in the other environment is shown where it stands, with its environment", async () => {
    const broken = contractModule("demo.job", "job").replace('"Press it"', "Date.now()");
    const root = makePageAndServer({ "src/job.js": broken });
    const refusal = await build(root).catch((error: Error) => error);
    expect(plain(refusal)).toContain("The environment `ssr` of this app");
    expect(plain(refusal)).toContain("src/job.js:6");
    expect(plain(refusal)).toContain("Date.now()");
  });

  it("one declaration with two contents is refused, naming both environments", async () => {
    const root = makePageAndServer({
      "src/shared.js": `import { words } from "#words";\n${contractModule("demo.shared", "shared").replace('"Press it"', "words")}`,
      "src/words.client.js": 'export const words = "Press it";\n',
      "src/words.server.js": 'export const words = "Push it";\n',
    });
    const words: Plugin = {
      name: "test:words",
      enforce: "pre",
      resolveId(id) {
        return id === "#words" ? join(root, `src/words.${this.environment.config.consumer}.js`) : null;
      },
    };
    const config = configOf({ root, plugins: [words, agentSurface()] });
    const refusal = plain(await buildAll(createBuilder, config).catch((error: Error) => error));
    expect(refusal).toContain("`view:demo.shared.press` of `src/shared.js#shared` is not the same in");
    expect(refusal).toContain("`client`");
    expect(refusal).toContain("`ssr`");
    expect(refusal).toContain("src/shared.js:7");
  });

  it("a build that proves something else than was found beforehand fails", async () => {
    const root = makePageAndServer();
    let loads = 0;
    const fickle: Plugin = {
      name: "test:fickle",
      load(id) {
        if (!id.endsWith("job.js")) return null;
        loads += 1;
        return contractModule(loads === 1 ? "demo.first" : "demo.second", "job");
      },
    };
    const config = configOf({ root, plugins: [fickle, agentSurface()] });
    const refusal = plain(await buildAll(createBuilder, config).catch((error: Error) => error));
    const build = "the build of the environment `ssr`";
    const [came, went] = ["second", "first"].map(
      (name) => `\`view:demo.${name}.press\` of \`src/job.js#job\``,
    );
    expect(refusal).toContain(`${build} declares ${came}, and that was not found beforehand`);
    expect(refusal).toContain(
      `${build} does not declare ${went}, and that was found beforehand (src/job.js:6:`,
    );
  });

  it("an environment whose entry no config names may be built as long as it declares nothing of its own", async () => {
    const root = makePageAndServer({ "src/same.js": entry(`export * from "./shared.js";\n`) });
    const bundles = await buildUnnamed(createBuilder, root, "src/same.js");
    const capabilities = ["view:demo.page.press", "view:demo.shared.press"];
    expect(bundles.client.capabilities).toEqual(capabilities);
    expect(bundles.ssr.capabilities).toEqual(capabilities);

    const refusal = await buildUnnamed(createBuilder, root, "src/server.js").catch((error: Error) => error);
    expect(plain(refusal)).toContain("environments.ssr.build.rollupOptions.input");
  });

  it("a server without a page writes the contract", async () => {
    const config = configOf({
      root: makePageAndServer(),
      plugins: [agentSurface()],
      entries: { ssr: "src/server.js" },
    });
    const { ssr } = await buildAll(createBuilder, config, { names: ["ssr"] });
    expect(capabilitiesOf(ssr?.contract)).toEqual(["view:demo.job.press", "view:demo.shared.press"]);
  });

  it("an entry that a plugin names when the bundler asks for its options is known beforehand", async () => {
    const root = makePageAndServer();
    const framework: Plugin = {
      name: "test:framework",
      applyToEnvironment: ({ name }) => name === "ssr",
      options: (input) => ({ ...input, input: join(root, "src/server.js") }),
    };
    const config = configOf({
      root,
      plugins: [framework, agentSurface()],
      entries: { client: "src/client.js" },
      config: {
        environments: { ssr: {} },
        build: { rollupOptions: { input: join(root, "src/client.js"), preserveEntrySignatures: "strict" } },
      },
    });
    const bundles = await buildAll(createBuilder, config, { names: ["client", "ssr"] });
    expect(bundles["client"]?.capabilities).toEqual(ALL);
    expect(bundles["ssr"]?.capabilities).toEqual(ALL);
  });

  it("two apps that are built at once by one instance keep apart", async () => {
    const plugin = agentSurface();
    const roots = ["one", "two"].map((name) =>
      makePageAndServer({ "src/shared.js": contractModule(`demo.${name}`, "shared") }),
    );
    const [one, two] = await Promise.all(
      roots.map((root) => buildAll(createBuilder, configOf({ root, plugins: [plugin] }), { atOnce: true })),
    );
    for (const environment of ["client", "ssr"]) {
      expect(new Set(one?.[environment]?.capabilities)).toEqual(capabilitiesWith("one"));
      expect(new Set(two?.[environment]?.capabilities)).toEqual(capabilitiesWith("two"));
    }
  });

  it("of a build that failed nothing is left for the next", async () => {
    const broken = contractModule("demo.job", "job").replace('"Press it"', "Date.now()");
    const root = makePageAndServer({ "src/job.js": broken });
    const plugin = agentSurface();
    const config = configOf({ root, plugins: [plugin] });
    await expect(buildAll(createBuilder, config, { atOnce: true })).rejects.toThrow(/Date\.now/);
    expect(plugin.api.proof("client")).toBeUndefined();
    writeFiles(root, { "src/job.js": contractModule("demo.mended", "job") });
    for (const atOnce of [true, false]) {
      // oxlint-disable-next-line no-await-in-loop
      const bundles = await buildAll(createBuilder, config, { atOnce });
      expect(bundles["client"]?.capabilities).toContain("view:demo.mended.press");
      expect(bundles["ssr"]?.capabilities).toEqual(bundles["client"]?.capabilities);
    }
  });

  it("a builder that builds its environments again sees the files as they are then", async () => {
    const root = makePageAndServer();
    const builder = await createBuilder(configOf({ root, plugins: [agentSurface()] }));
    const client = builder.environments["client"];
    if (client === undefined) throw new Error("there is no page");
    const before = describeBundle(await builder.build(client));
    expect(before.capabilities).toEqual(ALL);
    writeFiles(root, { "src/job.js": contractModule("demo.task", "job") });
    const after = describeBundle(await builder.build(client));
    expect(after.capabilities).toContain("view:demo.task.press");
  });

  it("a framework that says itself what is built, and when, has one contract", async () => {
    const order: string[] = [];
    const buildApp: NonNullable<NonNullable<Parameters<CreateBuilder>[0]>["builder"]>["buildApp"] = async (
      builder,
    ) => {
      for (const name of ["ssr", "client"]) {
        order.push(name);
        const environment = builder.environments[name];
        // oxlint-disable-next-line no-await-in-loop
        if (environment !== undefined) await builder.build(environment);
      }
    };
    for (const way of ["config", "plugin"]) {
      const plugin = agentSurface();
      const root = makePageAndServer();
      const framework: Plugin = { name: "test:framework", buildApp };
      const config = configOf({
        root,
        plugins: way === "plugin" ? [framework, plugin] : [plugin],
        config: { builder: way === "config" ? { buildApp } : {} },
      });
      // oxlint-disable-next-line no-await-in-loop
      const builder = await createBuilder(config);
      // oxlint-disable-next-line no-await-in-loop
      await builder.buildApp();
      for (const name of ["client", "ssr"]) {
        expect(plugin.api.proof(name)?.capabilities.map((it) => it.capabilityId)).toEqual(ALL);
      }
    }
    expect(order).toEqual(["ssr", "client", "ssr", "client"]);
  });

  it("a page alone is looked at once, by its build", async () => {
    const root = makePageAndServer();
    const begun: string[] = [];
    const counter: Plugin = {
      name: "test:counter",
      buildStart() {
        begun.push(this.environment.name);
      },
    };
    const plugins = [counter, agentSurface()];
    const page = configOf({ root, plugins, entries: { client: "src/client.js" } });
    await buildAll(createBuilder, page, { names: ["client"] });
    expect(begun).toEqual(["client"]);
  });
});

/** Builds a page and, from an entry that is named only when its turn comes, a server. */
async function buildUnnamed(createBuilder: CreateBuilder, root: string, path: string) {
  const config = configOf({
    root,
    plugins: [agentSurface()],
    entries: { client: "src/client.js" },
    config: { environments: { ssr: {} } },
  });
  const builder = await createBuilder(config);
  const { client, ssr } = builder.environments;
  if (client === undefined || ssr === undefined) throw new Error("there are not both environments");
  const page = describeBundle(await builder.build(client));
  ssr.config.build.rollupOptions.input = join(root, path);
  return { client: page, ssr: describeBundle(await builder.build(ssr)) };
}

function capabilitiesWith(name: string): Set<string> {
  return new Set(["job", name, "page"].map((it) => `view:demo.${it}.press`));
}

/** A package whose only module has a contract of its name. */
function contractPackage(folder: string): Files {
  const name = folder.split("/").pop() ?? "";
  return {
    [`${folder}/package.json`]: JSON.stringify({ name, type: "module", main: "index.js" }),
    [`${folder}/index.js`]: contractModule(`demo.${name}`),
  };
}
