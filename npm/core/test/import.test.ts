import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Runs a module in a process of its own, where nothing has been imported yet, and returns what it prints. */
function run(source: string): string {
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  return execFileSync(process.execPath, ["--input-type=module", "--eval", source], {
    cwd,
    encoding: "utf8",
  }).trim();
}

it("importing the package compiles nothing, asks for no global of the host, and leaves none behind", () => {
  const source = `
    const touched = [];
    for (const name of ["WebAssembly", "TextEncoder", "TextDecoder", "FinalizationRegistry", "document", "window", "atob"]) {
      const value = globalThis[name];
      Object.defineProperty(globalThis, name, { get() { touched.push(name); return value; }, configurable: true });
    }
    const before = Object.getOwnPropertyNames(globalThis).length;
    const core = await import("@agent-surface/core");
    const after = Object.getOwnPropertyNames(globalThis).length;
    const atImport = touched.length;
    core.emptyObjectSchema.parse({});
    console.log(JSON.stringify({ atImport, left: after - before, later: touched.includes("WebAssembly") }));
  `;
  expect(JSON.parse(run(source))).toEqual({ atImport: 0, left: 0, later: true });
});

it("a page that may not compile WebAssembly is told which header forbids it", () => {
  const source = `
    WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("blocked by CSP"); } };
    const { emptyObjectSchema } = await import("@agent-surface/core");
    try { emptyObjectSchema.parse({}); } catch (error) { console.log(error.message, "|", error.cause.message); }
  `;
  expect(run(source)).toMatch(/'wasm-unsafe-eval'.* \| blocked by CSP/);
});
