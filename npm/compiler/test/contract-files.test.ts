/** Contract files of dependencies: no modules, and a contract rests on them all the same. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build as buildLibrary, type Plugin } from "vite";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import { contractModule, createApp, installVite, makeApp, writeFiles, type Files } from "./app.js";
import { serve, SERVERS } from "./served.js";

/** The part of a bundler's watcher that is used here. */
interface Watcher {
  on(event: "event", listener: (event: { code: string; result?: { close(): unknown } }) => void): void;
  close(): Promise<void>;
}

/** A library with one contract, as it is installed; and the digest that approves it. */
async function makeLibrary(): Promise<{ files: Files; digest: string }> {
  const root = createApp({ "src/index.js": contractModule("acme.lever", "lever") });
  const result = await buildLibrary({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface()],
    build: {
      write: false,
      rolldownOptions: {
        input: join(root, "src/index.js"),
        preserveEntrySignatures: "strict",
        external: [/^@agent-surface\//],
        output: { entryFileNames: "index.js" },
      },
    },
  });
  const built = [result].flat().flatMap((it) => ("output" in it ? it.output : []));
  const text = (name: string) => {
    const file = built.find(({ fileName }) => fileName === name);
    return file?.type === "chunk" ? file.code : Buffer.from(file?.source ?? "").toString();
  };
  const contract = text(CONTRACT_FILE);
  return {
    digest: createHash("sha256").update(contract).digest("hex"),
    files: {
      "node_modules/acme/package.json": `{ "name": "acme", "version": "1.0.0", "type": "module", "main": "index.js", "agentSurface": { "contract": "./${CONTRACT_FILE}" } }`,
      "node_modules/acme/index.js": text("index.js"),
      [`node_modules/acme/${CONTRACT_FILE}`]: contract,
    },
  };
}

const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js":
    'export { default as authority } from "virtual:agent-surface-contract";\nexport * from "acme";\n',
};

const FILE = `node_modules/acme/${CONTRACT_FILE}`;

describe.each(SERVERS)(
  "with $name, a contract file in node_modules",
  ({ createServer, build, package: vite }) => {
    let library: Awaited<ReturnType<typeof makeLibrary>>;
    beforeAll(async () => {
      library = await makeLibrary();
    });
    const plugin = () =>
      agentSurface({ externalContracts: { allow: [{ package: "acme", digest: library.digest }] } });
    const edited = () => ({ [FILE]: (library.files[FILE] ?? "").replace("Press it", "Delete all") });

    it("is heard of by a dev server when it changes, and when it is what it was", async () => {
      const root = makeApp({ ...APP, ...library.files });
      const seen = new EventTarget();
      const watching: Plugin = {
        name: "test:watching",
        configureServer: ({ watcher }) =>
          void watcher.on("add", (file) => {
            if (file === join(root, FILE)) seen.dispatchEvent(new Event("seen"));
          }),
      };
      const begun = once(seen, "seen");
      const served = await serve(createServer, {
        root,
        server: { watch: { ignoreInitial: false } },
        plugins: [watching, plugin()],
      });
      expect(await served.capabilities()).toEqual(["view:acme.lever.press"]);
      await begun;
      const [shown] = await served.hear(() => writeFiles(root, edited()));
      expect(shown).toMatchObject({ type: "error" });
      await expect(served.capabilities()).rejects.toThrow(/acme/);
      const mended = await served.edit(root, { [FILE]: library.files[FILE] ?? "" });
      expect(mended.map(({ type }) => type)).toEqual(["full-reload"]);
      expect(await served.capabilities()).toEqual(["view:acme.lever.press"]);
    });

    it("makes a watching build build again when it changes, and when it is what it was", async () => {
      const root = makeApp({ ...APP, ...library.files });
      installVite(root, vite);
      const watcher = (await build({
        root,
        configFile: false,
        logLevel: "silent",
        plugins: [plugin()],
        build: { watch: {} },
      })) as unknown as Watcher;
      onTestFinished(() => watcher.close());
      const ended: string[] = [];
      const signal = new EventTarget();
      watcher.on("event", ({ code, result }) => {
        if (code !== "BUNDLE_END" && code !== "ERROR") return;
        void result?.close();
        ended.push(code);
        signal.dispatchEvent(new Event("end"));
      });
      const next = async (): Promise<string | undefined> => {
        if (ended.length === 0) await once(signal, "end");
        return ended.shift();
      };
      expect(await next()).toBe("BUNDLE_END");
      const first = readFileSync(join(root, "dist", CONTRACT_FILE), "utf8");
      expect(first).toContain("view:acme.lever.press");
      writeFiles(root, edited());
      expect(await next()).toBe("ERROR");
      writeFiles(root, { [FILE]: library.files[FILE] ?? "" });
      expect(await next()).toBe("BUNDLE_END");
      expect(readFileSync(join(root, "dist", CONTRACT_FILE), "utf8")).toBe(first);
    });
  },
);
