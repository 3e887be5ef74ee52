import type { Alias, Plugin, PluginOption } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { compare, SERVERS } from "./served.js";

const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": 'import "feature";\n',
  "src/a.js": contractModule("demo.a"),
};

/** Something that only the bundler itself can do, and how that is told. */
interface Obstacle {
  name: string;
  plugins?: (root: string) => PluginOption[];
  alias?: (root: string) => Alias[];
  told: string;
}

/** Leads `feature` to a module of a plugin's own, whose text this makes. */
const making = (load: NonNullable<Plugin["load"]>): Plugin => ({
  name: "test:making",
  resolveId: (id) => (id === "feature" ? "\0feature" : null),
  load,
});

const OBSTACLES: readonly Obstacle[] = [
  {
    name: "a plugin that resolves what is imported when the page runs",
    plugins: (root) => [
      making((id) => (id === "\0feature" ? "export const load = () => import('feature:a');" : null)),
      {
        name: "test:dynamic",
        resolveDynamicImport: (id) => (id === "feature:a" ? `${root}/src/a.js` : null),
      },
    ],
    told: "the plugin test:dynamic resolves dynamic imports",
  },
  {
    name: "a plugin that asks for other modules of the graph",
    plugins: (root) => [
      making(async function (id) {
        if (id !== "\0feature") return null;
        const { code } = await this.load({ id: `${root}/src/a.js` });
        return code === null ? null : `import ${JSON.stringify(`${root}/src/a.js`)};`;
      }),
    ],
    told: "a plugin asks the bundler for `load`",
  },
  {
    name: "a plugin that wraps the error of what it asked for",
    plugins: (root) => [
      making(function (id) {
        if (id !== "\0feature") return null;
        try {
          return [...this.getModuleIds()].length > 0 ? `import ${JSON.stringify(`${root}/src/a.js`)};` : null;
        } catch {
          throw new Error("something went wrong");
        }
      }),
    ],
    told: "a plugin asks the bundler for `getModuleIds`",
  },
  {
    name: "a plugin that puts an inline script into pages",
    plugins: (root) => [
      making((id) => (id === "\0feature" ? "export {};" : null)),
      {
        name: "test:inline",
        transformIndexHtml: {
          order: "pre",
          handler: () => [
            {
              tag: "script",
              attrs: { type: "module" },
              children: `import ${JSON.stringify(`${root}/src/a.js`)};`,
            },
          ],
        },
      },
    ],
    told: "the plugin test:inline puts scripts without a file into pages",
  },
  {
    name: "an alias with a resolver of its own",
    alias: (root) => [
      {
        find: "feature",
        replacement: "the-feature",
        customResolver: (id: string) => (id === "the-feature" ? `${root}/src/a.js` : null),
      },
    ],
    told: "an alias has a resolver of its own",
  },
];

describe.each(SERVERS)("where a crawl does not suffice, with $name,", (major) => {
  it.each(OBSTACLES)("$name, the graph is the bundler's, and one line says so", async (obstacle) => {
    const root = makeApp(APP);
    const truth = await compare(major, () => ({
      root,
      resolve: { alias: obstacle.alias?.(root) ?? [] },
      plugins: [agentSurface(), obstacle.plugins?.(root)],
    }));
    expect(truth).toMatchObject({ built: ["view:demo.a.press"], isSame: true });
    expect(truth.way).toMatch(/^agent-surface: looked at the contract by a scan in \d+ ms, since /);
    expect(truth.way).toContain(obstacle.told);
    expect(truth.way.split("\n")).toHaveLength(1);
  });
});

it("a filter that is an expression takes the bundler, where a plugin of Vite 8 has one", async () => {
  const root = makeApp(APP);
  const [vite8] = SERVERS;
  if (vite8 === undefined) throw new Error("there is no Vite");
  const plugin: Plugin = {
    name: "test:expression",
    resolveId: (id) => (id === "feature" ? `${root}/src/a.js` : null),
    transform: {
      filter: [
        { kind: "include", expr: { kind: "id", pattern: /a\.js$/, params: { cleanUrl: false } } },
      ] as never,
      handler: (code, id) => (id.endsWith("a.js") ? `${code};` : null),
    },
  };
  const truth = await compare(vite8, () => ({ root, plugins: [agentSurface(), plugin] }));
  expect(truth).toMatchObject({ built: ["view:demo.a.press"], isSame: true });
  expect(truth.way).toContain("since a crawl cannot: a plugin filters modules by an expression");
});
