/** Edits that are neither of one module nor of one text: what a server makes of them is what a build would. */
import { readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { buildContract, serve, SERVERS } from "./served.js";

const PAGE = '<script type="module" src="/src/main.js"></script>\n';

/** A module with a contract that nothing can prove. */
const broken = (name: string) => contractModule(name, "it").replace('"Press it"', "document.title");

describe.each(SERVERS)("with $name, the contract follows", (major) => {
  const open = async (files: Files, plugins: Plugin[] = []) => {
    const root = makeApp({ "index.html": PAGE, ...files });
    const server = { watch: { ignored: ["**"] } };
    const config = () => ({ root, plugins: [agentSurface(), ...plugins] });
    const served = await serve(major.createServer, { ...config(), server });
    return { root, served, built: () => buildContract(major, config()) };
  };

  it("the mending of two that were broken from the beginning, one after the other", async () => {
    const { root, served, built } = await open({
      "src/main.js": 'import "./a.js";\nimport "./b.js";\n',
      "src/a.js": broken("demo.a"),
      "src/b.js": broken("demo.b"),
    });
    await expect(served.capabilities()).rejects.toThrow(/2 contract problems/);
    const [shown] = await served.edit(root, { "src/a.js": contractModule("demo.a") });
    expect(shown).toMatchObject({ type: "error", err: { id: expect.stringMatching(/b\.js$/) as string } });
    const [reload] = await served.edit(root, { "src/b.js": contractModule("demo.b") });
    expect(reload).toMatchObject({ type: "full-reload" });
    expect(await served.contract()).toBe(await built());
  });

  it("a rename that changes nothing but the case of a letter", async () => {
    const { root, served, built } = await open({
      "src/main.js": 'import "./Panel.js";\n',
      "src/Panel.js": contractModule("demo.panel"),
    });
    expect(await served.capabilities()).toEqual(["view:demo.panel.press"]);
    renameSync(join(root, "src/Panel.js"), join(root, "src/panel.js"));
    await served.hear(() => {
      served.notify("unlink", root, ["src/Panel.js"]);
      served.notify("add", root, ["src/panel.js"]);
      served.write(root, { "src/main.js": 'import "./panel.js";\n' });
    });
    expect(await served.contract()).toBe(await built());
    expect(await served.contract()).toContain("src/panel.js#contract");
  });

  it("a module outside of the root that a link leads to", async () => {
    const elsewhere = makeApp({ "shared/index.js": contractModule("demo.shared") });
    const { root, served, built } = await open({ "src/main.js": "export {};\n" });
    symlinkSync(join(elsewhere, "shared"), join(root, "src/shared"), "dir");
    await served.edit(root, { "src/main.js": 'import "./shared/index.js";\n' });
    expect(await served.capabilities()).toEqual(["view:demo.shared.press"]);
    await served.text("/src/main.js");
    await served.edit(elsewhere, { "shared/index.js": contractModule("demo.other") });
    expect(await served.capabilities()).toEqual(["view:demo.other.press"]);
    expect(await served.contract()).toBe(await built());
  });

  it("a module without a file, when what its plugin made it of changes", async () => {
    const made: Plugin = {
      name: "test:made",
      resolveId: (id) => (id === "virtual:made" ? "\0virtual:made" : null),
      load(id) {
        if (id !== "\0virtual:made") return null;
        const { root } = this.environment.config;
        this.addWatchFile(join(root, "made.txt"));
        return contractModule(readFileSync(join(root, "made.txt"), "utf8"));
      },
    };
    const { root, served, built } = await open(
      { "src/main.js": 'import "virtual:made";\n', "made.txt": "demo.first" },
      [made],
    );
    expect(await served.capabilities()).toEqual(["view:demo.first.press"]);
    await served.text("virtual:made");
    const [reload] = await served.edit(root, { "made.txt": "demo.second" });
    expect(reload).toMatchObject({ type: "full-reload" });
    expect(await served.contract()).toBe(await built());
  });
});
