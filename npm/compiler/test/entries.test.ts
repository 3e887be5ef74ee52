import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLogger, createServer, type InlineConfig, type Plugin } from "vite";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";
import { contractModule, makeApp, writeFiles, type Files } from "./app.js";
import { buildContract, compare, serve, SERVERS, type Major } from "./served.js";

const [VITE_8] = SERVERS;

/** An app with a contract behind each of several beginnings. */
const APP: Files = {
  "index.html": '<script type="module" src="/src/page.js"></script>\n',
  "admin/index.html": '<script type="module" src="./admin.js"></script>\n',
  "admin/admin.js": 'import "../src/admin.js";\n',
  "src/page.js": contractModule("demo.page"),
  "src/admin.js": contractModule("demo.admin"),
  "src/lib.js": contractModule("demo.lib"),
};

const ids = (...names: string[]) => names.map((name) => `view:demo.${name}.press`);

/** What the config names, and the contracts that it leads to. */
interface Case {
  name: string;
  config: (root: string) => InlineConfig;
  contracts: string[];
}

const input = (given: string | string[] | Record<string, string>): InlineConfig => ({
  build: { rollupOptions: { input: given } },
});

const CASES: readonly Case[] = [
  { name: "the page, where nothing is named", config: () => ({}), contracts: ["page"] },
  { name: "an input that is one text", config: (root) => input(`${root}/src/lib.js`), contracts: ["lib"] },
  {
    name: "an input that is a list of pages and scripts",
    config: (root) => input(["index.html", "admin/index.html", "src/lib.js"].map((it) => `${root}/${it}`)),
    contracts: ["admin", "lib", "page"],
  },
  {
    name: "an input that names its entries, by absolute paths",
    config: (root) => input({ one: `${root}/admin/index.html`, two: `${root}/src/lib.js` }),
    contracts: ["admin", "lib"],
  },
  {
    name: "an input that only a plugin knows",
    config: () => ({
      ...input("virtual:start"),
      plugins: [
        agentSurface(),
        {
          name: "test:start",
          resolveId: (id: string) => (id === "virtual:start" ? "\0virtual:start" : null),
          load: (id: string) => (id === "\0virtual:start" ? 'import "/src/lib.js";' : null),
        },
      ],
    }),
    contracts: ["lib"],
  },
  {
    name: "a library of one entry",
    config: () => ({ build: { lib: { entry: "src/lib.js", formats: ["es"] } } }),
    contracts: ["lib"],
  },
  {
    name: "a library of several entries, in two formats",
    config: () => ({ build: { lib: { entry: ["src/lib.js", "src/admin.js"], formats: ["es", "cjs"] } } }),
    contracts: ["admin", "lib"],
  },
  {
    name: "a library whose entries have names",
    config: () => ({ build: { lib: { entry: { a: "src/lib.js", b: "src/page.js" }, formats: ["es"] } } }),
    contracts: ["lib", "page"],
  },
  {
    name: "a library that has an input besides",
    config: (root) => ({
      build: {
        lib: { entry: "src/lib.js", formats: ["es"] },
        rollupOptions: { input: `${root}/src/admin.js` },
      },
    }),
    contracts: ["admin"],
  },
];

describe.each(SERVERS)("with $name, an app begins at", (major) => {
  it.each(CASES)("$name, served as built", async ({ config, contracts }) => {
    const root = makeApp(APP);
    const truth = await compare(major, () => ({ root, ...config(root) }));
    expect(truth).toMatchObject({ built: ids(...contracts), isSame: true });
    expect(truth.way).toContain("by a crawl");
  });
});

