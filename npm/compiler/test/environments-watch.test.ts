import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, writeFiles, type Files } from "./app.js";
import { ALL, BUILDERS, configOf, makePageAndServer } from "./environments.js";
import { BuildEnds, readFiles, type Watcher } from "./watched.js";

describe.each(BUILDERS)("watched by $name", ({ createBuilder }) => {
  it("each environment is built again when a file of another changes, to what a clean build would be", async () => {
    const root = makePageAndServer();
    const start = async (folder: string, watch: object | null) => {
      const config = configOf({ root, plugins: [agentSurface()] });
      Object.assign(config.build ?? {}, { write: true, watch });
      for (const name of ["client", "ssr"]) {
        const build = config.environments?.[name]?.build;
        const output = { entryFileNames: "[name].js", chunkFileNames: "[name].js" };
        Object.assign(build ?? {}, { outDir: `${folder}/${name}` });
        Object.assign(build?.rollupOptions ?? {}, { output });
      }
      const builder = await createBuilder(config);
      const results: unknown[] = [];
      for (const name of ["client", "ssr"]) {
        const environment = builder.environments[name];
        // oxlint-disable-next-line no-await-in-loop
        if (environment !== undefined) results.push(await builder.build(environment));
      }
      return results;
    };
    const watchers = (await start("dist", {})) as Watcher[];
    onTestFinished(async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
    });
    const ends = watchers.map((watcher) => new BuildEnds(watcher));

    /** The capabilities of the next build, which is what a clean one makes of the same files; or that it failed. */
    const nextBuild = async (): Promise<string[] | "failed"> => {
      const codes = await Promise.all(ends.map((end) => end.next()));
      if (codes.includes("ERROR")) return "failed";
      await start("clean", null);
      for (const name of ["client", "ssr"]) {
        expect(readFiles(join(root, "dist", name))).toEqual(readFiles(join(root, "clean", name)));
      }
      const contract = readFiles(join(root, "dist/client"))["agent-surface.contract.json"] ?? "";
      const { capabilities } = JSON.parse(contract) as { capabilities: { capabilityId: string }[] };
      return capabilities.map(({ capabilityId }) => capabilityId);
    };
    const edit = (files: Files) => {
      writeFiles(root, files);
      return nextBuild();
    };

    expect(await nextBuild()).toEqual(ALL);
    // Only the server has it.
    expect(await edit({ "src/job.js": contractModule("demo.task", "job") })).toContain(
      "view:demo.task.press",
    );
    // Only the page.
    expect(await edit({ "src/page.js": contractModule("demo.leaf", "page") })).toContain(
      "view:demo.leaf.press",
    );
    const broken = contractModule("demo.task", "job").replace('"Press it"', "Date.now()");
    expect(await edit({ "src/job.js": broken })).toBe("failed");
    expect(await edit({ "src/job.js": contractModule("demo.job", "job") })).toEqual([
      "view:demo.job.press",
      "view:demo.leaf.press",
      "view:demo.shared.press",
    ]);
  });
});
