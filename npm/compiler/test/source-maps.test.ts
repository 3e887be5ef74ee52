import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { makeApp } from "./app.js";
import {
  bundleOnce,
  fileNamed,
  ROLLDOWN,
  ROLLUP,
  VITE_7,
  VITE_8,
  type Bundler,
  type Request,
} from "./bundlers.js";

const CASES: ReadonlyArray<{ bundler: Bundler; minify: Request["minify"] }> = [
  { bundler: VITE_8, minify: false },
  { bundler: VITE_8, minify: "oxc" },
  { bundler: VITE_8, minify: "esbuild" },
  { bundler: VITE_8, minify: "terser" },
  { bundler: VITE_7, minify: false },
  { bundler: VITE_7, minify: "esbuild" },
  { bundler: VITE_7, minify: "terser" },
  { bundler: ROLLDOWN, minify: false },
  { bundler: ROLLUP, minify: false },
];

/** Its validator is code: the author's object stays, behind the proven definition. */
const VALIDATED_CALL =
  `defineAgentComponentContract({ type: "demo.line", description: "Has code", actions: { go: ` +
  `actionContract({ description: "Go", input: fromStandardSchema({ "~standard": { version: 1, vendor: "test", ` +
  `validate: (value) => ({ value, note: "token-inside" }) } }, { jsonSchema: { type: "object" } }), ` +
  `effect: "local-state" }) } })`;

/** Nothing of its argument stays. */
const STATIC_CALL = `defineAgentComponentContract({ type: "demo.static", description: "Has none" })`;

/** Everything on one line, behind a character that counts differently in UTF-8 and UTF-16. */
const LINE =
  `/* é😀 */ export const before = "token-before"; export const validated = ${VALIDATED_CALL}; ` +
  `export const plain = ${STATIC_CALL}; export const after = "token-after";`;

const FILES = {
  "src/main.js": `export { default as authority } from "virtual:agent-surface-contract";
export * from "./line.js";
`,
  "src/line.js": `import { actionContract, defineAgentComponentContract, fromStandardSchema } from "@agent-surface/core";
${LINE}
`,
};

interface Place {
  file: string | undefined;
  line: number | null;
  column: number | null;
}

describe.each(CASES)("$bundler.name, minified by $minify", ({ bundler, minify }) => {
  /** The chunk, and where its map says that a place in it came from. */
  async function bundle() {
    const root = makeApp(FILES);
    const files = await bundleOnce(bundler, { root, plugins: [agentSurface()], sourcemap: true, minify });
    const { text, map } = fileNamed(files, "app.js");
    if (map === undefined) throw new Error("the chunk has no map");
    const traced = new TraceMap(map as ConstructorParameters<typeof TraceMap>[0]);
    const trace = (offset: number): Place => {
      const lines = text.slice(0, offset).split("\n");
      const at = { line: lines.length, column: lines.at(-1)?.length ?? 0 };
      const { source, line, column } = originalPositionFor(traced, at);
      return { file: source?.replace(/^.*\//, ""), line, column };
    };
    return { text, trace };
  }

  it("tokens before, inside and after an expanded macro lead to where their author wrote them", async () => {
    const { text, trace } = await bundle();
    for (const token of ["token-before", "token-inside", "token-after"]) {
      // The place of a string is that of its quote.
      const written = { file: "line.js", line: 2, column: LINE.indexOf(token) - 1 };
      expect({ token, ...trace(text.indexOf(token) - 1) }).toEqual({ token, ...written });
    }
  });

  it("what replaced an argument leads into the call it replaced it in", async () => {
    const { text, trace } = await bundle();
    const { file, line, column } = trace(text.lastIndexOf("JSON.parse", text.indexOf("Has none")));
    const start = LINE.indexOf(STATIC_CALL);
    expect([file, line]).toEqual(["line.js", 2]);
    expect(column).toBeGreaterThanOrEqual(start);
    expect(column).toBeLessThan(start + STATIC_CALL.length);
  });
});
