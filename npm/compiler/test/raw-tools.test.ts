import { agentSurface } from "@agent-surface/compiler";
import { describe, expect, it } from "vitest";
import { makeApp, PRESSABLE } from "./app.js";
import { bundleOnce, BUNDLERS } from "./bundlers.js";

const RAW = `import "./plain.js";\nexport * from "./contract.js";\n`;

describe.each(BUNDLERS)("with $name", (bundler) => {
  it("a tool that no contract proves fails the build, unless the project wants to be warned only", async () => {
    const plain = `export const boot = () => document.modelContext.registerTool({ name: "t" });\n`;
    const root = makeApp({ ...PRESSABLE, "src/main.js": RAW, "src/plain.js": plain });
    await expect(bundleOnce(bundler, { root, plugins: [agentSurface()] })).rejects.toThrow(
      /raw-tool[^]*src\/plain\.js:1:27/,
    );
    const plugin = agentSurface({ rawTools: "warn" });
    await bundleOnce(bundler, { root, plugins: [plugin] });
    expect(plugin.api.proof()?.warnings).toContainEqual(
      expect.objectContaining({ code: "agent-surface(raw-tool)", line: 1, column: 27 }),
    );
  });
});
