import { PACKED } from "../generated/module.js";
import { type Packed, unpack } from "./unpack.js";
import type { Exports, Imports } from "./module.js";

/**
 * The kernel as WebAssembly. It is unpacked and compiled synchronously, which at its size takes some milliseconds,
 * so that no module has to wait for it.
 */
export function instantiate(env: Imports): Exports {
  const module = compile(PACKED);
  return new WebAssembly.Instance(module, { env: { ...env } }).exports as unknown as Exports;
}

function compile(packed: Packed): WebAssembly.Module {
  try {
    return new WebAssembly.Module(unpack(packed));
  } catch (cause) {
    throw new Error(
      "The agent-surface kernel is WebAssembly, and WebAssembly cannot be compiled here. A page with a " +
        "Content-Security-Policy allows it by 'wasm-unsafe-eval' in script-src. Where that is no choice, take the kernel " +
        'as JavaScript: build with the export condition "agent-surface-js-kernel", or load ' +
        '"@agent-surface/core/js-kernel" before the app. See docs/csp.md of @agent-surface/core.',
      { cause },
    );
  }
}
