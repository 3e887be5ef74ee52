import { describe, expect, it } from "vitest";
import { createServer as createServer8 } from "vite";
import { createServer as createServer7 } from "vite7";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";
import { makeApp, PRESSABLE } from "./app.js";

describe.each([
  { name: "Vite 8", createServer: createServer8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", createServer: createServer7 as unknown as typeof createServer8 },
])("served by $name", ({ createServer }) => {
  it("there is no authority: asking for one says why, and the macros stay inert", async () => {
    const server = await createServer({
      root: makeApp(PRESSABLE),
      configFile: false,
      logLevel: "silent",
      server: { middlewareMode: true, ws: false },
      optimizeDeps: { noDiscovery: true },
      plugins: [agentSurface()],
    });
    try {
      const client = server.environments.client;
      await expect(client.transformRequest(VIRTUAL_CONTRACT_ID)).rejects.toThrow(/only in a build/);
      const contract = await client.transformRequest("/src/contract.js");
      expect(contract?.code).toContain('type: "demo.button"');
      expect(contract?.code).not.toContain("JSON.parse");
    } finally {
      await server.close();
    }
  });
});
