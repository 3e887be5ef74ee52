import { once } from "node:events";
import { join } from "node:path";
import type { HotPayload, Plugin, ViteDevServer } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, PRESSABLE, writeFiles, type Files } from "./app.js";
import { serve, SERVERS } from "./served.js";

const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": `${PRESSABLE["src/main.js"]}export * from "./pads.js";\nexport * from "./rest.js";\n`,
  "src/contract.js": contractModule("demo.button"),
  "src/pads.js": contractModule("demo.pad", "pad"),
  "src/rest.js": 'export * from "./worded.js";\nexport * from "./list.js";\nexport * from "./other.js";\n',
  "src/worded.js": `import { word } from "./words.js";\n${contractModule("demo.worded", "worded").replace('"Press it"', "word")}`,
  "src/words.js": 'export const word = "Press it";\n',
  "src/list.js": "export const list = [];\n",
  "src/other.js": "import.meta.hot?.accept();\nexport const other = 1;\n",
};

/**
 * Tells when a server's watcher has begun to watch all files of an app: what is written before that, it may not hear. It
 * says that it is ready some time before.
 */
class Watching implements Plugin {
  readonly name = "test:watching";
  #unseen: Set<string>;
  #seen = new EventTarget();
  readonly begun = once(this.#seen, "all");

  constructor(root: string) {
    this.#unseen = new Set(Object.keys(APP).map((file) => join(root, file)));
  }

  configureServer = ({ watcher }: ViteDevServer): void => {
    watcher.on("add", (file) => {
      if (this.#unseen.delete(file) && this.#unseen.size === 0) this.#seen.dispatchEvent(new Event("all"));
    });
  };
}

describe.each(SERVERS)("files that are edited while $name serves them", ({ createServer }) => {
  // Each file is edited once: the watcher swallows what follows within 50 ms upon a change of the same file.
  it("load the page once where the contract is another, and are ordinary where it is not", async () => {
    const root = makeApp(APP);
    const watching = new Watching(root);
    const served = await serve(createServer, {
      root,
      server: { watch: { ignoreInitial: false } },
      plugins: [watching, agentSurface()],
    });
    await watching.begun;
    expect(await served.capabilities()).toHaveLength(3);
    await served.text("/src/other.js");

    const told: HotPayload[] = [];
    const edit = async (files: Files) => {
      told.push(...(await served.hear(() => writeFiles(root, files))));
    };

    await edit({ "src/contract.js": contractModule("demo.lever") });
    expect(await served.capabilities()).toContain("view:demo.lever.press");

    await edit({ "src/words.js": 'export const word = "Push it";\n' });
    expect(await served.text("/src/worded.js")).toContain("Push it");

    await edit({ "src/pads.js": APP["src/pads.js"]?.replace('"Press it"', "document.title") ?? "" });
    await expect(served.capabilities()).rejects.toThrow(/document\.title/);

    await edit({ "src/main.js": APP["src/main.js"]?.replace('export * from "./pads.js";\n', "") ?? "" });
    expect(await served.capabilities()).toEqual(["view:demo.lever.press", "view:demo.worded.press"]);

    // What nobody imports is nobody's news.
    writeFiles(root, { "src/added.js": contractModule("demo.added", "added") });
    await edit({ "src/list.js": 'export * from "./added.js";\n' });
    expect(await served.capabilities()).toContain("view:demo.added.press");

    await edit({ "src/other.js": "import.meta.hot?.accept();\nexport const other = 2;\n" });

    expect(told.map(({ type }) => type)).toEqual([
      "full-reload",
      "full-reload",
      "error",
      "full-reload",
      "full-reload",
      "update",
    ]);
  });
});
