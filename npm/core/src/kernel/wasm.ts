import { PACKED } from "../generated/module.js";
import type { Exports, Imports } from "./module.js";
import { unpack } from "./unpack.js";

/**
 * The kernel as WebAssembly. It is compiled synchronously, which at its size takes about a millisecond, so that no
 * module has to wait for it.
 */
export function instantiate(env: Imports): Exports {
  return new WebAssembly.Instance(compile(unpack(PACKED)), { env: { ...env } }).exports as unknown as Exports;
}

function compile(module: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  try {
    return new WebAssembly.Module(module);
  } catch (cause) {
    throw new Error(
      "The agent-surface kernel is WebAssembly, and this page may not compile it. Where a Content-Security-Policy " +
        "is set, its script-src must allow 'wasm-unsafe-eval'.",
      { cause },
    );
  }
}
