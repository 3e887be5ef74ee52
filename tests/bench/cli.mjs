/**
 * What the command line costs on `fixtures/devices`, beside a plain build of it. Every run is a process of its own, from
 * starting Node to its end.
 *
 * `node tests/bench/cli.mjs --help` lists its options; `cargo xtask bench cli` takes them behind a `--`.
 *
 * The TypeScript system that this one replaces took 8–9 s of CPU time and 435–460 MB for each of its commands on an
 * example of this size; a tenth of that time and 200 MB are the goal. Numbers are medians; nothing is asserted.
 */
import { spawn } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { printTable } from "../demo/table.mjs";
import { median, milliseconds, spread } from "./shared/numbers.mjs";
import { count, readOptions } from "./shared/options.mjs";

const GOAL = { cpu: 800, memory: 200 };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const USAGE = new URL("./cli/usage.mjs", import.meta.url).href;

/** @typedef {import("./cli/usage.mjs").Usage & { wall: number }} Run */

/** Each command by its name: the script, and its arguments. @type {Record<string, readonly string[]>} */
const COMMANDS = {
  "vite build": ["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"],
  "agent-surface snapshot": ["npm/cli/bin/agent-surface.js", "snapshot"],
  "agent-surface inspect": ["npm/cli/bin/agent-surface.js", "inspect"],
  "agent-surface check": ["npm/cli/bin/agent-surface.js", "check"],
  "agent-surface explain": ["npm/cli/bin/agent-surface.js", "explain", "view:devices.table.sort"],
};

/**
 * Runs one command in the app's folder.
 * @param {readonly string[]} command
 * @param {string} app
 * @returns {Promise<Run>}
 */
async function measure([script = "", ...args], app) {
  const start = performance.now();
  const child = spawn(process.execPath, ["--import", USAGE, join(ROOT, script), ...args], {
    cwd: app,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  const [usage, stderr, code] = await Promise.all([
    text(/** @type {import("node:stream").Readable} */ (child.stdio[3])),
    text(/** @type {import("node:stream").Readable} */ (child.stderr)),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  if (code !== 0) throw new Error(`${script} ${args.join(" ")} ended with ${code}: ${stderr}`);
  return { ...JSON.parse(usage), wall: performance.now() - start };
}

/** A copy of the fixture, so that its own folder gets no snapshot and no bundle. */
async function copyApp() {
  const parent = await mkdtemp(join(tmpdir(), "agent-surface-bench-"));
  const app = join(parent, "devices");
  await cp(join(ROOT, "fixtures/devices"), app, {
    recursive: true,
    filter: (path) => !/[\\/](?:node_modules|dist|\.agent-surface)$/.test(path),
  });
  await symlink(join(ROOT, "node_modules"), join(parent, "node_modules"), "dir");
  return { parent, app };
}

const { runs } = readOptions("What each command of the command line costs.", {
  runs: count(5, "how often each command is measured"),
});

const { parent, app } = await copyApp();
try {
  /** @type {Record<string, Run[]>} */
  const measured = {};
  // The commands take turns, so that whatever else the machine does meets all of them.
  for (let run = 0; run < runs; run++) {
    for (const [name, command] of Object.entries(COMMANDS)) {
      // oxlint-disable-next-line no-await-in-loop
      (measured[name] ??= []).push(await measure(command, app));
    }
  }
  console.log(`fixtures/devices, ${runs} runs each`);
  printTable(
    ["command", "CPU", "from – to", "wall", "memory"],
    Object.entries(measured).map(([name, all]) => {
      const of = (/** @type {keyof Run} */ key) => all.map((run) => run[key]);
      return [
        name,
        milliseconds(median(of("cpu"))),
        spread(of("cpu")),
        milliseconds(median(of("wall"))),
        `${median(of("memory")).toFixed(0)} MB`,
      ];
    }),
  );
  console.log(`goal: ${GOAL.cpu} ms of CPU time and ${GOAL.memory} MB for each command of agent-surface`);
} finally {
  await rm(parent, { recursive: true, force: true });
}
