import { defaultClientConditions, type InlineConfig } from "vite";

/** What an app's vite.config says to get the kernel in JavaScript. */
export const JAVASCRIPT: InlineConfig = {
  resolve: { conditions: ["agent-surface-js-kernel", ...defaultClientConditions] },
};

/** The two forms of the kernel, each with what the config of an app says to get it. */
export const KERNELS: { language: string; config: InlineConfig }[] = [
  { language: "WebAssembly", config: {} },
  { language: "JavaScript", config: JAVASCRIPT },
];
