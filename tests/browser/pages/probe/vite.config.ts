import { agentSurface } from "@agent-surface/compiler";
import { defineConfig } from "vite";

/** `--mode classic` makes one script for `<script defer>`; the pages that load it are in `public`. */
export default defineConfig(({ mode }) => ({
  plugins: [agentSurface()],
  worker: { format: "es", plugins: () => [agentSurface({ emit: false })] },
  build: {
    rollupOptions:
      mode === "classic"
        ? { input: "page.ts", output: { format: "iife", entryFileNames: "classic.js" } }
        : { input: ["index.html", "worker.html", "js-kernel.html"] },
  },
}));
