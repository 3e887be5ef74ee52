import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { expect, it } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Runs a module in a process of its own, where nothing has been imported yet, and returns what it prints. */
function run(source: string): string {
  return execFileSync(process.execPath, ["--input-type=module", "--eval", source], {
    cwd: here(".."),
    encoding: "utf8",
  }).trim();
}

/** What a host may have and the package must not need before something is made. */
const GLOBALS = [
  "AbortController",
  "FinalizationRegistry",
  "TextDecoder",
  "TextEncoder",
  "WebAssembly",
  "atob",
  "clearTimeout",
  "console",
  "crypto",
  "document",
  "performance",
  "process",
  "queueMicrotask",
  "setTimeout",
  "window",
];

it("importing the package compiles nothing, asks for no global of the host, and leaves none behind", () => {
  const source = `
    const touched = [];
    for (const name of ${JSON.stringify(GLOBALS)}) {
      const value = globalThis[name];
      Object.defineProperty(globalThis, name, { get() { touched.push(name); return value; }, configurable: true });
    }
    const before = Object.getOwnPropertyNames(globalThis).length;
    touched.length = 0;
    const core = await import("@agent-surface/core");
    await import("@agent-surface/core/explain");
    const atImport = touched.filter((name) => name !== "process");
    const after = Object.getOwnPropertyNames(globalThis).length;
    core.emptyObjectSchema.parse({});
    console.log(JSON.stringify({ atImport, left: after - before, later: touched.includes("WebAssembly") }));
  `;
  expect(JSON.parse(run(source))).toEqual({ atImport: [], left: 0, later: true });
});

it("importing the package works where there is nothing but the language", async () => {
  const { outputFiles } = await build({
    stdin: {
      contents:
        'export * from "@agent-surface/core"; export { explainSurface } from "@agent-surface/core/explain";',
      resolveDir: here("."),
    },
    bundle: true,
    format: "iife",
    globalName: "core",
    write: false,
  });
  const context = createContext(Object.create(null) as object);
  for (const name of GLOBALS) runInContext(`delete globalThis.${name}`, context);
  runInContext(outputFiles[0]?.text ?? "", context);
  const made: unknown = runInContext(
    "core.rateLimit({ limit: 1, windowMs: 1 }).name + core.memoryAuditSink().events().length",
    context,
  );
  expect(made).toBe("rate-limit0");
});

it("the package works in a worker", async () => {
  const source = `
    const { parentPort } = require("node:worker_threads");
    import("@agent-surface/core").then(({ emptyObjectSchema }) => parentPort.postMessage(emptyObjectSchema.parse({})));
  `;
  const worker = new Worker(source, { eval: true });
  const answer = await new Promise((resolve, reject) =>
    worker.once("message", resolve).once("error", reject),
  );
  await worker.terminate();
  expect(answer).toEqual({});
});

it("a page that may not compile WebAssembly is told which header forbids it", () => {
  const source = `
    WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("blocked by CSP"); } };
    const { emptyObjectSchema } = await import("@agent-surface/core");
    try { emptyObjectSchema.parse({}); } catch (error) { console.log(error.message, "|", error.cause.message); }
  `;
  expect(run(source)).toMatch(/'wasm-unsafe-eval'.* \| blocked by CSP/);
});