describe("Vite 8's own names for where an app begins", () => {
  const OWN: readonly Case[] = [
    {
      name: "`build.rolldownOptions.input`",
      config: () => ({ build: { rolldownOptions: { input: { a: "src/lib.js", b: "admin/index.html" } } } }),
      contracts: ["admin", "lib"],
    },
    { name: "`input`", config: () => ({ input: "src/lib.js" }), contracts: ["lib"] },
    {
      name: "`input`, where the build names another",
      config: () => ({ input: "src/lib.js", build: { rolldownOptions: { input: "src/admin.js" } } }),
      contracts: ["admin"],
    },
    {
      name: "`input` of an environment",
      config: () => ({ environments: { client: { input: ["src/lib.js", "src/page.js"] } } }),
      contracts: ["lib", "page"],
    },
  ];

  it.each(OWN)("$name", async ({ config, contracts }) => {
    const root = makeApp(APP);
    const truth = await compare(VITE_8 as Major, () => ({ root, ...config(root) }));
    expect(truth).toMatchObject({ built: ids(...contracts), isSame: true });
    expect(truth.way).toContain("by a crawl");
  });
});

/** A plugin that has a build begin elsewhere, and the contracts that it then has. */
interface Moved {
  name: string;
  plugin: (root: string) => Plugin;
  contracts: string[];
}

const MOVED: readonly Moved[] = [
  {
    name: "its `options` hook, beside what the config names",
    plugin: (root) => ({
      name: "test:moved",
      options: (options) => ({
        ...options,
        input: [...[options.input as string].flat(), `${root}/src/lib.js`],
      }),
    }),
    contracts: ["lib", "page"],
  },
  {
    name: "its `options` hook, changing what it is given",
    plugin: (root) => ({
      name: "test:moved",
      options: {
        order: "post",
        handler: (options) => void (options.input = { it: `${root}/src/admin.js` }),
      },
    }),
    contracts: ["admin"],
  },
  {
    name: "an output that it asks for when the build begins",
    plugin: (root) => ({
      name: "test:moved",
      buildStart() {
        this.emitFile({ type: "chunk", id: `${root}/src/lib.js` });
        this.emitFile({ type: "chunk", id: `${root}/src/admin.js` });
      },
    }),
    contracts: ["admin", "lib", "page"],
  },
  {
    name: "an output that it asks for while it transforms a module",
    plugin: (root) => ({
      name: "test:moved",
      transform(code, id) {
        if (!id.endsWith("page.js")) return null;
        this.emitFile({ type: "chunk", id: `${root}/src/lib.js` });
        return code;
      },
    }),
    contracts: ["lib", "page"],
  },
  {
    name: "an output that it asks for while it loads a module, and leaves it as it is",
    plugin: (root) => ({
      name: "test:moved",
      load(id) {
        if (id.endsWith("page.js")) this.emitFile({ type: "chunk", id: `${root}/src/lib.js` });
        return null;
      },
    }),
    contracts: ["lib", "page"],
  },
  {
    name: "the resolved config, which it changes",
    plugin: (root) => ({
      name: "test:moved",
      configResolved: (config) => void (config.build.rollupOptions.input = `${root}/src/lib.js`),
    }),
    contracts: ["lib"],
  },
  {
    name: "its `configEnvironment` hook",
    plugin: (root) => ({
      name: "test:moved",
      configEnvironment: (name) =>
        name === "client" ? { build: { rollupOptions: { input: `${root}/src/lib.js` } } } : null,
    }),
    contracts: ["lib"],
  },
];

