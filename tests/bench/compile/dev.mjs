/**
 * `node dev.mjs ROOT with|without [CONTRACT OTHER]` starts Vite's dev server on an app, by its config file if it has one,
 * and prints a {@link Started}. With two modules of a generated app, one with a contract and one without, each is edited
 * some times then, and put back.
 *
 * @typedef {object} Started Times are in milliseconds. Starting Node and loading Vite are not in them; neither is the
 * optimizer.
 * @property {number} wall From the call that reads the config until the authority is there.
 * @property {number} cpu What all threads of the process used meanwhile.
 * @property {number} peak The most memory that the process had by then, in bytes.
 * @property {Edits} contract Edits of a contract.
 * @property {Edits} other Edits that touch none.
 *
 * @typedef {object} Edits CPU time that all threads of the process used for each edit, from the news of it until the
 * authority was there again.
 * @property {number[]} whole In all.
 * @property {number[]} own Of it, while a hook of the plugin ran: the server has nothing else to do then.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, loadConfigFromFile } from "vite";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";

/** How often each module is edited. */
const EDITS = 5;

const [root = "", variant, contract, other] = process.argv.slice(2);
const id = `\0${VIRTUAL_CONTRACT_ID}`;

/**
 * The same module graph for a server that proves nothing.
 * @type {import("vite").Plugin}
 */
const standIn = {
  name: "bench:stand-in",
  resolveId: (specifier) => (specifier === VIRTUAL_CONTRACT_ID ? id : null),
  load: (loaded) => (loaded === id ? "export default {};" : null),
};

/** The CPU time of this process so far. */
function cpuNow() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What the app's config file says without the plugin; there the stand-in takes its place. */
async function configWithout() {
  const loaded = await loadConfigFromFile({ command: "serve", mode: "development" }, undefined, root);
  /** @type {unknown[]} */
  const given = [loaded?.config.plugins ?? []];
  const plugins = /** @type {import("vite").Plugin[]} */ (await Promise.all(given.flat(Infinity)));
  const others = plugins.flat().filter(({ name }) => name !== agentSurface().name);
  return { ...loaded?.config, configFile: /** @type {const} */ (false), plugins: [...others, standIn] };
}

/** @param {import("vite").ViteDevServer} server */
const authorityOf = (server) => server.environments.client.transformRequest(VIRTUAL_CONTRACT_ID);

/**
 * Notes what the process uses while the plugin's hooks run that an edit leads to.
 * @param {import("vite").ViteDevServer} server
 */
function watchPlugin(server) {
  let used = 0;
  const plugin = server.config.plugins.find(({ name }) => name === agentSurface().name);
  /** @param {Function} hook */
  const watched = (hook) =>
    /** @this {unknown} @param {unknown[]} given */
    async function (...given) {
      const before = cpuNow();
      const result = await Reflect.apply(hook, this, given);
      used += cpuNow() - before;
      return result;
    };
  const hooks = /** @type {Record<string, any>} */ (plugin);
  hooks["watchChange"] = watched(hooks["watchChange"]);
  hooks["load"] = { ...hooks["load"], handler: watched(hooks["load"].handler) };
  return () => used;
}

/**
 * @param {import("vite").ViteDevServer} server
 * @param {() => number} ownCpu
 * @param {string} path
 * @param {(text: string, edit: number) => string} change
 * @returns {Promise<Edits>}
 */
async function measureEdits(server, ownCpu, path, change) {
  const text = await readFile(path, "utf8");
  /** @type {Edits} */
  const edits = { whole: [], own: [] };
  const tell = async () => {
    await server.environments.client.pluginContainer.watchChange(path, { event: "update" });
    await authorityOf(server);
  };
  for (let edit = 1; edit <= EDITS; edit++) {
    await writeFile(path, change(text, edit));
    const [whole, own] = [cpuNow(), ownCpu()];
    await tell();
    edits.own.push(ownCpu() - own);
    edits.whole.push(cpuNow() - whole);
  }
  await writeFile(path, text);
  await tell();
  return edits;
}

const cpuBefore = cpuNow();
const wallBefore = performance.now();
const server = await createServer({
  ...(variant === "with" ? {} : await configWithout()),
  root,
  logLevel: "silent",
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
await authorityOf(server);
/** @type {Started} */
const started = {
  wall: performance.now() - wallBefore,
  cpu: cpuNow() - cpuBefore,
  peak: process.resourceUsage().maxRSS * 1024,
  contract: { whole: [], own: [] },
  other: { whole: [], own: [] },
};
if (contract !== undefined && other !== undefined) {
  const ownCpu = watchPlugin(server);
  started.contract = await measureEdits(server, ownCpu, join(root, contract), (text, edit) =>
    text.replace("Synthetic panel", `Panel of edit ${edit}`),
  );
  started.other = await measureEdits(
    server,
    ownCpu,
    join(root, other),
    (text, edit) => `${text}export const edited = ${edit};\n`,
  );
}
await server.close();
console.log(JSON.stringify(started));
