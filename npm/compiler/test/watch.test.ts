import { readFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { build as build8 } from "vite";
import { build as build7 } from "vite7";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import { contractModule, makeApp, writeFiles } from "./app.js";

/** The part of a bundler's watcher that is used here. */
interface Watcher {
  on(event: "event", listener: (event: { code: string; result?: { close(): unknown } }) => void): void;
  close(): Promise<void>;
}

describe.each([
  { name: "Vite 8", build: build8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", build: build7 as unknown as typeof build8 },
])("watched by $name", ({ build }) => {
  it("a rebuild proves what a clean build would: contracts edited, removed, broken and mended", async () => {
    const root = makeApp({
      "src/main.js": `export * from "./kept.js";\nexport * from "./edited.js";\n`,
      "src/kept.js": contractModule("demo.kept", "kept"),
      "src/edited.js": contractModule("demo.first", "edited"),
    });
    const watcher = (await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface()],
      build: { watch: {}, minify: false, rollupOptions: { input: join(root, "src/main.js") } },
    })) as unknown as Watcher;
    onTestFinished(() => watcher.close());

    /** Resolves to how the next build ends: the capabilities in its contract, or that it failed. */
    const ends = new BuildEnds(watcher);
    const nextBuild = async (): Promise<string[] | "failed"> => {
      if ((await ends.next()) === "ERROR") return "failed";
      const contract = JSON.parse(readFileSync(join(root, "dist", CONTRACT_FILE), "utf8")) as {
        capabilities: { capabilityId: string }[];
      };
      return contract.capabilities.map(({ capabilityId }) => capabilityId);
    };
    const edit = (text: string) => {
      writeFiles(root, { "src/edited.js": text });
      return nextBuild();
    };

    expect(await nextBuild()).toEqual(["view:demo.first.press", "view:demo.kept.press"]);
    expect(await edit(contractModule("demo.second", "edited"))).toEqual([
      "view:demo.second.press",
      "view:demo.kept.press",
    ]);
    expect(await edit("export const edited = 1;\n")).toEqual(["view:demo.kept.press"]);
    expect(
      await edit(contractModule("demo.broken", "edited").replace('"A thing to press"', "document.title")),
    ).toBe("failed");
    expect(await edit(contractModule("demo.third", "edited"))).toEqual([
      "view:demo.third.press",
      "view:demo.kept.press",
    ]);
  });
});

/** A watcher's builds in turn, whether or not somebody waits when they end. */
class BuildEnds {
  #ended: string[] = [];
  #signal = new EventTarget();

  constructor(watcher: Watcher) {
    watcher.on("event", ({ code, result }) => {
      if (code !== "BUNDLE_END" && code !== "ERROR") return;
      void result?.close();
      this.#ended.push(code);
      this.#signal.dispatchEvent(new Event("end"));
    });
  }

  async next(): Promise<string> {
    if (this.#ended.length === 0) await once(this.#signal, "end");
    return this.#ended.shift() ?? this.next();
  }
}
