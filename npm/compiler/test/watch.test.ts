import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build as build8, type InlineConfig } from "vite";
import { build as build7 } from "vite7";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import { contractModule, makeApp, writeFiles, type Files } from "./app.js";
import { BuildEnds, readFiles, type Watcher } from "./watched.js";

describe.each([
  { name: "Vite 8", build: build8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", build: build7 as unknown as typeof build8 },
])("watched by $name", ({ build }) => {
  it("a rebuild is what a clean build would be: after edits, deletions, renames and errors", async () => {
    const root = makeApp({
      "src/main.js": `export * from "./kept.js";\nexport * from "./edited.js";\n`,
      "src/kept.js": contractModule("demo.kept", "kept"),
      "src/edited.js": contractModule("demo.first", "edited"),
    });
    const config = (): InlineConfig => ({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface()],
      build: {
        minify: false,
        rollupOptions: { input: join(root, "src/main.js"), output: { entryFileNames: "[name].js" } },
      },
    });
    const { build: options, ...rest } = config();
    const watcher = (await build({ ...rest, build: { ...options, watch: {} } })) as unknown as Watcher;
    onTestFinished(() => watcher.close());
    const ends = new BuildEnds(watcher);

    /** The capabilities of the next build, which is what a clean one makes of the same files; or that it failed. */
    const nextBuild = async (): Promise<string[] | "failed"> => {
      if ((await ends.next()) === "ERROR") return "failed";
      const files = readFiles(join(root, "dist"));
      expect(files).toEqual(outputsOf(await build({ ...rest, build: { ...options, write: false } })));
      const contract = JSON.parse(files[CONTRACT_FILE] ?? "") as { capabilities: { capabilityId: string }[] };
      return contract.capabilities.map(({ capabilityId }) => capabilityId);
    };
    const edit = (files: Files) => {
      writeFiles(root, files);
      return nextBuild();
    };

    expect(await nextBuild()).toEqual(["view:demo.first.press", "view:demo.kept.press"]);
    expect(await edit({ "src/edited.js": contractModule("demo.second", "edited") })).toEqual([
      "view:demo.second.press",
      "view:demo.kept.press",
    ]);
    expect(await edit({ "src/edited.js": "export const edited = 1;\n" })).toEqual(["view:demo.kept.press"]);
    const broken = contractModule("demo.broken", "edited").replace('"A thing to press"', "document.title");
    expect(await edit({ "src/edited.js": broken })).toBe("failed");
    const third = contractModule("demo.third", "edited");
    expect(await edit({ "src/edited.js": third })).toEqual(["view:demo.third.press", "view:demo.kept.press"]);

    // Written, and no other than it was at the last build that was proven.
    expect(await edit({ "src/edited.js": third })).toEqual(["view:demo.third.press", "view:demo.kept.press"]);
    expect(await edit({ "src/edited.js": broken })).toBe("failed");
    expect(await edit({ "src/edited.js": third })).toEqual(["view:demo.third.press", "view:demo.kept.press"]);
    expect(await edit({ "src/edited.js": "export const edited = ;" })).toBe("failed");
    expect(await edit({ "src/edited.js": third })).toEqual(["view:demo.third.press", "view:demo.kept.press"]);

    // Renamed: first it is gone, then its importer knows.
    renameSync(join(root, "src/edited.js"), join(root, "src/renamed.js"));
    expect(await nextBuild()).toBe("failed");
    expect(
      await edit({ "src/main.js": `export * from "./kept.js";\nexport * from "./renamed.js";\n` }),
    ).toEqual(["view:demo.kept.press", "view:demo.third.press"]);

    // Deleted: the same without another file.
    rmSync(join(root, "src/kept.js"));
    expect(await nextBuild()).toBe("failed");
    expect(await edit({ "src/main.js": `export * from "./renamed.js";\n` })).toEqual([
      "view:demo.third.press",
    ]);
  });

  it("a contract that is broken from the beginning, or in a file that came with it, is built once it is mended", async () => {
    const root = makeApp({ "src/main.js": broken("main") });
    const watcher = (await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface()],
      build: {
        watch: {},
        rollupOptions: { input: join(root, "src/main.js"), external: ["@agent-surface/core"] },
      },
    })) as unknown as Watcher;
    onTestFinished(() => watcher.close());
    const ends = new BuildEnds(watcher);
    const edit = (files: Files) => {
      writeFiles(root, files);
      return ends.next();
    };
    expect(await ends.next()).toBe("ERROR");
    expect(await edit({ "src/main.js": contractModule("demo.main", "main") })).toBe("BUNDLE_END");
    writeFiles(root, { "src/more.js": broken("more") });
    expect(await edit({ "src/main.js": 'export * from "./more.js";\n' })).toBe("ERROR");
    expect(await edit({ "src/more.js": contractModule("demo.more", "more") })).toBe("BUNDLE_END");
    expect(readFiles(join(root, "dist"))[CONTRACT_FILE]).toContain("view:demo.more.press");
  });
});

/** A module with a contract that nothing can prove. */
function broken(name: string): string {
  return contractModule(`demo.${name}`, name).replace('"A thing to press"', "document.title");
}

/** The texts of a build's files. */
function outputsOf(result: Awaited<ReturnType<typeof build8>>): Files {
  const outputs = [result].flat().flatMap((it) => ("output" in it ? it.output : []));
  return Object.fromEntries(
    outputs.map((file) => [
      file.fileName,
      file.type === "chunk" ? file.code : Buffer.from(file.source).toString(),
    ]),
  );
}
