/**
 * `node dev.mjs ROOT with|without` starts Vite's dev server on an app and prints how long it took until the authority was
 * there, as `{ wall, cpu }` in milliseconds. Starting Node and loading Vite are not in it; neither is the optimizer.
 */
import { createServer } from "vite";
import { agentSurface, VIRTUAL_CONTRACT_ID } from "@agent-surface/compiler";

const [root = "", variant] = process.argv.slice(2);
const id = `\0${VIRTUAL_CONTRACT_ID}`;

/** @type {import("vite").Plugin} */
const standIn = {
  name: "bench:stand-in",
  resolveId: (specifier) => (specifier === VIRTUAL_CONTRACT_ID ? id : null),
  load: (loaded) => (loaded === id ? "export default {};" : null),
};

const cpuBefore = process.cpuUsage();
const wallBefore = performance.now();
const server = await createServer({
  root,
  configFile: false,
  logLevel: "silent",
  oxc: { jsx: { runtime: "classic", pragma: "h" } },
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
  plugins: [variant === "with" ? agentSurface() : standIn],
});
await server.environments.client.transformRequest(VIRTUAL_CONTRACT_ID);
const wall = performance.now() - wallBefore;
const { user, system } = process.cpuUsage(cpuBefore);
await server.close();
console.log(JSON.stringify({ wall, cpu: (user + system) / 1000 }));
