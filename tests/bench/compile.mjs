/**
 * What proving contracts costs a build: apps of several sizes, built by Vite with and without the plugin in turn.
 *
 * `node tests/bench/compile.mjs [--sizes 200,2000,10000] [--runs 5]`, or `cargo xtask bench compile`.
 *
 * Every build is a process of its own, so that none finds what another left in memory. The two kinds alternate, so
 * that whatever else the machine does meets both alike. Numbers are medians over the runs; nothing is asserted.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { printTable } from "../demo/table.mjs";
import { generateApp } from "./compile/app.mjs";
import { median, milliseconds, percent, spread } from "./shared/numbers.mjs";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const BUILD = fileURLToPath(new URL("./compile/build.mjs", import.meta.url));

/** @typedef {import("./compile/build.mjs").Measured} Measured */

/** What to measure, from the command line. */
function readOptions() {
  const { values } = parseArgs({
    options: {
      sizes: { type: "string", default: "200,2000,10000" },
      runs: { type: "string", default: "5" },
    },
  });
  const sizes = values.sizes.split(",").map(Number);
  const runs = Number(values.runs);
  if (![...sizes, runs].every((number) => Number.isInteger(number) && number > 0)) {
    throw new Error("--sizes takes whole numbers with commas between them, --runs takes one");
  }
  return { sizes, runs };
}

/**
 * Builds the app in a process of its own.
 * @param {string} root
 * @param {"with" | "without"} plugin
 * @returns {Promise<Measured>}
 */
async function measure(root, plugin) {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILD, root, plugin]);
  return JSON.parse(stdout);
}

/**
 * Measures one size and prints what came out.
 * @param {number} size
 * @param {number} runs
 */
async function compare(size, runs) {
  const root = await mkdtemp(join(tmpdir(), "agent-surface-bench-"));
  try {
    const { contracts } = await generateApp(root, size);
    await symlink(NODE_MODULES, join(root, "node_modules"), "dir");
    /** @type {{ without: Measured[], with: Measured[] }} */
    const measured = { without: [], with: [] };
    // One that does not count: whoever reads the files first waits for the disk.
    await measure(root, "without");
    for (let run = 0; run < runs; run++) {
      measured.without.push(await measure(root, "without"));
      measured.with.push(await measure(root, "with"));
    }
    print(size, contracts, measured);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * @param {readonly Measured[]} runs
 * @param {keyof Measured} key
 */
function of(runs, key) {
  return runs.map((run) => run[key]);
}

/**
 * @param {number} size
 * @param {number} contracts
 * @param {{ without: Measured[], with: Measured[] }} measured
 */
function print(size, contracts, measured) {
  const wall = median(of(measured.with, "wall"));
  const own = median(of(measured.with, "own"));
  const rows = /** @type {const} */ (["without", "with"]).map((plugin) => {
    const runs = measured[plugin];
    return [
      `${plugin} the plugin`,
      milliseconds(median(of(runs, "wall"))),
      spread(of(runs, "wall")),
      milliseconds(median(of(runs, "cpu"))),
      spread(of(runs, "cpu")),
    ];
  });
  console.log(`\n${size} modules, ${contracts} with a contract, ${measured.with.length} runs each`);
  printTable(["build", "wall", "from – to", "CPU", "from – to"], rows);
  const ratio = (/** @type {"wall" | "cpu"} */ key) =>
    percent(median(of(measured.with, key)) / median(of(measured.without, key)) - 1);
  console.log(`ratio with/without   wall ${ratio("wall")}, CPU ${ratio("cpu")}`);
  console.log(
    `the plugin itself    ${milliseconds(own)} (${spread(of(measured.with, "own"))}), ${percent(own / wall)} of the build`,
  );
  console.log(`per contract module  ${((own / contracts) * 1000).toFixed(0)} µs`);
  console.log(`rounds of questions  ${median(of(measured.with, "rounds"))}`);
}

/** @param {string} name */
async function versionOf(name) {
  return `${name} ${JSON.parse(await readFile(join(NODE_MODULES, name, "package.json"), "utf8")).version}`;
}

const { sizes, runs } = readOptions();
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model ?? "an unknown processor"}, ${process.platform} ${process.arch}`,
);
console.log(
  ["Node.js", process.version, ...(await Promise.all(["vite", "rolldown"].map(versionOf)))].join(" "),
);
for (const size of sizes) await compare(size, runs);
