/**
 * `node build.mjs ROOT with|without` builds a generated app into a temporary folder and prints a {@link Measured}.
 *
 * @typedef {object} Measured Times are in milliseconds.
 * @property {number} wall From the call of Vite's `build` to its end; starting Node and loading Vite are not in it.
 * @property {number} cpu What all threads of the process used meanwhile.
 * @property {number} own What the plugin itself took of the main thread, see {@link watch}; 0 without it.
 * @property {number} rounds How often the bundler was asked.
 * @property {number} peak The most memory that the process ever had, in bytes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { agentSurface } from "@agent-surface/compiler";
import { stopwatch, watch } from "./own-time.mjs";

/** The virtual module, with a manifest that says nothing. */
const AUTHORITY = `import { createCapabilityAuthority } from "@agent-surface/core";
export const manifest = JSON.parse("{}");
export default createCapabilityAuthority(manifest);
`;

const [root = "", variant] = process.argv.slice(2);

/**
 * The same app for a build that proves nothing: with the runtime in it, which only the authority brings along.
 * @returns {import("vite").Plugin}
 */
function standIn() {
  const id = "\0virtual:agent-surface-contract";
  return {
    name: "bench:stand-in",
    resolveId: { filter: { id: /^virtual:agent-surface-contract$/ }, handler: () => id },
    load: { filter: { id: /^\0virtual:agent-surface-contract$/ }, handler: () => AUTHORITY },
  };
}

const outDir = await mkdtemp(join(tmpdir(), "agent-surface-bench-out-"));
const clock = stopwatch();
const plugin = variant === "with" ? watch(agentSurface(), clock) : standIn();
const cpuBefore = process.cpuUsage();
const wallBefore = performance.now();
await build({
  root,
  configFile: false,
  logLevel: "silent",
  // There is no React to import: a function of the app's own takes its place.
  oxc: { jsx: { runtime: "classic", pragma: "h" } },
  plugins: [plugin],
  build: { outDir, emptyOutDir: true },
});
const wall = performance.now() - wallBefore;
const { user, system } = process.cpuUsage(cpuBefore);
await rm(outDir, { recursive: true, force: true });

/** @type {Measured} */
const measured = {
  wall,
  cpu: (user + system) / 1000,
  own: clock.total(),
  rounds: clock.rounds(),
  peak: process.resourceUsage().maxRSS * 1024,
};
console.log(JSON.stringify(measured));
