import type { InlineConfig, Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { compare, SERVERS } from "./served.js";

const MODULES: Files = {
  "src/a.js": contractModule("demo.a"),
  "src/b.js": contractModule("demo.b"),
  "src/no.js": contractModule("demo.no"),
  "public/plain.js": contractModule("demo.public"),
};

const tag = (src: string, rest = "") => `<script type="module" src="${src}"${rest}></script>\n`;

/** A page, and what is in its contract. */
interface Case {
  name: string;
  page: string;
  files?: Files;
  config?: (root: string) => InlineConfig;
  contracts: string[];
}

const plugin = (transformIndexHtml: Plugin["transformIndexHtml"]): InlineConfig => ({
  plugins: [agentSurface(), { name: "test:page", transformIndexHtml }],
});

const CASES: readonly Case[] = [
  {
    name: "scripts that are async, of any quoting, and none that are no modules",
    page: `${tag("/src/a.js", " async")}<script type=module async src=./src/b.js></script><script src="/src/no.js"></script>`,
    contracts: ["a", "b"],
  },
  {
    name: "scripts in a comment, a title, a template and another script",
    page: `<!-- ${tag("/src/no.js")} --><title>${tag("/src/no.js")}</title><template>${tag("/src/a.js")}</template>
      <script>const text = '<script type="module" src="/src/no.js">';</script>`,
    contracts: ["a"],
  },
  {
    name: "inline scripts, behind styles that count and styles that do not",
    page: `<style></style><style>p { color: red }</style><p style="background: url(data:,)"></p>
      <script type="module">import "/src/a.js";</script>
      <script type="module">${contractModule("demo.inline").replace("export ", "console.log(1); ")}console.log(contract);</script>`,
    contracts: ["inline", "a"],
  },
  {
    name: "a constant in the address of a script",
    page: `${tag("%VITE_FOLDER%/a.js")}${tag("/src/%VITE_FILE%")}`,
    files: { ".env": "VITE_FOLDER=/src\n" },
    config: () => ({ define: { "import.meta.env.VITE_FILE": '"b.js"' } }),
    contracts: ["a", "b"],
  },
  {
    name: "a script of the public folder, which nobody bundles",
    page: `${tag("/plain.js")}${tag("/src/a.js")}`,
    contracts: ["a"],
  },
  {
    name: "an app with a base",
    page: tag("/src/a.js"),
    config: () => ({ base: "/shop/" }),
    contracts: ["a"],
  },
  {
    name: "a plugin that changes the markup first",
    page: "<!-- here -->",
    config: () =>
      plugin({ order: "pre", handler: (html) => html.replace("<!-- here -->", tag("/src/a.js")) }),
    contracts: ["a"],
  },
  {
    name: "a plugin that puts scripts in first, by their addresses",
    page: tag("/src/a.js"),
    config: () =>
      plugin({
        order: "pre",
        handler: (html) => ({
          html: html.replace("a.js", "b.js"),
          tags: [{ tag: "script", attrs: { type: "module", async: true, src: "/src/%VITE_FILE%" } }],
        }),
      }),
    files: { ".env": "VITE_FILE=a.js\n" },
    contracts: ["a", "b"],
  },
  {
    name: "a plugin that changes the markup last, when its scripts are bundled",
    page: tag("/src/a.js"),
    config: () => plugin({ order: "post", handler: (html) => html + tag("/src/no.js") }),
    contracts: ["a"],
  },
  {
    name: "a plugin that changes the markup when it likes, which is last too",
    page: tag("/src/a.js"),
    config: () => plugin((html) => html + tag("/src/no.js")),
    contracts: ["a"],
  },
];

describe.each(SERVERS)("$name reads of a page", (major) => {
  it.each(CASES)("$name, served as built", async ({ page, files, config, contracts }) => {
    const root = makeApp({ ...MODULES, ...files, "index.html": page });
    const truth = await compare(major, () => ({ root, ...config?.(root) }));
    expect(truth).toMatchObject({ built: contracts.map((name) => `view:demo.${name}.press`), isSame: true });
    expect(truth.way).toContain("by a crawl");
  });

  it("several, each with scripts of its own and one in common", async () => {
    const root = makeApp({
      ...MODULES,
      "index.html": `${tag("/src/a.js")}${tag("/src/c.js")}`,
      "deep/other.html": `${tag("../src/b.js")}${tag("/src/c.js")}`,
      "src/c.js": contractModule("demo.c"),
    });
    const input = [`${root}/index.html`, `${root}/deep/other.html`];
    const truth = await compare(major, () => ({ root, build: { rollupOptions: { input } } }));
    expect(truth).toMatchObject({
      built: ["view:demo.a.press", "view:demo.b.press", "view:demo.c.press"],
      isSame: true,
    });
  });
});
