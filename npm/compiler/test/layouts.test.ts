import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { InlineConfig } from "vite";
import { describe, expect, it } from "vitest";
import { contractModule, installVite, makeApp, type Files } from "./app.js";
import { compare, SERVERS, type Major } from "./served.js";

/** Where packages lie, and what the app then consists of. */
interface Layout {
  name: string;
  files: Files;
  /** What is linked, from the folder of the workspace: where to, and where the link stands. */
  links?: readonly [to: string, at: string][];
  /** The app's folder, as it is given. */
  root?: string;
  config?: InlineConfig;
  contracts: string[];
  /** Whether Vite 7 cannot build it: it finds the page outside of the root. */
  isNew?: boolean;
}

const packageJson = (name: string) =>
  `{ "name": "${name}", "version": "1.0.0", "type": "module", "main": "index.js" }`;

/** A package that leads back to a module of the app: of which copy it is tells which module. */
const leading = (name: string, to: string): Files => ({
  "package.json": packageJson(name),
  "index.js": `import "/src/${to}.js";\n`,
});

const at = (folder: string, files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

const app = (folder: string, main: string, ...contracts: string[]): Files =>
  at(folder, {
    "package.json": packageJson("shop"),
    "index.html": '<script type="module" src="/src/main.js"></script>\n',
    "src/main.js": main,
    ...Object.fromEntries(contracts.map((name) => [`src/${name}.js`, contractModule(`demo.${name}`)])),
  });

const KIT: Files = { "package.json": packageJson("kit"), "index.js": contractModule("demo.kit") };

const LAYOUTS: readonly Layout[] = [
  {
    name: "a workspace whose packages are linked at its top",
    files: { ...app("apps/shop", 'import "kit";\nimport "./own.js";\n', "own"), ...at("packages/kit", KIT) },
    links: [["packages/kit", "node_modules/kit"]],
    root: "apps/shop",
    contracts: ["kit", "own"],
  },
  {
    name: "a workspace whose packages are linked in the app, as pnpm does",
    files: { ...app("apps/shop", 'import "kit";\n'), ...at("packages/kit", KIT) },
    links: [["packages/kit", "apps/shop/node_modules/kit"]],
    root: "apps/shop",
    contracts: ["kit"],
  },
  {
    name: "links that are not followed",
    files: { ...app("apps/shop", 'import "kit";\n'), ...at("packages/kit", KIT) },
    links: [["packages/kit", "node_modules/kit"]],
    root: "apps/shop",
    config: { resolve: { preserveSymlinks: true } },
    contracts: ["kit"],
  },
  {
    name: "a store, in which packages find what is beside them",
    files: {
      ...app("apps/shop", 'import "outer";\nimport "inner";\n', "stored", "own"),
      ...at("node_modules/.pnpm/outer@1/node_modules/outer", {
        "package.json": packageJson("outer"),
        "index.js": 'import "inner";\n',
      }),
      ...at("node_modules/.pnpm/inner@1/node_modules/inner", leading("inner", "stored")),
      ...at("node_modules/.pnpm/inner@2/node_modules/inner", leading("inner", "own")),
    },
    links: [
      ["node_modules/.pnpm/outer@1/node_modules/outer", "apps/shop/node_modules/outer"],
      ["node_modules/.pnpm/inner@1/node_modules/inner", "node_modules/.pnpm/outer@1/node_modules/inner"],
      ["node_modules/.pnpm/inner@2/node_modules/inner", "apps/shop/node_modules/inner"],
    ],
    root: "apps/shop",
    contracts: ["own", "stored"],
  },
  {
    name: "packages that are hoisted to the workspace, but for one",
    files: {
      ...app("apps/shop", 'import "outer";\nimport "inner";\n', "hoisted", "nested"),
      ...at("node_modules/outer", { "package.json": packageJson("outer"), "index.js": 'import "inner";\n' }),
      ...at("node_modules/inner", leading("inner", "hoisted")),
      ...at("node_modules/outer/node_modules/inner", leading("inner", "nested")),
    },
    root: "apps/shop",
    contracts: ["hoisted", "nested"],
  },
  {
    name: "packages of which the app wants one copy",
    files: {
      ...app("apps/shop", 'import "outer";\n', "hoisted", "nested"),
      ...at("node_modules/outer", { "package.json": packageJson("outer"), "index.js": 'import "inner";\n' }),
      ...at("node_modules/inner", leading("inner", "hoisted")),
      ...at("node_modules/outer/node_modules/inner", leading("inner", "nested")),
    },
    root: "apps/shop",
    config: { resolve: { dedupe: ["inner"] } },
    contracts: ["hoisted"],
  },
  {
    name: "an app that is reached by a link",
    isNew: true,
    files: app("real/shop", 'import "./own.js";\n', "own"),
    links: [["real/shop", "linked"]],
    root: "linked",
    contracts: ["own"],
  },
  {
    name: "an app that is reached by a link which is not followed",
    files: app("real/shop", 'import "./own.js";\n', "own"),
    links: [["real/shop", "linked"]],
    root: "linked",
    config: { resolve: { preserveSymlinks: true } },
    contracts: ["own"],
  },
  {
    name: "a folder of spaces, accents and other letters",
    files: {
      ...app("my apps/Übung (1) 日本 [x] +&'", 'import "./own.js";\nimport "kit";\n', "own", "accent"),
      ...at("node_modules/kit", leading("kit", "accent")),
    },
    root: "my apps/Übung (1) 日本 [x] +&'",
    contracts: ["accent", "own"],
  },
];

const truthOf = (major: Major, { files, links = [], root = ".", config }: Layout) => {
  const workspace = makeApp(files);
  installVite(workspace, major.package);
  for (const [to, place] of links) {
    mkdirSync(dirname(join(workspace, place)), { recursive: true });
    symlinkSync(join(workspace, to), join(workspace, place), "dir");
  }
  return compare(major, () => ({ root: join(workspace, root), ...config }));
};

describe.each(SERVERS)("$name, served as built:", (major) => {
  const isOf = ({ isNew }: Layout) => isNew !== true || major.package === "vite";

  it.each(LAYOUTS.filter(isOf))("$name", async (layout) => {
    expect(await truthOf(major, layout)).toMatchObject({
      built: layout.contracts.map((name) => `view:demo.${name}.press`),
      isSame: true,
      way: expect.stringContaining("by a crawl") as string,
    });
  });
});
