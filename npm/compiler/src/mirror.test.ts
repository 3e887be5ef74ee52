import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as vite8 from "vite";
import * as vite7 from "vite7";
import { describe, expect, it } from "vitest";
import { isForeign } from "./mirror.js";
import type { Vite } from "./vite.js";

/** Parts of Vite that are plugins of its optimiser, which never get into an environment. */
const ELSEWHERE = /^vite:dep-(?:scan|pre-bundle)/;

describe.each([
  { vite: vite8, name: "vite" },
  { vite: vite7 as unknown as Vite, name: "vite7" },
])("of $name, as it is installed,", ({ vite, name }) => {
  it("every plugin that an environment gets is known", async () => {
    const everything: vite8.InlineConfig[] = [
      {},
      { build: { minify: "terser", manifest: true, ssrManifest: true, license: true, sourcemap: true } },
      { build: { minify: "esbuild", lib: { entry: "a.js", name: "a", formats: ["es", "umd"] } } },
      { build: { ssr: "a.js" }, ssr: { target: "webworker" } },
      { optimizeDeps: { noDiscovery: true }, appType: "custom", worker: { format: "es" } },
      {
        esbuild: { banner: "/**/", footer: "/**/" },
        css: { transformer: "postcss" },
        json: { stringify: true },
      },
    ];
    const found = new Set<string>();
    for (const command of ["build", "serve"] as const) {
      for (const given of everything) {
        // oxlint-disable-next-line no-await-in-loop -- Vite's own config is the process's
        const config = await vite.resolveConfig(
          { configFile: false, logLevel: "silent", root: import.meta.dirname, ...given },
          command,
        );
        for (const plugin of config.plugins) found.add(plugin.name);
        for (const environmentName of Object.keys(config.environments)) {
          const environment =
            command === "build"
              ? new vite.BuildEnvironment(environmentName, config)
              : new vite.DevEnvironment(environmentName, config, { hot: false });
          // oxlint-disable-next-line no-await-in-loop
          await environment.init();
          for (const plugin of environment.plugins) found.add(plugin.name);
        }
      }
    }
    expect(found.size).toBeGreaterThan(30);
    expect([...found].filter((plugin) => isForeign({ name: plugin }))).toEqual([]);
  });

  it("every plugin that its source names is known, whatever config it takes to get it", () => {
    const chunks = join(dirname(fileURLToPath(import.meta.resolve(name))), "chunks");
    const sources = readdirSync(chunks).map((file) => readFileSync(join(chunks, file), "utf8"));
    const names = sources.flatMap((source) =>
      [...source.matchAll(/(?:\bname: |[pP]lugin\()"(vite:[\w:-]+)"/g)].map(([, plugin = ""]) => plugin),
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((plugin) => !ELSEWHERE.test(plugin) && isForeign({ name: plugin }))).toEqual([]);
  });

  it("no other kind of file is a script, and no other query makes something else of one", () => {
    const chunks = join(dirname(fileURLToPath(import.meta.resolve(name))), "chunks");
    const source = readdirSync(chunks)
      .map((file) => readFileSync(join(chunks, file), "utf8"))
      .join("\n");
    // What `Kind::of` in crates/crawl/src/kind.rs knows.
    expect(source).toContain(String.raw`knownJavascriptExtensionRE = /\.(?:[tj]sx?|[cm][tj]s)$/`);
    expect(source).toContain(String.raw`SPECIAL_QUERY_RE = /[?&](?:worker|sharedworker|raw|url)\b/`);
    expect(source).toContain(
      String.raw`CSS_LANGS_RE = /\.(css|less|sass|scss|styl|stylus|pcss|postcss|sss)(?:$|\?)/`,
    );
    const [, endings = ""] = /DEFAULT_EXTENSIONS = \[([^\]]*)\]/.exec(source) ?? [];
    expect(endings.match(/\.\w+/g)).toEqual([".mjs", ".js", ".mts", ".ts", ".jsx", ".tsx", ".json"]);
  });
});
