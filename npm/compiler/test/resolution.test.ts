import type { InlineConfig, Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { compare, SERVERS, type Major } from "./served.js";

const MODULES: Files = {
  "index.html": '<script type="module" src="/src/main.ts"></script>\n',
  "src/a.ts": contractModule("demo.a"),
  "src/b.ts": contractModule("demo.b"),
  "src/deep/c.ts": contractModule("demo.c"),
  "src/skip.ts": contractModule("demo.skip"),
};

/** What the app's script is, and what is in its contract. */
interface Case {
  name: string;
  main: string;
  files?: Files;
  config?: (root: string) => InlineConfig;
  contracts: string[];
  /** Whether only Vite 8 has it. */
  isNew?: boolean;
}

const CASES: readonly Case[] = [
  {
    name: "aliases of words, of folders and of patterns",
    main: 'import "one";\nimport "@/b";\nimport "~deep/c";\n',
    config: (root) => ({
      resolve: {
        alias: [
          { find: "one", replacement: `${root}/src/a.ts` },
          { find: "@", replacement: `${root}/src` },
          { find: /^~(\w+)\/(.*)$/, replacement: `${root}/src/$1/$2.ts` },
        ],
      },
    }),
    contracts: ["a", "b", "c"],
  },
  {
    name: "aliases that are not followed twice, and the first that matches",
    main: 'import "@/a.ts";\nimport "@@";\n',
    config: (root) => ({
      resolve: {
        alias: [
          { find: "@@", replacement: "@/b.ts" },
          { find: "@", replacement: `${root}/src` },
          { find: "@", replacement: `${root}/nowhere` },
        ],
        // What an alias leads to is no alias any more.
      },
      plugins: [
        agentSurface(),
        { name: "test:last", resolveId: (id: string) => (id === "@/b.ts" ? `${root}/src/b.ts` : null) },
      ],
    }),
    contracts: ["a", "b"],
  },
  {
    name: "an alias that a plugin sees followed",
    main: 'import "word/a";\n',
    config: (root) => ({
      resolve: { alias: { word: "virtual:word" } },
      plugins: [
        agentSurface(),
        {
          name: "test:first",
          enforce: "pre",
          resolveId: (id: string) => (id === "virtual:word/a" ? `${root}/src/a.ts` : null),
        },
      ],
    }),
    contracts: ["a"],
  },
  {
    name: "hooks in their order, those that come before aliases, before Vite and after it",
    main: 'import "word/a";\nimport "word/b";\nimport "late";\nimport "@/skip.ts";\n',
    config: (root) => {
      const leading = (
        order: "pre" | "post",
        enforce: "pre" | "post",
        to: Record<string, string>,
      ): Plugin => ({
        name: `test:${order}-${enforce}`,
        enforce,
        resolveId: {
          order,
          handler: (id) => (to[id] === undefined ? null : `${root}/src/${to[id]}`),
        },
      });
      return {
        resolve: { alias: { word: `${root}/nowhere`, "@": `${root}/src` } },
        plugins: [
          agentSurface(),
          // Last of all, whatever its plugin says: what Vite finds it is not asked for.
          leading("post", "pre", { late: "deep/c.ts", [`${root}/src/skip.ts`]: "a.ts" }),
          leading("pre", "post", { "word/a": "a.ts", [`${root}/nowhere/b`]: "b.ts" }),
        ],
      };
    },
    contracts: ["a", "b", "c", "skip"],
  },
  {
    name: "what plugins find out by asking each other, none of them what it asks itself",
    main: 'import "what:a";\nimport "./b";\n',
    config: (root) => {
      const asking = (name: string, custom?: object): Plugin => ({
        name,
        enforce: "pre",
        async resolveId(id, importer, options) {
          // As some do that see to it themselves: what they pass on has to come back.
          if (custom !== undefined && options.custom?.[name] !== undefined) return null;
          const found = await this.resolve(id, importer, {
            ...options,
            custom: { ...options.custom, ...custom },
          });
          return found?.id.endsWith("what.ts") === true ? `${root}/src/a.ts` : found;
        },
      });
      return {
        plugins: [
          agentSurface(),
          asking("test:one"),
          asking("test:other"),
          asking("test:careful", { "test:careful": true }),
          {
            name: "test:renaming",
            enforce: "pre",
            resolveId(id, importer) {
              return id === "what:a" ? this.resolve("what:b", importer) : null;
            },
          },
          {
            name: "test:what",
            enforce: "pre",
            resolveId: (id) => (id === "what:b" ? `${root}/src/what.ts` : null),
          },
        ],
      };
    },
    contracts: ["a", "b"],
  },
  {
    name: "endings and conditions of the app's own",
    main: 'import "./chosen";\nimport "kit";\n',
    files: {
      "src/chosen.shop.ts": contractModule("demo.chosen"),
      "src/chosen.ts": contractModule("demo.no"),
      "node_modules/kit/package.json":
        '{ "name": "kit", "type": "module", "exports": { "shop": "./shop.js", "default": "./index.js" } }',
      "node_modules/kit/shop.js": 'import "/src/a.ts";\n',
      "node_modules/kit/index.js": 'import "/src/b.ts";\n',
    },
    config: () => ({
      resolve: { extensions: [".shop.ts", ".ts", ".js"], conditions: ["shop", "module", "browser"] },
    }),
    contracts: ["a", "chosen"],
  },
  {
    name: "paths of tsconfig.json, the nearest one's that has the file, and none where they are not asked for",
    main: 'import "@/a";\nimport "./deep/main";\n',
    files: {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } }, "exclude": ["src/deep"] }',
      "src/deep/tsconfig.json": '{ "extends": "./base.json", "include": ["."] }',
      "src/deep/base.json": '{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["no/*", "*"] } } }',
      "src/deep/main.ts": 'import "@/c";\n',
    },
    config: () => ({ resolve: { tsconfigPaths: true } }),
    contracts: ["a", "c"],
    isNew: true,
  },
  {
    name: "paths of the tsconfig.json that the config names",
    main: 'import "@/a";\n',
    files: {
      "tsconfig.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/deep/*"] } } }',
      "tsconfig.app.json": '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    },
    config: () => ({ resolve: { tsconfigPaths: true }, tsconfig: "tsconfig.app.json" }),
    contracts: ["a"],
    isNew: true,
  },
  {
    name: "imports of which nothing is used, which TypeScript leaves out",
    main: 'import { contract } from "./a.js";\nimport { contract as other } from "./b.js";\nconsole.log(other);\n',
    files: { "tsconfig.json": "{}" },
    contracts: ["b"],
  },
  {
    name: "imports of which nothing is used, which it keeps where it is told to",
    main: 'import { contract } from "./a.js";\nimport { contract as other } from "./b.js";\nconsole.log(other);\n',
    files: { "tsconfig.json": '{ "compilerOptions": { "verbatimModuleSyntax": true } }' },
    contracts: ["a", "b"],
  },
];