describe.each(SERVERS)("with $name, a plugin moves where an app begins by", (major) => {
  it.each(MOVED)("$name", async ({ plugin, contracts }) => {
    const root = makeApp(APP);
    const truth = await compare(major, () => ({ root, plugins: [agentSurface(), plugin(root)] }));
    expect(truth).toMatchObject({ built: ids(...contracts), isSame: true });
    expect(truth.way).toContain("by a crawl");
  });

  it("an output that it asks for while it transforms a module, and no longer asks for after an edit", async () => {
    const root = makeApp(APP);
    const plugin: Plugin = {
      name: "test:moved",
      transform(code, id) {
        if (id.endsWith("page.js") && code.includes("//")) {
          this.emitFile({ type: "chunk", id: `${root}/src/lib.js` });
        }
        return null;
      },
    };
    const page = APP["src/page.js"] ?? "";
    writeFiles(root, { "src/page.js": `${page}// with it\n` });
    const served = await serve(major.createServer, {
      root,
      plugins: [agentSurface(), plugin],
      server: { watch: { ignored: ["**"] } },
    });
    expect(await served.capabilities()).toEqual(ids("lib", "page"));
    await served.text("/src/page.js");
    await served.edit(root, { "src/page.js": page });
    expect(await served.capabilities()).toEqual(ids("page"));
  });

  it("a scan, where it wants more of the bundler than another beginning", async () => {
    const root = makeApp({ ...APP, "src/page.js": `import "left";\n${APP["src/page.js"] ?? ""}` });
    const plugin: Plugin = {
      name: "test:moved",
      options: (options) => ({ ...options, input: `${root}/src/page.js`, external: ["left"] }),
    };
    const truth = await compare(major, () => ({ root, plugins: [agentSurface(), plugin] }));
    expect(truth).toMatchObject({ built: ids("page"), isSame: true });
    expect(truth.way).toContain("by a scan");
    expect(truth.way).toContain(
      "the plugin test:moved changes `external` when the bundler asks for its options",
    );
  });
});

describe.each(SERVERS)("with $name, a server tells", (major) => {
  const warnings = async (plugins: Plugin[], files: Files, url: string) => {
    const root = makeApp({ ...APP, ...files });
    const told: string[] = [];
    const customLogger = { ...createLogger("silent"), warn: (text: string) => void told.push(text) };
    const served = await serve(major.createServer, {
      root,
      customLogger,
      plugins: [agentSurface(), ...plugins],
    });
    for (const _ of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop
      await served.text(url);
      // oxlint-disable-next-line no-await-in-loop
      await served.textOnServer(url);
    }
    return told.filter((text) => text.startsWith("agent-surface:"));
  };

  it("once of a contract that it hands out and that no entry leads to", async () => {
    const told = await warnings([], {}, "/src/lib.js");
    expect(told).toEqual([
      expect.stringMatching(/^agent-surface: `src\/lib\.js#contract` is served and not in the contract/),
    ]);
  });

  it("nothing of one that is in it, or of a module that only names such things", async () => {
    expect(await warnings([], {}, "/src/page.js")).toEqual([]);
    const files = { "src/lib.js": 'export * from "@agent-surface/core";\n' };
    expect(await warnings([], files, "/src/lib.js")).toEqual([]);
  });
});

it.each(["custom", "mpa"] as const)("an app of the type %s begins where its build does", async (appType) => {
  const root = makeApp(APP);
  const truth = await compare(VITE_8 as Major, () => ({ root, appType, ...input("admin/index.html") }));
  expect(truth).toMatchObject({ built: ids("admin"), isSame: true });
});

it("a server of somebody's own, with Vite in the middle of it, hands out the contract of the build", async () => {
  const root = makeApp(APP);
  const config = (): InlineConfig => ({ root, appType: "custom", ...input(`${root}/admin/index.html`) });
  const vite = await createServer({
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface()],
    ...config(),
    server: { middlewareMode: true, ws: false },
  });
  onTestFinished(() => vite.close());
  const http = createHttpServer((request, response) => {
    vite.middlewares(request, response, () => response.end("not Vite's"));
  }).listen(0);
  onTestFinished(() => void http.close());
  await once(http, "listening");
  const address = `http://localhost:${(http.address() as AddressInfo).port}`;
  const authority = await fetch(`${address}/@id/__x00__${VIRTUAL_CONTRACT_ID}`);
  expect(await authority.text()).toContain(
    (JSON.parse(await buildContract(VITE_8 as Major, config())) as { hash: string }).hash,
  );
  expect(await (await fetch(`${address}/elsewhere`)).text()).toBe("not Vite's");
});
