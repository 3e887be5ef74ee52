import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { makeApp } from "./app.js";
import { bundleOnce, fileNamed, ROLLDOWN, ROLLUP, VITE_7, VITE_8, type Bundler, type Request } from "./bundlers.js";

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

/** Everything on one line, and on it a character that counts differently in UTF-8 and UTF-16. */
const LINE =
  `/* é😀 */ export const before = "token-before"; ` +
  `export const contract = defineAgentComponentContract({ type: "demo.line", description: "One line", actions: { go: ` +
  `actionContract({ description: "Go", input: fromStandardSchema({ "~standard": { version: 1, vendor: "test", ` +
  `validate: (value) => ({ value, note: "token-inside" }) } }, { jsonSchema: { type: "object" } }), ` +
  `effect: "local-state" }) } }); export const after = "token-after";`;

const SOURCE = `import { actionContract, defineAgentComponentContract, fromStandardSchema } from "@agent-surface/core";
${LINE}
`;

/** The entry, whose own text is elsewhere, so that it is another chunk module that lines are counted from. */
const FILES = {
  "src/main.js": `export { default as authority } from "virtual:agent-surface-contract";
export * from "./line.js";
`,
  "src/line.js": SOURCE,
};

/** Where the quote of a token's string stands, and where the chunk's map says that it came from. */
async function trace({ bundler, minify }: (typeof CASES)[number], tokens: string[]) {
  const root = makeApp(FILES);
  const files = await bundleOnce(bundler, { root, plugins: [agentSurface()], sourcemap: true, minify });
  const { text, map } = fileNamed(files, "app.js");
  if (map === undefined) return expect.unreachable("the chunk has no map");
  const traceMap = new TraceMap(map as ConstructorParameters<typeof TraceMap>[0]);
  const positionOf = (offset: number) => {
    const before = text.slice(0, offset).split("\n");
    return { line: before.length, column: before.at(-1)?.length ?? 0 };
  };
  return tokens.map((token) => {
    const offset = text.indexOf(token);
    expect(offset, `${token} is in the chunk`).toBeGreaterThan(0);
    const { source, line, column } = originalPositionFor(traceMap, positionOf(offset - 1));
    return { file: source?.replace(/^.*\//, ""), line, column };
  });
}

describe.each(CASES)("$bundler.name, minified by $minify", (testCase) => {
  it("tokens before, inside and after an expanded macro lead to where their author wrote them", async () => {
    const tokens = ["token-before", "token-inside", "token-after"];
    const expected = tokens.map((token) => ({ file: "line.js", line: 2, column: LINE.indexOf(token) - 1 }));
    await expect(trace(testCase, tokens)).resolves.toEqual(expected);
  });
});
