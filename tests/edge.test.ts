import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { agentSurface } from "@agent-surface/compiler";
import { build, defaultClientConditions, type Rolldown } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

const PROBE = fileURLToPath(new URL("browser/pages/probe/", import.meta.url));

/** What the kernel asks of a host; a context of `node:vm` has nothing but the language. */
const HOST = { TextDecoder, TextEncoder };

/** What a registry asks for beside that, and every edge runtime has (WinterTC's Minimum Common Web API). */
const REGISTRY_HOST = {
  ...HOST,
  AbortController,
  AbortSignal,
  crypto: globalThis.crypto,
  queueMicrotask,
  setTimeout,
  clearTimeout,
};

/** The export conditions that stand for a runtime which compiles nothing. */
const CONDITIONS = ["workerd", "edge-light", "fastly", "agent-surface-js-kernel"];

/** Bundles a module of the probe into one script that leaves `app` behind, under the export conditions of a runtime. */
async function bundle(entry: string, ...conditions: string[]): Promise<string> {
  const result = await build({
    root: PROBE,
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface({ emit: false })],
    resolve: { conditions: [...conditions, ...defaultClientConditions] },
    build: {
      write: false,
      rollupOptions: {
        input: `${PROBE}${entry}`,
        preserveEntrySignatures: "strict",
        output: { format: "iife", name: "app" },
      },
    },
  });
  const { output } = [result].flat()[0] as Rolldown.RolldownOutput;
  return output[0].code;
}

/** Runs a script where the engine makes no code from strings and compiles no WebAssembly, then asks the kernel. */
function answerIn(code: string): unknown {
  const context = createContext({ ...HOST }, { codeGeneration: { strings: false, wasm: false } });
  runInContext(code, context);
  return JSON.parse(runInContext("JSON.stringify(app.probe())", context) as string);
}

/** Runs a script where WebAssembly is not even there, nor anything of Node's, and calls through its registry. */
async function callIn(code: string): Promise<unknown> {
  const context = createContext({ ...REGISTRY_HOST }, { codeGeneration: { strings: false, wasm: false } });
  runInContext("delete globalThis.WebAssembly", context);
  const absent = ["WebAssembly", "process", "Buffer", "require", "global", "setImmediate", "window"];
  const types = absent.map((name) => runInContext(`typeof ${name}`, context) as string);
  expect(new Set(types)).toEqual(new Set(["undefined"]));
  for (const compiling of ["eval('1')", "new Function('return 1')()"]) {
    expect(() => runInContext(compiling, context) as unknown).toThrow(/Code generation from strings/);
  }
  runInContext(code, context);
  return JSON.parse((await runInContext("app.call().then(JSON.stringify)", context)) as string);
}

describe("a runtime that forbids to compile", () => {
  let wasm: string;
  beforeAll(async () => {
    wasm = await bundle("probe.ts");
  });

  it.each(CONDITIONS)("runs an app that was built for %s", async (condition) => {
    const code = await bundle("probe.ts", condition);
    expect(code).not.toContain("WebAssembly");
    expect(answerIn(code)).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      accepted: { room: "Ölkeller \u{1f4a1}", level: 175 },
      refused: ["level: must be a multiple of 0.25", "room: must match the pattern ^\\p{Lu}"],
    });
  });

  it.each(CONDITIONS)(
    "opens a registry that was built for %s, and calls go through it",
    async (condition) => {
      expect(await callIn(await bundle("registry.ts", condition))).toEqual({
        answers: {
          cancelled: "CANCELLED",
          dimmed: null,
          tooMuch: "INVALID_INPUT",
          read: 40,
          unproven: "CAPABILITY_NOT_FOUND",
        },
        level: 40,
        tools: ["view_probe__lamp__brightness", "view_probe__lamp__dim"],
      });
    },
  );

  it("is told apart from a page by the error of an app that was built for pages", () => {
    expect(() => answerIn(wasm)).toThrow('build with the export condition "agent-surface-js-kernel"');
  });
});
