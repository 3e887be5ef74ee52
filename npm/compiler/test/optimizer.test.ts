import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentSurface, type ExternalContractAllowEntry } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";
import { serve, SERVERS, type Served } from "./served.js";

/** An app, a dependency whose own source has a contract, and one that has none. */
const APP: Files = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": `export { default as authority } from "virtual:agent-surface-contract";\nexport { lever } from "acme";\nexport { plain } from "plain";\n`,
  "node_modules/acme/package.json":
    '{ "name": "acme", "version": "1.0.0", "type": "module", "main": "index.js" }',
  "node_modules/acme/index.js": contractModule("acme.lever", "lever"),
  "node_modules/plain/package.json":
    '{ "name": "plain", "version": "1.0.0", "type": "module", "main": "index.js" }',
  "node_modules/plain/index.js": "export const plain = 1;\n",
};

describe.each(SERVERS)(
  "a dependency with a contract, while $name bundles dependencies beforehand",
  ({ createServer }) => {
    const start = (root: string, allow: ExternalContractAllowEntry[]): Promise<Served> =>
      serve(createServer, {
        root,
        // A refused app is never asked for more than its authority.
        optimizeDeps: { noDiscovery: allow.length === 0 },
        plugins: [agentSurface({ externalContracts: { allow } })],
      });

    it("is refused until it is approved, by the entry to add, and carries the app's proof from then on", async () => {
      const root = makeApp(APP);
      const refused = await start(root, []);
      const message = await refused.capabilities().then(
        () => expect.unreachable("the authority was handed out"),
        (error: unknown) => (error as Error).message,
      );
      const entry = entryIn(message);
      expect(entry).toMatchObject({ package: "acme" });

      const approved = await start(root, [entry]);
      expect(await approved.capabilities()).toEqual(["view:acme.lever.press"]);
      const main = join(root, "src/main.js");
      const plain = await approved.idOf("plain", main);
      expect(plain).toContain("/node_modules/.vite/deps/");
      // It is there once it is bundled.
      expect(await approved.text(plain)).toContain("plain");
      const id = await approved.idOf("acme", main);
      expect(id).toContain("/node_modules/acme/index.js");
      expect(await approved.text(id)).toMatch(/defineAgentComponentContract\(.*JSON\.parse\(/);
    });

    it("is asked for anew by each page, since its proof is that of the app's contract", async () => {
      const root = makeApp(APP);
      const refused = await start(root, []);
      const message = await refused.capabilities().then(
        () => expect.unreachable("the authority was handed out"),
        (error: unknown) => (error as Error).message,
      );
      const approved = await start(root, [entryIn(message)]);
      await approved.capabilities();
      const main = await approved.text("/src/main.js");
      const [acme = ""] = /\/node_modules\/acme\/index\.js[^"]*/.exec(main) ?? [];
      expect(acme).toMatch(/\?v=/);
      const { headers, text } = await approved.fetch(acme);
      expect(headers.get("cache-control")).toBe("no-cache");
      expect(text).toMatch(/defineAgentComponentContract\(.*JSON\.parse\(/);
      const [plain = ""] = /\/node_modules\/[^"]*plain[^"]*/.exec(main) ?? [];
      expect((await approved.fetch(plain)).headers.get("cache-control")).toContain("immutable");
    });
  },
);

/** The entry that an error prints. */
function entryIn(message: string): ExternalContractAllowEntry {
  const [entry = ""] = /^ *\{\n[^}]*\n *\}$/m.exec(message) ?? [];
  return JSON.parse(entry) as ExternalContractAllowEntry;
}
