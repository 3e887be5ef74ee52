import type { Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { agentSurface } from "@agent-surface/compiler";
import { contractModule, makeApp, PRESSABLE, writeFiles, type Files } from "./app.js";
import { SERVERS, serve as serveWith, type Served } from "./served.js";

const APP: Files = {
  ...PRESSABLE,
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
};

describe.each(SERVERS)("served by $name", ({ createServer }) => {
  // The watcher says what it is told to: by itself it swallows what follows too fast upon another change.
  const serve = (root: string): Promise<Served> =>
    serveWith(createServer, { root, server: { watch: { ignored: ["**"] } } });

  it("the authority is there before the first module, and each contract carries its proof", async () => {
    const served = await serve(makeApp(APP));
    expect(await served.capabilities()).toEqual(["view:demo.button.press"]);
    expect(await served.text("/src/contract.js")).toMatch(/defineAgentComponentContract\(.*JSON\.parse\(/);
  });

  it("what was edited while the server started, and nobody told it of, counts", async () => {
    const root = makeApp(APP);
    const served = await serve(root);
    writeFiles(root, { "src/contract.js": contractModule("demo.lever") });
    expect(await served.text("/src/contract.js")).toContain("demo.lever");
    expect(await served.capabilities()).toEqual(["view:demo.lever.press"]);
  });

  it("an edit that changes a contract updates the authority and loads the page again, once", async () => {
    const root = makeApp(APP);
    const served = await serve(root);
    await served.capabilities();
    await served.text("/src/contract.js");
    const payloads = await served.edit(root, { "src/contract.js": contractModule("demo.lever") });
    expect(payloads.map(({ type }) => type)).toEqual(["full-reload"]);
    expect(await served.capabilities()).toEqual(["view:demo.lever.press"]);
    expect(await served.text("/src/contract.js")).toContain("demo.lever");
  });

  it("a broken contract is shown where it stands, and mended by the next edit", async () => {
    const root = makeApp(APP);
    const served = await serve(root);
    await served.capabilities();
    await served.text("/src/contract.js");
    const broken = contractModule("demo.button").replace('"Press it"', "document.title");
    const [shown] = await served.edit(root, { "src/contract.js": broken });
    expect(shown).toMatchObject({ type: "error", err: { loc: { line: 6 } } });
    expect(JSON.stringify(shown)).toContain("document.title");
    await expect(served.capabilities()).rejects.toThrow(/document\.title/);
    const mended = await served.edit(root, { "src/contract.js": contractModule("demo.button") });
    expect(mended.map(({ type }) => type)).toEqual(["full-reload"]);
    expect(await served.capabilities()).toEqual(["view:demo.button.press"]);
  });

  it("a module with the last contract can go", async () => {
    const root = makeApp(APP);
    const served = await serve(root);
    await served.capabilities();
    const main = 'export { default as authority, manifest } from "virtual:agent-surface-contract";\n';
    const payloads = await served.edit(root, { "src/main.js": main });
    expect(payloads.map(({ type }) => type)).toEqual(["full-reload"]);
    expect(await served.capabilities()).toEqual([]);
  });

  it("a constant of another module counts, and what no contract reads is an ordinary edit", async () => {
    const other = "import.meta.hot?.accept();\nexport const other = ";
    const root = makeApp({
      ...APP,
      "src/main.js": `${PRESSABLE["src/main.js"]}export { other } from "./other.js";\n`,
      "src/contract.js": `import { word } from "./words.js";\n${contractModule("demo.button").replace('"Press it"', "word")}`,
      "src/words.js": 'export const word = "Press it";\n',
      "src/other.js": `${other}1;\n`,
    });
    const served = await serve(root);
    for (const url of ["/src/main.js", "/src/contract.js", "/src/words.js", "/src/other.js"]) {
      // oxlint-disable-next-line no-await-in-loop
      await served.text(url);
    }
    const ordinary = await served.edit(root, { "src/other.js": `${other}2;\n` });
    expect(ordinary.map(({ type }) => type)).toEqual(["update"]);
    const changed = await served.edit(root, { "src/words.js": 'export const word = "Push it";\n' });
    expect(changed.map(({ type }) => type)).toEqual(["full-reload"]);
    expect(await served.text("/src/contract.js")).toContain("Push it");
  });

  it("a page is read as plugins leave it, whether they change its markup or put scripts into it", async () => {
    const root = makeApp({ ...APP, "index.html": "<!-- main -->\n" });
    const script = { tag: "script", attrs: { type: "module", src: "/src/main.js" } };
    const hooks = [
      (html: string) => html.replace("<!-- main -->", '<script type="module" src="/src/main.js"></script>'),
      () => [script],
    ];
    for (const handler of hooks) {
      const plugin: Plugin = { name: "test:page", transformIndexHtml: { order: "pre", handler } };
      // oxlint-disable-next-line no-await-in-loop
      const served = await serveWith(createServer, { root, plugins: [plugin, agentSurface()] });
      // oxlint-disable-next-line no-await-in-loop
      expect(await served.capabilities()).toEqual(["view:demo.button.press"]);
    }
  });

  it("where the app has no beginning, its authority says so and the rest is served", async () => {
    const served = await serve(makeApp(PRESSABLE));
    await expect(served.capabilities()).rejects.toThrow(/no index\.html.*names no entry/);
    expect(await served.text("/src/contract.js")).toContain("defineAgentComponentContract({");
  });

  it("an app that had no beginning is found once it has one", async () => {
    const root = makeApp(PRESSABLE);
    const served = await serve(root);
    await expect(served.capabilities()).rejects.toThrow(/names no entry/);
    served.write(root, { "src/contract.js": `${PRESSABLE["src/contract.js"] ?? ""}\n` });
    await expect(served.capabilities()).rejects.toThrow(/names no entry/);
    const page = '<script type="module" src="/src/contract.js"></script>\n';
    await served.hear(() => served.write(root, { "index.html": page }, "add"));
    expect(await served.capabilities()).toEqual(["view:demo.button.press"]);
  });
});
