/**
 * `node dev.mjs ROOT with|without [FILE]` starts Vite's dev server on an app, by its config file if it has one, and prints a
 * {@link Started}. With a FILE, a module with a contract, it is edited then, and put back.
 *
 * @typedef {object} Started All in milliseconds. Starting Node and loading Vite are not in it; neither is the optimizer.
 * @property {number} wall From the call that reads the config until the authority is there.
 * @property {number} cpu What all threads of the process used meanwhile.
 * @property {number} edit What they used from the news of the edit until the authority was there again; 0 without one.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, loadConfigFromFile } from "vite";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";

const [root = "", variant, file] = process.argv.slice(2);
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
  const plugins = /** @type {import("vite").Plugin[]} */ (given.flat(Infinity));
  const others = plugins.filter(({ name }) => name !== agentSurface().name);
  return { ...loaded?.config, configFile: /** @type {const} */ (false), plugins: [...others, standIn] };
}

/** @param {import("vite").ViteDevServer} server */
const authorityOf = (server) => server.environments.client.transformRequest(VIRTUAL_CONTRACT_ID);

/**
 * @param {import("vite").ViteDevServer} server
 * @param {string} path
 */
async function edit(server, path) {
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("Synthetic panel", "Another panel"));
  const before = cpuNow();
  await server.environments.client.pluginContainer.watchChange(path, { event: "update" });
  await authorityOf(server);
  const took = cpuNow() - before;
  await writeFile(path, text);
  return took;
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
const wall = performance.now() - wallBefore;
const cpu = cpuNow() - cpuBefore;
const edited = file === undefined ? 0 : await edit(server, join(root, file));
await server.close();

/** @type {Started} */
const started = { wall, cpu, edit: edited };
console.log(JSON.stringify(started));
