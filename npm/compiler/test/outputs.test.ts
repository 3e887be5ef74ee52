import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build as build8 } from "vite";
import { build as build7 } from "vite7";
import { describe, expect, it } from "vitest";
import { agentSurface, CONTRACT_FILE } from "@agent-surface/compiler";
import { makeApp, PRESSABLE } from "./app.js";
import { bundleOnce, fileNamed, run, VITE_7, VITE_8, type Bundler, type Request } from "./bundlers.js";

const MINIFIED: ReadonlyArray<{ bundler: Bundler; minify: Request["minify"] }> = [
  { bundler: VITE_8, minify: "oxc" },
  { bundler: VITE_8, minify: "esbuild" },
  { bundler: VITE_8, minify: "terser" },
  { bundler: VITE_7, minify: "esbuild" },
  { bundler: VITE_7, minify: "terser" },
];

/** Quotes, line ends and everything else that a minifier may write in another way. */
const AWKWARD = "'\"`${x}\\n\u2028</script><!--";

describe.each(MINIFIED)("$bundler.name, minified by $minify", ({ bundler, minify }) => {
  it("every placeholder is replaced, and the text of the app that looks like one is not", async () => {
    const lookalike = "@agent-surface/placeholder:0123456789abcdef0123456789abcdef:0:definition";
    const root = makeApp({
      "src/main.js": `${PRESSABLE["src/main.js"]}export const text = ${JSON.stringify(lookalike)};\n`,
      "src/contract.js":
        PRESSABLE["src/contract.js"]?.replace(
          "A thing to press",
          AWKWARD.replaceAll(/["\\]/g, "\\$&").replace("\u2028", "\\u2028"),
        ) ?? "",
    });
    const files = await bundleOnce(bundler, { root, plugins: [agentSurface()], minify });
    const chunk = fileNamed(files, "app.js").text;
    expect(chunk.split("@agent-surface/placeholder:")).toHaveLength(2);
    expect(chunk).not.toContain("</script");

    const { authority, manifest, text, contract } = await run(root, files, "app.js");
    expect(text).toBe(lookalike);
    expect(manifest).toEqual(JSON.parse(fileNamed(files, CONTRACT_FILE).text));
    expect(authority).toHaveProperty("manifest.hash", (manifest as { hash: string }).hash);
    expect(contract).toMatchObject({ description: AWKWARD });
  });
});

describe.each([
  { name: "Vite 8", build: build8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", build: build7 as unknown as typeof build8 },
])("a library that $name builds", ({ build }) => {
  it("has one contract in all of its formats, and each of them carries it", async () => {
    const root = makeApp(PRESSABLE);
    const built = await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface()],
      build: {
        write: false,
        lib: {
          entry: join(root, "src/main.js"),
          name: "App",
          formats: ["es", "cjs", "umd"],
          fileName: (format) => `lib.${format}.cjs`,
        },
      },
    });
    const outputs = [built].flat().map((output) => ("output" in output ? output.output : []));
    const contracts = outputs.map((files) => {
      const asset = files.find(({ fileName }) => fileName === CONTRACT_FILE);
      return asset?.type === "asset" ? asset.source : undefined;
    });
    expect(contracts).toHaveLength(3);
    expect(new Set(contracts).size).toBe(1);

    const folder = mkdtempSync(join(root, "out-"));
    for (const name of ["lib.cjs.cjs", "lib.umd.cjs"]) {
      const chunk = outputs.flat().find(({ fileName }) => fileName === name);
      writeFileSync(join(folder, name), chunk?.type === "chunk" ? chunk.code : "");
      const library = createRequire(join(folder, "x"))(join(folder, name)) as { manifest: unknown };
      expect(library.manifest).toEqual(JSON.parse(String(contracts[0])));
    }
  });
});
