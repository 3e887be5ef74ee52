import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What a host does that has no WebAssembly, and what one does that forbids it. */
const HOSTS = {
  "has no WebAssembly": "delete globalThis.WebAssembly;",
  "forbids to compile": `WebAssembly.Module = class { constructor() { throw new WebAssembly.CompileError("not here"); } };`,
};

/** Asks the kernel for a yes and a no; the no has a number in it, which the host prints. */
const ASK = `
  const { fromJsonSchema } = await import("@agent-surface/core");
  const ask = () => {
    const quarters = fromJsonSchema({ type: "number", multipleOf: 0.25 });
    try { quarters.parse(1.75); quarters.parse(0.3); } catch (error) { return error.message; }
  };
`;

const ANSWER = "$: must be a multiple of 0.25";

/** Runs a module in a process of its own, where nothing has been imported yet, and returns what it prints. */
function run(source: string, ...conditions: string[]): string {
  const flags = conditions.map((condition) => `--conditions=${condition}`);
  const cwd = fileURLToPath(new URL("..", import.meta.url));
  const options = [...flags, "--input-type=module", "--eval", source];
  return execFileSync(process.execPath, options, { cwd, encoding: "utf8" }).trim();
}

describe.each(Object.entries(HOSTS))("on a host that %s", (_, host) => {
  it.each(["agent-surface-js-kernel", "workerd", "edge-light", "fastly"])(
    "the condition %s chooses the kernel in JavaScript",
    (condition) => {
      expect(run(`${host} ${ASK} console.log(ask());`, condition)).toBe(ANSWER);
    },
  );

  it("an import of the entry chooses it without a condition", () => {
    const source = `${host} await import("@agent-surface/core/js-kernel"); ${ASK} console.log(ask());`;
    expect(run(source)).toBe(ANSWER);
  });

  it("the entry still helps after the kernel was refused", () => {
    const source = `${host} ${ASK}
      const refused = ask();
      await import("@agent-surface/core/js-kernel");
      console.log(refused, "|", ask());`;
    expect(run(source)).toMatch(
      /^The agent-surface kernel is WebAssembly, .* \| \$: must be a multiple of 0\.25$/,
    );
  });
});

it("importing the entry is no work, touches no global and leaves a kernel that is there in its place", () => {
  const source = `
    let kernels = 0;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = class extends Instance {
      // Another one unpacks the kernel's module.
      constructor(...given) { super(...given); if ("answer" in this.exports) kernels += 1; }
    };
    ${ASK}
    ask();
    const touched = [];
    for (const name of ["ArrayBuffer", "Uint8Array", "WebAssembly", "TextDecoder", "document"]) {
      const value = globalThis[name];
      // Node's own loader touches some of them.
      const get = () => (new Error().stack.includes("/core/dist/") && touched.push(name), value);
      Object.defineProperty(globalThis, name, { get, configurable: true });
    }
    const globals = Object.getOwnPropertyNames(globalThis).length;
    await import("@agent-surface/core/js-kernel");
    const atImport = [...touched];
    const left = Object.getOwnPropertyNames(globalThis).length - globals;
    console.log(JSON.stringify({ atImport, left, answer: ask(), kernels }));
  `;
  expect(JSON.parse(run(source))).toEqual({ atImport: [], left: 0, answer: ANSWER, kernels: 1 });
});
