/**
 * What ships: everything that `import * from "@agent-surface/core"` brings into a page, with either form of the
 * kernel, what adapters add to it, and the compiler's addon.
 *
 * `node tests/bench/size.mjs`, or `cargo xtask bench size`. Nothing is asserted.
 */
import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { printTable } from "../demo/table.mjs";
import { readOptions } from "./shared/options.mjs";

const NATIVE = fileURLToPath(new URL("../../npm/compiler/native/", import.meta.url));
const ENTRY = "entry";

/**
 * A package as an app's bundler would ship it if the app used all of it.
 * @param {string} name
 * @param {string[]} conditionNames Export conditions besides the usual.
 */
function bundle(name, ...conditionNames) {
  return bundleWithout([], name, ...conditionNames);
}

/**
 * The same, without packages that the app has anyway, whichever of their entries are imported.
 * @param {string[]} external
 * @param {string} name
 * @param {string[]} conditionNames
 */
async function bundleWithout(external, name, ...conditionNames) {
  const build = await rolldown({
    cwd: fileURLToPath(new URL("../../", import.meta.url)),
    input: ENTRY,
    external: (id) => external.some((other) => id === other || id.startsWith(`${other}/`)),
    resolve: { conditionNames: [...conditionNames, "import", "module", "browser", "default"] },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === ENTRY ? `\0${ENTRY}` : null),
        load: (id) => (id === `\0${ENTRY}` ? `export * from ${JSON.stringify(name)};` : null),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  return Buffer.from(output[0].code);
}

/** @param {Uint8Array} bytes */
function kilobytes(bytes) {
  return `${(bytes.length / 1000).toFixed(1)} kB`;
}

/** @param {string} what @param {Buffer} bytes */
function row(what, bytes) {
  return [what, kilobytes(bytes), kilobytes(gzipSync(bytes)), kilobytes(brotliCompressSync(bytes))];
}

readOptions("What ships: to a page, and to a compiler's machine.", {});

const CORE = "@agent-surface/core";
const REACT = [CORE, "@agent-surface/react", "react"];
const rows = [
  row(`${CORE}, all of it, minified`, await bundle(CORE)),
  row(`${CORE}, with the kernel in JavaScript`, await bundle(CORE, "agent-surface-js-kernel")),
  row(
    "@agent-surface/react, besides core and react",
    await bundleWithout([CORE, "react"], "@agent-surface/react"),
  ),
  row("@agent-surface/webmcp, besides the core", await bundleWithout([CORE], "@agent-surface/webmcp")),
  row("@agent-surface/orpc, besides the core", await bundleWithout([CORE], "@agent-surface/orpc")),
  row(
    "@agent-surface/orpc/react, besides core and react",
    await bundleWithout(REACT, "@agent-surface/orpc/react"),
  ),
];
for (const file of await readdir(NATIVE)) {
  if (file.endsWith(".node")) rows.push(row(file, await readFile(NATIVE + file)));
}
printTable(["what", "raw", "gzip", "brotli"], rows);
