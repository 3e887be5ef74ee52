import { agentSurface } from "@agent-surface/compiler";
import { defineConfig } from "vite";

export default defineConfig({ plugins: [agentSurface()] });