const GLOBS: readonly Case[] = [
  {
    name: "a pattern",
    main: 'console.log(import.meta.glob("./*.ts"));\n',
    contracts: ["a", "b", "skip"],
  },
  {
    name: "patterns, some of which take away, read at once",
    main: 'console.log(import.meta.glob(["./**/*.ts", "!./skip.ts", "!**/main.ts"], { eager: true }));\n',
    contracts: ["a", "b", "c"],
  },
  {
    name: "patterns from a base, of one name, and from the root",
    main: `console.log(import.meta.glob("./c.ts", { base: "./deep", import: "contract" }));
console.log(import.meta.glob("/src/{a,b}.ts", { import: "contract", eager: true }));\n`,
    contracts: ["a", "b", "c"],
  },
  {
    name: "patterns of texts, which are no modules",
    main: 'console.log(import.meta.glob("./[ab].ts", { query: "?raw", import: "default", eager: true }));\n',
    contracts: [],
  },
  {
    name: "patterns behind an alias",
    main: 'console.log(import.meta.glob("@/a.ts"));\n',
    config: (root) => ({ resolve: { alias: { "@": `${root}/src` } } }),
    contracts: ["a"],
  },
  {
    name: "names that are put together",
    main: "export const load = (name: string) => import(`./deep/${name}.ts`);\nvoid load(document.title);\n",
    contracts: ["c"],
  },
];

const truthOf = (major: Major, { main, files, config }: Case) => {
  const root = makeApp({ ...MODULES, "src/main.ts": main, ...files });
  return compare(major, () => ({ root, ...config?.(root) }));
};

const crawledTo = ({ contracts }: Case) => ({
  built: contracts.map((name) => `view:demo.${name}.press`),
  isSame: true,
  way: expect.stringContaining("by a crawl") as string,
});

describe.each(SERVERS)("with $name, served as built,", (major) => {
  const isOf = ({ isNew }: Case) => isNew !== true || major.package === "vite";

  it.each(CASES.filter(isOf))("imports follow $name", async (it) => {
    expect(await truthOf(major, it)).toMatchObject(crawledTo(it));
  });

  it.each(GLOBS)("imports are made of $name", async (it) => {
    expect(await truthOf(major, it)).toMatchObject(crawledTo(it));
  });
});
