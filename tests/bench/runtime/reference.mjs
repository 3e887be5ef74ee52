import { join } from "node:path";
import { build } from "esbuild";
import { widget } from "./definitions.mjs";

/**
 * The TypeScript reference, from a checkout of it, with its own way to register without a compiler.
 *
 * @param {string} checkout
 */
export async function loadReference(checkout) {
  const source = join(checkout, "packages/core/src");
  const { outputFiles } = await build({
    stdin: {
      contents: [
        'export * from "./index.ts";',
        'export { canonicalJson, fnv1a64 } from "./utils.ts";',
        'export { enableUnsafeAuthorityTestMode } from "./contract.ts";',
      ].join("\n"),
      resolveDir: source,
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "neutral",
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  const core = await import(`data:text/javascript;base64,${Buffer.from(text).toString("base64")}`);
  core.enableUnsafeAuthorityTestMode();
  return {
    name: "reference",
    core,
    /** @param {object} [options] */
    open: (options) => core.createAgentSurfaceRegistry({ environment: "production", ...options }),
    /** @param {number} index */
    define: (index) => widget(core, index),
    digest: (/** @type {unknown} */ value) => core.fnv1a64(core.canonicalJson(value)),
  };
}
