import { join } from "node:path";
import type { Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { contractModule } from "./app.js";
import { ALL, buildAll, BUILDERS, configOf, makePageAndServer, plain, type Request } from "./environments.js";
import { SERVERS, serve, type Served } from "./served.js";

/** What the app's server hands out of its authority. */
async function capabilitiesOnServer(served: Served, entry = "/src/server.js"): Promise<string[]> {
  const { manifest } = (await served.run(entry)) as { manifest: CapabilityContractManifest };
  return manifest.capabilities.map(({ capabilityId }) => capabilityId);
}

describe.each(SERVERS)("a page and its server, served by $name", ({ name, createServer }) => {
  const { createBuilder } = BUILDERS.find((it) => it.name === name) ?? {};
  if (createBuilder === undefined) throw new Error(`there is no builder of ${name}`);

  // The watcher says what it is told to: by itself it swallows what follows too fast upon another change.
  const start = (root: string, request: Partial<Request> = {}) =>
    serve(createServer, {
      ...configOf({ root, plugins: [agentSurface()], ...request }),
      server: { watch: { ignored: ["**"] } },
    });

  it("have the authority of both, and each contract its proof, whoever asks for it", async () => {
    const served = await start(makePageAndServer());
    expect(await served.capabilities()).toEqual(ALL);
    expect(await capabilitiesOnServer(served)).toEqual(ALL);
    const proven = /defineAgentComponentContract\)?\(.*JSON\.parse\(/;
    for (const name of ["shared", "page"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await served.text(`/src/${name}.js`)).toMatch(proven);
    }
    // Tests run what is the page's in a server's environment.
    for (const name of ["shared", "job", "page"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await served.textOnServer(`/src/${name}.js`)).toMatch(proven);
    }
  });

  it("a contract that only the server has updates both when it changes, and reloads the page once", async () => {
    const root = makePageAndServer();
    const served = await start(root);
    await served.capabilities();
    await capabilitiesOnServer(served);
    const payloads = await served.edit(root, { "src/job.js": contractModule("demo.task", "job") });
    expect(payloads.map(({ type }) => type)).toEqual(["full-reload"]);
    const capabilities = ["view:demo.task.press", "view:demo.page.press", "view:demo.shared.press"];
    expect(await served.capabilities()).toEqual(capabilities);
    expect(await capabilitiesOnServer(served)).toEqual(capabilities);
    expect(await served.textOnServer("/src/page.js")).not.toBe("");
  });

  it("a contract that is broken in the server is shown in the page, and mended by the next edit", async () => {
    const root = makePageAndServer();
    const served = await start(root);
    await served.capabilities();
    const broken = contractModule("demo.job", "job").replace('"Press it"', "Date.now()");
    const [shown] = await served.edit(root, { "src/job.js": broken });
    expect(shown).toMatchObject({ type: "error", err: { loc: { line: 6 } } });
    expect(plain(JSON.stringify(shown))).toContain("The environment `ssr` of this app");
    await expect(served.capabilities()).rejects.toThrow(/Date\.now/);
    // An edit of what has nothing to do with it mends nothing.
    await served.text("/src/page.js");
    await served.edit(root, { "src/page.js": contractModule("demo.leaf", "page") });
    await expect(served.capabilities()).rejects.toThrow(/Date\.now/);
    const mended = await served.edit(root, { "src/job.js": contractModule("demo.job", "job") });
    expect(mended.map(({ type }) => type)).toEqual(["full-reload"]);
    expect(await served.capabilities()).toContain("view:demo.leaf.press");
  });

  it("a third environment is a part of it, with its own conditions", async () => {
    const root = makePageAndServer({ "src/edge.js": contractModule("demo.edge", "edge") });
    const served = await start(root, {
      entries: { client: "src/client.js", ssr: "src/server.js", edge: "src/edge.js" },
    });
    expect(new Set(await served.capabilities())).toEqual(new Set([...ALL, "view:demo.edge.press"]));
  });

  it.each(["config", "configEnvironment", "configResolved", "options"])(
    "a server's entry that a plugin names in its %s hook is one as in a build",
    async (hook) => {
      const root = makePageAndServer();
      const build = { rollupOptions: { input: join(root, "src/server.js") } };
      const { input } = build.rollupOptions;
      const hooks: Record<string, Partial<Plugin>> = {
        config: { config: () => ({ environments: { ssr: { build } } }) },
        configEnvironment: { configEnvironment: (name) => (name === "ssr" ? { build } : null) },
        configResolved: {
          configResolved: ({ environments }) => void Object.assign(environments["ssr"]?.build ?? {}, build),
        },
        options: {
          options(options) {
            const { environment } = this as { environment?: { name: string } };
            return environment?.name === "ssr" ? { ...options, input } : null;
          },
        },
      };
      const framework: Plugin = { name: "test:framework", ...hooks[hook] };
      const request = {
        root,
        plugins: [framework, agentSurface()],
        entries: { client: "src/client.js" },
        config: { environments: { ssr: {} } },
      };
      const served = await start(root, request);
      expect(await served.capabilities()).toEqual(ALL);
      expect(await capabilitiesOnServer(served)).toEqual(ALL);
      const built = await buildAll(createBuilder, configOf(request), { names: ["client"] });
      expect(built["client"]?.contract).toBe(await served.contract());
    },
  );

  it("one declaration with two contents is refused, naming both environments", async () => {
    const root = makePageAndServer({
      "src/shared.js": `import { words } from "#words";\n${contractModule("demo.shared", "shared").replace('"Press it"', "words")}`,
      "src/words.client.js": 'export const words = "Press it";\n',
      "src/words.server.js": 'export const words = "Push it";\n',
      "package.json": JSON.stringify({
        name: "app",
        type: "module",
        imports: { "#words": { node: "./src/words.server.js", default: "./src/words.client.js" } },
      }),
    });
    const served = await start(root);
    const refusal = plain(await served.capabilities().catch((error: Error) => error));
    expect(refusal).toContain("`view:demo.shared.press` of `src/shared.js#shared` is not the same in");
  });
});
