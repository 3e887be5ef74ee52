import type { Plugin, PluginOption } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { compare, serve, SERVERS } from "./served.js";

const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": 'import "feature";\n',
  "src/on.js": contractModule("demo.on"),
  "src/off.js": contractModule("demo.off"),
};

/** Leads `feature` to a file of the app. */
const leading = (root: string, file: string, more: Partial<Plugin> = {}): Plugin => ({
  name: `test:${file}`,
  enforce: "pre",
  resolveId: (id) => (id === "feature" ? `${root}/src/${file}.js` : null),
  ...more,
});

describe.each(SERVERS)("plugins that came with the call, of which $name has one instance each:", (major) => {
  const contracts = async (plugins: (root: string) => PluginOption[]) => {
    const root = makeApp(APP);
    return compare(major, () => ({ root, plugins: [agentSurface(), ...plugins(root)] }));
  };

  it.each([
    ["a word", "build" as const, "serve" as const],
    [
      "a function",
      (_: object, { command }: { command: string }) => command === "build",
      (_: object, { command }: { command: string }) => command === "serve",
    ],
  ])("those for builds count, and those for servers do not, by %s", async (_, build, serving) => {
    const truth = await contracts((root) => [
      leading(root, "off", { apply: serving }),
      leading(root, "on", { apply: build }),
    ]);
    expect(truth).toMatchObject({ built: ["view:demo.on.press"], isSame: true });
    expect(truth.way).toContain("by a crawl");
  });

  it("they stand in lists of lists, are promised, or are nothing", async () => {
    const truth = await contracts((root) => [
      null,
      [false, [Promise.resolve([undefined, leading(root, "on")])]],
    ]);
    expect(truth).toMatchObject({ built: ["view:demo.on.press"], isSame: true });
  });

  it("what they add to the config counts", async () => {
    const truth = await contracts((root) => [
      {
        name: "test:config",
        config: () => ({
          resolve: {
            alias: { feature: `${root}/src/chosen` },
            extensions: [".mjs", ".js", ".ts", ".here.js"],
          },
          define: { WORD: '"Push it"' },
        }),
      },
      {
        name: "test:files",
        resolveId: (id) => (id === `${root}/src/chosen` ? `${root}/src/on.js` : null),
      },
    ]);
    expect(truth).toMatchObject({ built: ["view:demo.on.press"], isSame: true });
  });

  it("one that serves is not told that it builds", async () => {
    const root = makeApp({ ...APP, "src/main.js": 'import "./on.js";\n' });
    const told: string[] = [];
    const listening: Plugin = {
      name: "test:listening",
      config: (_, { command }) => void told.push(`config ${command}`),
      configResolved: ({ command }) => void told.push(`resolved ${command}`),
      // Only the bundler itself can do this.
      resolveDynamicImport: () => null,
    };
    const served = await serve(major.createServer, { root, plugins: [listening, agentSurface()] });
    expect(await served.capabilities()).toEqual(["view:demo.on.press"]);
    expect(told).toEqual(["config serve", "resolved serve"]);
  });
});
