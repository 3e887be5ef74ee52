import { agentSurface } from "@agent-surface/compiler";
import { defineConfig } from "vite";

/** The polyfill puts a `modelContext` of its own in place, which is an exposure like any other. */
const allow = [
  {
    package: "@mcp-b/global",
    digest: "9f4d2e5fa353a6d9daefc934ae6b2cdeb01d02f24f29c0b5e030c71b2f36ed6a",
  },
  {
    package: "@mcp-b/webmcp-polyfill",
    digest: "17eab9decbfa3e2f75278ad34f96043351e1b66e3af4a7e2bffeaac649457b7c",
  },
];

export default defineConfig({ plugins: [agentSurface({ externalContracts: { allow } })] });
