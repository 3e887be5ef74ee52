import type { InlineConfig } from "vite";

/** The two forms of the kernel, and what an app's vite.config says to get them. */
export const KERNELS: { language: string; config: InlineConfig }[] = [
  { language: "WebAssembly", config: {} },
];
