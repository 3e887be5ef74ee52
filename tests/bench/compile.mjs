/**
 * What proving contracts costs: apps of several sizes, built by Vite with and without the plugin in turn, and two
 * that Vite's dev server is started on.
 *
 * `node tests/bench/compile.mjs [--sizes 200,2000,10000] [--runs 5]`, or `cargo xtask bench compile`.
 *
 * Every build and every start is a process of its own, so that none finds what another left in memory. The two kinds alternate, so
 * that whatever else the machine does meets both alike. Numbers are medians over the runs; nothing is asserted.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { printTable } from "../demo/table.mjs";
import { CONTRACT_MODULE, generateApp } from "./compile/app.mjs";
import { median, milliseconds, percent, spread } from "./shared/numbers.mjs";

const NODE_MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const DEVICES = fileURLToPath(new URL("../../fixtures/devices", import.meta.url));
const DEV = fileURLToPath(new URL("./compile/dev.mjs", import.meta.url));
const BUILD = fileURLToPath(new URL("./compile/build.mjs", import.meta.url));
const SCHEMAS = fileURLToPath(new URL("./compile/schemas.mjs", import.meta.url));

/** So many schemas of a library are measured. */
const SCHEMA_COUNT = 200;

/** @typedef {import("./compile/build.mjs").Measured} Measured */
/** @typedef {import("./compile/dev.mjs").Started} Started */

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

/** The size of the generated app that a server is started on. */
const SERVED = 2000;

/**
 * Measures how long a dev server takes until the authority is there, and prints it.
 * @param {string} what
 * @param {string} root
 * @param {number} runs
 * @param {string[]} file The module that is edited in the end, if any.
 */
async function start(what, root, runs, ...file) {
  /** @type {{ without: Started[], with: Started[] }} */
  const measured = { without: [], with: [] };
  for (let run = 0; run <= runs; run++) {
    for (const plugin of /** @type {const} */ (["without", "with"])) {
      const edited = plugin === "with" ? file : [];
      const { stdout } = await promisify(execFile)(process.execPath, [DEV, root, plugin, ...edited]);
      // The first round does not count: whoever reads the files first waits for the disk.
      if (run > 0) measured[plugin].push(JSON.parse(stdout));
    }
  }
  const rows = /** @type {const} */ (["without", "with"]).map((plugin) => [
    `${plugin} the plugin`,
    ...["wall", "cpu"].flatMap((key) => {
      const times = measured[plugin].map((it) => it[/** @type {keyof Started} */ (key)]);
      return [milliseconds(median(times)), spread(times)];
    }),
  ]);
  console.log(`\ndev server, ${what}, ${runs} runs each`);
  printTable(["start to authority", "wall", "from – to", "CPU", "from – to"], rows);
  const more = (/** @type {keyof Started} */ key) =>
    milliseconds(median(measured.with.map((it) => it[key])) - median(measured.without.map((it) => it[key])));
  console.log(`difference           wall ${more("wall")}, CPU ${more("cpu")}`);
  const edits = measured.with.map((it) => it.edit);
  if (file.length > 0)
    console.log(`edit to authority    CPU ${milliseconds(median(edits))} (${spread(edits)})`);
}

/** @param {number} runs */
async function startGenerated(runs) {
  const root = await mkdtemp(join(tmpdir(), "agent-surface-bench-"));
  try {
    await generateApp(root, SERVED);
    await symlink(NODE_MODULES, join(root, "node_modules"), "dir");
    await start(`${SERVED} modules`, root, runs, CONTRACT_MODULE);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

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

const { sizes, runs } = readOptions();
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model ?? "an unknown processor"}, ${process.platform} ${process.arch}`,
);
console.log(
  ["Node.js", process.version, ...(await Promise.all(["vite", "rolldown"].map(versionOf)))].join(" "),
);
for (const size of sizes) await compare(size, runs);
await start("the devices fixture", DEVICES, runs);
await startGenerated(runs);
await compareSchemas(runs);
