/**
 * What proving contracts costs: apps of several sizes, built by Vite with and without the plugin in turn, and some
 * that Vite's dev server is started on. The last table holds what was measured against what it must reach.
 *
 * `node tests/bench/compile.mjs --help` lists its options; `cargo xtask bench compile` takes them behind a `--`.
 *
 * Every build and every start is a process of its own, so that none finds what another left in memory. The two kinds alternate, so
 * that whatever else the machine does meets both alike. Numbers are medians over the runs; nothing is asserted.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printTable } from "../demo/table.mjs";
import { compareBuilds } from "./compile/builds.mjs";
import { printGoals } from "./compile/goals.mjs";
import { editsOf, more, startDevices, startGenerated, startLarge } from "./compile/starts.mjs";
import { median, milliseconds, spread } from "./shared/numbers.mjs";
import { count, counts, flag, readOptions } from "./shared/options.mjs";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("./compile/schemas.mjs", import.meta.url));

/** So many modules of made-up dependencies the devices app gets. */
const DEPENDENCIES = 300;

/** The size of the generated app that a server is started on. */
const SERVED = 2000;

/** The size of the app by which memory is judged. */
const LARGE = 10_000;

/** In an app of that size most modules are no agent's business: one in so many has a contract, with five capabilities. */
const LARGE_PER_CONTRACT = 50;

/** The same of an app that is all for agents: there is no goal for it, and it is good to know. */
const LARGE_PER_CONTRACT_AT_MOST = 10;

/** So many schemas of a library are measured. */
const SCHEMA_COUNT = 200;

/**
 * Measures what schemas of a library cost a watched app, and prints what came out.
 * @param {number} runs
 */
async function compareSchemas(runs) {
  /** @type {import("./compile/schemas.mjs").Measured[][]} */
  const measured = [];
  for (let run = 0; run < runs; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [SCHEMAS, String(SCHEMA_COUNT)]);
    measured.push(JSON.parse(stdout));
  }
  console.log(`\n${SCHEMA_COUNT} schemas, evaluated with ${await versionOf("zod")}, ${runs} runs`);
  const rows = ["the first build", "after an edit elsewhere", "after an edit of one schema"].map(
    (build, at) => {
      const took = measured.map((builds) => builds[at]?.took ?? 0);
      return [build, String(measured[0]?.[at]?.asked ?? 0), milliseconds(median(took)), spread(took)];
    },
  );
  printTable(["build", "evaluated", "wall", "from – to"], rows);
}

/** @param {string} name */
async function versionOf(name) {
  return `${name} ${JSON.parse(await readFile(join(NODE_MODULES, name, "package.json"), "utf8")).version}`;
}

const { sizes, runs, memory } = readOptions("What proving contracts costs builds and servers.", {
  sizes: counts([200, 2000], "how many modules the generated apps have"),
  runs: count(5, "how often everything is measured"),
  memory: flag("measure what the plugin adds to the memory of a large app as well, which takes minutes"),
});
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model ?? "an unknown processor"}, ${process.platform} ${process.arch}`,
);
console.log(
  ["Node.js", process.version, ...(await Promise.all(["vite", "rolldown"].map(versionOf)))].join(" "),
);
/** @type {import("./compile/goals.mjs").Reached} */
const reached = {};
for (const size of sizes) await compareBuilds(size, runs);
reached.devicesWall = more(await startDevices(DEPENDENCIES, runs), "wall");
const generated = await startGenerated(SERVED, runs);
reached.generatedCpu = generated.with.map(({ cpu: used }) => used);
reached.editCpu = editsOf(generated);
if (memory) {
  reached.buildMemory = await compareBuilds(LARGE, runs, LARGE_PER_CONTRACT);
  reached.serverMemory = more(await startLarge(LARGE, runs, LARGE_PER_CONTRACT), "peak");
  await compareBuilds(LARGE, runs, LARGE_PER_CONTRACT_AT_MOST);
  await startLarge(LARGE, runs, LARGE_PER_CONTRACT_AT_MOST);
}
await compareSchemas(runs);
printGoals(reached);
