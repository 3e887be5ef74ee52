import { PACKED } from "../generated/module.js";
import { Kernel } from "./kernel.js";
import { unpack } from "./unpack.js";

export type { Issue, Refusal } from "./kernel.js";

let shared: Kernel | undefined;

/**
 * The kernel of this page, made when it is first needed: importing the package costs nothing. It is compiled
 * synchronously, which at its size takes about a millisecond, so that no module has to wait for it.
 */
export function kernel(): Kernel {
  shared ??= new Kernel(unpack(PACKED));
  return shared;
}
