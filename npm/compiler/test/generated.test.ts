import { describe, expect, it } from "vitest";
import {
  agentSurface,
  CONTRACT_FILE,
  type AgentSurfacePlugin,
  type ContractError,
} from "@agent-surface/compiler";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { contractModule, makeApp } from "./app.js";
import { bundleOnce, BUNDLERS, fileNamed, run, VITE_7, VITE_8 } from "./bundlers.js";

/** Compiles `.page` files as a framework's plugin does: some lines before the author's, and a map back to those. */
const pages = {
  name: "test:pages",
  transform(text: string, id: string) {
    if (!id.endsWith(".page")) return null;
    const mappings = `;${text
      .split("\n")
      .map((_, line) => (line === 0 ? "AAAA" : "AACA"))
      .join(";")}`;
    return {
      code: `export const isPage = true;\n${text}`,
      map: { version: 3, names: [], sources: [id], sourcesContent: [text], mappings },
      moduleType: "js",
    };
  },
};

/** Adds a contract to a script, behind its author's. */
const adds = (text: string) => ({
  name: "test:adds",
  transform: (code: string, id: string) =>
    id.endsWith("/contract.js") ? { code: code + text, map: null } : null,
});

/** A module that only this plugin knows. */
const virtual = {
  name: "test:virtual",
  resolveId: (id: string) => (id === "virtual:panel" ? "\0virtual:panel.vue" : null),
  load: (id: string) => (id === "\0virtual:panel.vue" ? contractModule("demo.virtual") : null),
};

/** Why a build fails that must. */
const refusalOf = async (build: Promise<unknown>): Promise<ContractError> => {
  const failure: unknown = await build.then(
    () => expect.unreachable("the build passed"),
    (error: unknown) => error,
  );
  const { errors } = failure as { errors?: ContractError[] };
  return errors?.[0] ?? (failure as ContractError);
};

describe.each(BUNDLERS)("with $name", (bundler) => {
  const bundle = (root: string, ...plugins: object[]) =>
    bundleOnce(bundler, { root, plugins: [agentSurface(), ...(plugins as AgentSurfacePlugin[])] });

  it("a contract in a file that another plugin compiles is proven, and carries its proof", async () => {
    const root = makeApp({
      "src/main.js": `export { default as authority } from "virtual:agent-surface-contract";\nexport * from "./home.page";\n`,
      "src/home.page": contractModule("demo.home"),
    });
    const files = await bundle(root, pages);
    expect(fileNamed(files, CONTRACT_FILE).text).toContain('"src/home.page#contract"');
    await expect(run(root, files, "app.js")).resolves.toHaveProperty("contract");
    expect(fileNamed(files, "app.js").text).not.toContain("@agent-surface/placeholder:");
  });

  it("an error in such a file is at the place of its author, along the other plugin's map", async () => {
    const text = contractModule("demo.home").replace('"A thing to press"', "document.title");
    const root = makeApp({ "src/main.js": `export * from "./home.page";\n`, "src/home.page": text });
    const { diagnostics, message } = await refusalOf(bundle(root, pages));
    expect(diagnostics).toMatchObject([{ line: 5, column: "  description: ".length + 1 }]);
    expect(message).toContain("[src/home.page:5:16]");
  });

  it("without a map the report says that there is none", async () => {
    const text = contractModule("demo.home").replace('"A thing to press"', "document.title");
    const root = makeApp({ "src/main.js": `export * from "./home.page";\n`, "src/home.page": text });
    const unmapped = {
      ...pages,
      transform: (code: string, id: string) => {
        const page = pages.transform(code, id);
        return page && { ...page, map: { mappings: "" } };
      },
    };
    const { diagnostics } = await refusalOf(bundle(root, unmapped));
    expect(diagnostics[0]?.help).toContain("no source map leads back from there");
  });

  it("a contract that another plugin adds to a script is proven beside its author's", async () => {
    const added = contractModule("demo.added", "added").replace(/^import .*$/m, "");
    const root = makeApp({
      "src/main.js": `export * from "./contract.js";\n`,
      "src/contract.js": contractModule("demo.own"),
    });
    const contract = fileNamed(await bundle(root, adds(added)), CONTRACT_FILE).text;
    expect(contract).toContain('"src/contract.js#added"');
    expect(contract).toContain('"src/contract.js#contract"');
    const broken = added.replace('"A thing to press"', "document.title");
    expect((await refusalOf(bundle(root, adds(broken)))).diagnostics).toHaveLength(1);
  });

  it("a contract of a virtual module is proven, whatever its id looks like", async () => {
    const root = makeApp({ "src/main.js": `export * from "virtual:panel";\n` });
    expect(fileNamed(await bundle(root, virtual), CONTRACT_FILE).text).toContain("view:demo.virtual.press");
  });
});

describe.each([VITE_8, VITE_7])("with $name", (bundler) => {
  it("a contract in a script that is written in a page is proven, under the page's name", async () => {
    const root = makeApp({
      "index.html": `<!doctype html>\n<script type="module">\n${contractModule("demo.page")}\nconsole.log(contract);\n</script>\n`,
    });
    const files = await bundleOnce(bundler, { root, entry: "index.html", plugins: [agentSurface()] });
    const { capabilities } = JSON.parse(fileNamed(files, CONTRACT_FILE).text) as CapabilityContractManifest;
    expect(capabilities).toMatchObject([
      { capabilityId: "view:demo.page.press", declarationId: "index.html#contract", origin: "index.html" },
    ]);
  });
});
