import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { agentSurface } from "@agent-surface/compiler";
import { build, defaultClientConditions, type Rolldown } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

const PROBE = fileURLToPath(new URL("browser/pages/probe/", import.meta.url));

/** What the kernel asks of a host; a context of `node:vm` has nothing but the language. */
const HOST = { TextDecoder, TextEncoder };

/** Bundles the probe into one script that leaves `app` behind, under the export conditions of a runtime. */
async function bundle(...conditions: string[]): Promise<string> {
  const result = await build({
    root: PROBE,
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface({ emit: false })],
    resolve: { conditions: [...conditions, ...defaultClientConditions] },
    build: {
      write: false,
      rollupOptions: {
        input: `${PROBE}probe.ts`,
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

describe("a runtime that forbids to compile", () => {
  let wasm: string;
  beforeAll(async () => {
    wasm = await bundle();
  });

  it.each(["workerd", "edge-light", "fastly", "agent-surface-js-kernel"])(
    "runs an app that was built for %s",
    async (condition) => {
      const code = await bundle(condition);
      expect(code).not.toContain("WebAssembly");
      expect(answerIn(code)).toEqual({
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        accepted: { room: "Ölkeller \u{1f4a1}", level: 175 },
        refused: ["level: must be a multiple of 0.25", "room: must match the pattern ^\\p{Lu}"],
      });
    },
  );

  it("is told apart from a page by the error of an app that was built for pages", () => {
    expect(() => answerIn(wasm)).toThrow('build with the export condition "agent-surface-js-kernel"');
  });
});
