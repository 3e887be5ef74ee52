/** Files that are no modules of the app, and what it means to a server that they change. */
import { once } from "node:events";
import { join } from "node:path";
import { createLogger } from "vite";
import { describe, expect, it } from "vitest";
import { contractModule, makeApp, type Files } from "./app.js";
import { buildContract, serve, SERVERS, type Major, type Served } from "./served.js";

const COMPILER = import.meta.resolve("@agent-surface/compiler");

const PAGE = '<script type="module" src="/src/main.ts"></script>\n';

/** An app by a config file of its own, and what the server says when it has started again. */
async function open(major: Major, files: Files) {
  const root = makeApp({ "index.html": PAGE, ...files });
  const restarted = new EventTarget();
  const customLogger = {
    ...createLogger("silent"),
    info: (text: string) =>
      void (text.includes("restarted") && restarted.dispatchEvent(new Event("restarted"))),
  };
  const config = { root, configFile: join(root, "vite.config.js"), plugins: [] };
  const served = await serve(major.createServer, {
    ...config,
    customLogger,
    server: { watch: { ignored: ["**"] } },
  });
  /** Edits a file for which Vite starts the server again, and waits until it has. */
  const restart = async (edited: Files) => {
    const again = once(restarted, "restarted");
    served.write(root, edited);
    await again;
  };
  const built = () => buildContract(major, { ...config });
  return { root, served, restart, built };
}

const config = (more = "") => `import { agentSurface } from ${JSON.stringify(COMPILER)};
import { word } from "./word.js";
export default { plugins: [agentSurface()], define: { WORD: JSON.stringify(word) }, ${more} };
`;

const textOf = async (served: Served) =>
  (JSON.parse(await served.contract()) as { capabilities: { description: string }[] }).capabilities.map(
    ({ description }) => description,
  );

describe.each(SERVERS)("served by $name, the contract follows", (major) => {
  it("the config, what it imports, and the files of constants", async () => {
    const { served, restart, built } = await open(major, {
      "vite.config.js": config(),
      "word.js": 'export const word = "Press";\n',
      ".env": "VITE_IT=it\n",
      "src/main.ts": contractModule("demo.button").replace(
        '"Press it"',
        "`${WORD} ${import.meta.env.VITE_IT}`",
      ),
    });
    expect(await textOf(served)).toEqual(["Press it"]);
    await restart({ "word.js": 'export const word = "Push";\n' });
    expect(await textOf(served)).toEqual(["Push it"]);
    await restart({ ".env": "VITE_IT=this\n" });
    expect(await textOf(served)).toEqual(["Push this"]);
    await restart({ "vite.config.js": config().replace("(word)", "(word + '!')") });
    expect(await textOf(served)).toEqual(["Push! this"]);
    expect(await served.contract()).toBe(await built());
  });

  it("package.json and tsconfig.json, for which no server starts again", async () => {
    const { root, served, built } = await open(major, {
      "vite.config.js": config(),
      "word.js": "export const word = 1;\n",
      "package.json": '{ "name": "app", "type": "module", "imports": { "#it": "./src/a.ts" } }',
      "tsconfig.json": "{}",
      "src/main.ts": 'import "#it";\nimport { contract } from "./c.js";\n',
      "src/a.ts": contractModule("demo.a"),
      "src/b.ts": contractModule("demo.b"),
      "src/c.ts": contractModule("demo.c"),
    });
    expect(await served.capabilities()).toEqual(["view:demo.a.press"]);
    const [reload] = await served.edit(root, {
      "package.json": '{ "name": "app", "type": "module", "imports": { "#it": "./src/b.ts" } }',
    });
    expect(reload).toMatchObject({ type: "full-reload" });
    expect(await served.capabilities()).toEqual(["view:demo.b.press"]);
    const listener = served.listen();
    served.write(root, { "tsconfig.json": '{ "compilerOptions": { "verbatimModuleSyntax": true } }' });
    // Vite itself has the page load again, perhaps before there is a verdict.
    await listener.until((told) => told.length > 0);
    listener.stop();
    expect(await served.capabilities()).toEqual(["view:demo.b.press", "view:demo.c.press"]);
    expect(await served.contract()).toBe(await built());
  });
});
