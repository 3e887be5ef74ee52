import { defaultClientConditions, type InlineConfig } from "vite";
import { policy } from "./policy.js";

/** What an app's vite.config says to get the kernel in JavaScript. */
export const JAVASCRIPT: InlineConfig = {
  resolve: { conditions: ["agent-surface-js-kernel", ...defaultClientConditions] },
};

/** A form of the kernel. */
export interface Kernel {
  language: string;
  /** What the config of an app says to get it. */
  config: InlineConfig;
  /** The strictest policy it runs under. */
  headers: Record<string, string>;
}

/** Both of them. */
export const KERNELS: Kernel[] = [
  { language: "WebAssembly", config: {}, headers: policy("'wasm-unsafe-eval'") },
  { language: "JavaScript", config: JAVASCRIPT, headers: policy() },
];
