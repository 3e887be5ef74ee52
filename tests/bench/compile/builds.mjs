/** Builds of generated apps, with and without the plugin in turn. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printTable } from "../../demo/table.mjs";
import { megabytes, median, milliseconds, percent, spread } from "../shared/numbers.mjs";
import { inGeneratedApp } from "./generated.mjs";

const BUILD = fileURLToPath(new URL("./build.mjs", import.meta.url));

/** @typedef {import("./build.mjs").Measured} Measured */
/** @typedef {{ without: Measured[], with: Measured[] }} Builds */

/**
 * Builds an app in a process of its own.
 * @param {string} root
 * @param {"with" | "without"} plugin
 * @returns {Promise<Measured>}
 */
async function measure(root, plugin) {
  const { stdout } = await promisify(execFile)(process.execPath, [BUILD, root, plugin]);
  return JSON.parse(stdout);
}

/**
 * Measures builds of one size, prints what came out, and returns how much more memory each took with the plugin.
 * @param {number} size
 * @param {number} runs
 * @param {number} [modulesPerContract]
 */
export async function compareBuilds(size, runs, modulesPerContract) {
  /** @param {string} root @param {number} contracts */
  const compare = async (root, contracts) => {
    /** @type {Builds} */
    const measured = { without: [], with: [] };
    // One that does not count: whoever reads the files first waits for the disk.
    await measure(root, "without");
    for (let run = 0; run < runs; run++) {
      measured.without.push(await measure(root, "without"));
      measured.with.push(await measure(root, "with"));
    }
    print(size, contracts, measured);
    const plain = median(of(measured.without, "peak"));
    return of(measured.with, "peak").map((peak) => peak - plain);
  };
  return inGeneratedApp(size, compare, modulesPerContract);
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
 * @param {Builds} measured
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
      megabytes(median(of(runs, "peak"))),
      spread(of(runs, "peak"), megabytes),
    ];
  });
  console.log(`\n${size} modules, ${contracts} with a contract, ${measured.with.length} runs each`);
  printTable(["build", "wall", "from – to", "CPU", "from – to", "peak memory", "from – to"], rows);
  const ratio = (/** @type {"wall" | "cpu"} */ key) =>
    percent(median(of(measured.with, key)) / median(of(measured.without, key)) - 1);
  console.log(`ratio with/without   wall ${ratio("wall")}, CPU ${ratio("cpu")}`);
  console.log(
    `the plugin itself    ${milliseconds(own)} (${spread(of(measured.with, "own"))}), ${percent(own / wall)} of the build`,
  );
  console.log(`per contract module  ${((own / contracts) * 1000).toFixed(0)} µs`);
  console.log(`rounds of questions  ${median(of(measured.with, "rounds"))}`);
  const peak = (/** @type {keyof Builds} */ plugin) => median(of(measured[plugin], "peak"));
  console.log(`peak memory          ${megabytes(peak("with") - peak("without"))} over without`);
}
