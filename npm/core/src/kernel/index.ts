import { Kernel } from "./kernel.js";
import { instantiate as wasm } from "./wasm.js";

export type { Issue, Refusal } from "./kernel.js";

let shared: Kernel | undefined;

/** The kernel of this page, made when it is first needed: importing the package costs nothing. */
export function kernel(): Kernel {
  shared ??= new Kernel(wasm);
  return shared;
}
