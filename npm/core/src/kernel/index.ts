import { instantiate as chosen } from "#kernel";
import { Kernel } from "./kernel.js";
import type { Instantiate } from "./module.js";

export type { Issue } from "./kernel.js";
export type { Refusal } from "./runtime.js";

/** The form of the kernel that package.json's `imports` chose by the export conditions of the build. */
let instantiate: Instantiate = chosen;

let shared: Kernel | undefined;

/** The kernel of this page, made when it is first needed: importing the package costs nothing. */
export function kernel(): Kernel {
  shared ??= new Kernel(instantiate);
  return shared;
}

/** Chooses another form. A kernel that is already there stays: there is never a second one. */
export function useForm(form: Instantiate): void {
  instantiate = form;
}
