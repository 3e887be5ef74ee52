import { join } from "node:path";
import type { Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, installVite } from "./app.js";
import {
  ALL,
  buildAll,
  BUILDERS,
  capabilitiesOf,
  configOf,
  entry,
  makePageAndServer,
  plain,
  type Bundle,
  type CreateBuilder,
} from "./environments.js";
import { serve, SERVERS } from "./served.js";

/** An app whose server has a list of the files of the page's build, as frameworks make one. */
const makeListed = () =>
  makePageAndServer({
    "src/server.js": entry(
      'export * from "./shared.js";\nexport * from "./job.js";\nexport { files, names } from "virtual:page-files";\n',
    ),
  });

/** What makes that list, and cannot before that build has ended. What it says, `text` makes. */
function listing(text: (files: readonly string[]) => string): Plugin {
  let files: readonly string[] | undefined;
  return {
    name: "test:files",
    sharedDuringBuild: true,
    resolveId: (id) => (id === "virtual:page-files" ? `\0${id}` : null),
    load(id) {
      if (id !== "\0virtual:page-files") return null;
      if (files === undefined) throw new Error("the page was not built yet");
      return text(files);
    },
    generateBundle(_, bundle) {
      if (this.environment.name === "client") files = Object.keys(bundle);
    },
  };
}

const asNames = (files: readonly string[]) =>
  `export const files = ${JSON.stringify(files)};\nexport const names = [];\n`;

/** That only the bundler can be asked where a dynamic import leads makes a scan of the rehearsal. */
const obstacle: Plugin = { name: "test:obstacle", resolveDynamicImport: () => null };

/** Builds an app's server, and its page from within that build, as a framework does; with the hashes that were told. */
async function buildNested(createBuilder: CreateBuilder, root: string) {
  const told: string[] = [];
  const surface = () => agentSurface({ onManifest: ({ hash }) => told.push(hash) });
  let page: Bundle | undefined;
  const nesting: Plugin = {
    name: "test:nesting",
    async writeBundle() {
      const config = configOf({ root, plugins: [surface()], entries: { client: "src/client.js" } });
      page = (await buildAll(createBuilder, config, { names: ["client"] }))["client"];
    },
  };
  const build = { write: true, outDir: join(root, "dist") };
  const plugins = [nesting, surface()];
  const config = configOf({ root, plugins, entries: { ssr: "src/server.js" }, config: { build } });
  const { ssr } = await buildAll(createBuilder, config, { names: ["ssr"] });
  return { page, ssr, told };
}

describe.each(BUILDERS)("built by a framework, with $name,", ({ createBuilder, package: vite }) => {
  it.each([
    { way: "crawled", more: [] },
    { way: "scanned", more: [obstacle] },
  ])("a server that needs a list of what the page's build wrote is $way without it", async ({ more }) => {
    const root = makeListed();
    installVite(root, vite);
    const plugins = [listing(asNames), ...more, agentSurface()];
    const bundles = await buildAll(createBuilder, configOf({ root, plugins }));
    expect(bundles["client"]?.capabilities).toEqual(ALL);
    expect(bundles["ssr"]?.capabilities).toEqual(ALL);
    expect(bundles["ssr"]?.contract).toBeUndefined();
  });

  it("a list that has contracts in it is none that anything could be built without", async () => {
    const root = makeListed();
    const importing = (files: readonly string[]) =>
      `${asNames(files)}export * from ${JSON.stringify(join(root, "src/page.js"))};\n`;
    const plugins = [listing(importing), agentSurface()];
    const refusal = plain(
      await buildAll(createBuilder, configOf({ root, plugins })).catch((error: Error) => error),
    );
    expect(refusal).toContain(
      "declares `view:demo.page.press` of `src/page.js#page`, and that was not found beforehand",
    );
  });

  it("a page that is built within its server's build has the contract of both", async () => {
    const root = makePageAndServer();
    const { page, ssr, told } = await buildNested(createBuilder, root);
    expect(ssr?.capabilities).toEqual(["view:demo.job.press", "view:demo.shared.press"]);
    expect(page?.capabilities).toEqual(ALL);
    expect(capabilitiesOf(page?.contract)).toEqual(ALL);
    expect(told).toHaveLength(2);

    // What is built afterwards is another build.
    const after = configOf({ root, plugins: [agentSurface()], entries: { client: "src/client.js" } });
    const { client } = await buildAll(createBuilder, after, { names: ["client"] });
    expect(client?.capabilities).toEqual(["view:demo.page.press", "view:demo.shared.press"]);
  });

  it("a page built within its server's build that has no contract of its own has the same, which is told once", async () => {
    const root = makePageAndServer({ "src/client.js": entry('export * from "./shared.js";\n') });
    const { page, ssr, told } = await buildNested(createBuilder, root);
    expect(page?.capabilities).toEqual(ssr?.capabilities);
    expect(told).toHaveLength(1);
  });

  it("a file that can't be loaded is left by nobody", async () => {
    const root = makePageAndServer();
    const failing: Plugin = {
      name: "test:failing",
      load(id) {
        if (id.endsWith("job.js")) throw new Error("no such job");
        return null;
      },
    };
    const refusal = plain(
      await buildAll(createBuilder, configOf({ root, plugins: [failing, agentSurface()] })).catch(
        (error: Error) => error,
      ),
    );
    expect(refusal).toContain("The environment `ssr` of this app cannot be read");
    expect(refusal).toContain("no such job");
  });
});

describe.each(SERVERS)("served by a framework, with $name,", ({ createServer }) => {
  it("a server that needs a list of what the page's build wrote has its contract without one", async () => {
    const root = makeListed();
    const served = await serve(createServer, configOf({ root, plugins: [listing(asNames), agentSurface()] }));
    expect(await served.capabilities()).toEqual(ALL);
  });

  it("a module that a plugin names and then does not load is no empty one", async () => {
    const root = makePageAndServer({ "src/client.js": entry('import "virtual:pages";\n') });
    const silent: Plugin = {
      name: "test:silent",
      resolveId: (id) => (id === "virtual:pages" ? `\0${id}` : null),
      // As one does that takes it from the process whether it builds or serves.
      load: () => null,
    };
    const config = configOf({
      root,
      plugins: [silent, agentSurface()],
      entries: { client: "src/client.js" },
    });
    const served = await serve(createServer, config);
    await expect(served.capabilities()).rejects.toThrow(/virtual:pages/);
  });

  it("two servers that one instance is in, a page's and one that renders, each follow their files", async () => {
    const root = makePageAndServer();
    const plugins = [agentSurface()];
    const start = (environment: string, file: string) =>
      serve(createServer, {
        ...configOf({ root, plugins, entries: { [environment]: file } }),
        server: { watch: { ignored: ["**"] } },
      });
    const page = await start("client", "src/client.js");
    const renderer = await start("ssr", "src/server.js");
    expect(await page.capabilities()).toEqual(["view:demo.page.press", "view:demo.shared.press"]);
    expect(await renderer.capabilities()).toEqual(["view:demo.job.press", "view:demo.shared.press"]);
    await page.edit(root, { "src/page.js": contractModule("demo.leaf", "page") });
    expect(await page.capabilities()).toEqual(["view:demo.leaf.press", "view:demo.shared.press"]);
    await renderer.capabilities();
    await renderer.edit(root, { "src/job.js": contractModule("demo.task", "job") });
    expect(await renderer.capabilities()).toEqual(["view:demo.task.press", "view:demo.shared.press"]);
  });
});
