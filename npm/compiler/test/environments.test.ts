import { describe, expect, it } from "vitest";
import { createBuilder as createBuilder8 } from "vite";
import { createBuilder as createBuilder7 } from "vite7";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp } from "./app.js";

describe.each([
  { name: "Vite 8", createBuilder: createBuilder8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", createBuilder: createBuilder7 as unknown as typeof createBuilder8 },
])("with $name", ({ createBuilder }) => {
  it("each environment proves the graph of its own, also where they share one plugin", async () => {
    const root = makeApp({
      "src/client.js": `import "./shared.js";\nexport * from "./page.js";\n`,
      "src/server.js": `export * from "./shared.js";\n`,
      "src/shared.js": contractModule("demo.shared"),
      "src/page.js": contractModule("demo.page", "page"),
    });
    const plugin = agentSurface();
    const build = (entry: string) => ({
      build: { write: false, rollupOptions: { input: `${root}/src/${entry}.js` } },
    });
    const builder = await createBuilder({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [{ ...plugin, sharedDuringBuild: true }],
      environments: { client: build("client"), ssr: build("server") },
      builder: { sharedConfigBuild: true },
    });
    await Promise.all(Object.values(builder.environments).map((environment) => builder.build(environment)));

    const proven = (environment: string) =>
      plugin.api
        .proof(environment)
        ?.capabilities.map(({ capabilityId, file, line }) => [capabilityId, file, line]);
    expect(proven("client")).toEqual([
      ["view:demo.page.press", "src/page.js", 6],
      ["view:demo.shared.press", "src/shared.js", 6],
    ]);
    expect(proven("ssr")).toEqual([["view:demo.shared.press", "src/shared.js", 6]]);
  });
});
