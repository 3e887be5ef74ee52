/** Starts of Vite's dev server, with and without the plugin in turn. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { printTable } from "../../demo/table.mjs";
import { megabytes, median, milliseconds, spread } from "../shared/numbers.mjs";
import { CONTRACT_MODULE, OTHER_MODULE } from "./app.mjs";
import { copyDevices } from "./devices.mjs";
import { inFolder, inGeneratedApp } from "./generated.mjs";

const DEV = fileURLToPath(new URL("./dev.mjs", import.meta.url));

/** @typedef {import("./dev.mjs").Started} Started */
/** @typedef {{ without: Started[], with: Started[] }} Starts */

/**
 * Starts a server on the devices fixture, with so many modules of made-up dependencies.
 * @param {number} size
 * @param {number} runs
 */
export function startDevices(size, runs) {
  return inFolder(async (root) => {
    await copyDevices(root, size);
    return start(`the devices fixture, and ${size} modules of dependencies more`, root, runs);
  });
}

/**
 * Starts one on a generated app, and edits two of its modules.
 * @param {number} size
 * @param {number} runs
 */
export function startGenerated(size, runs) {
  return inGeneratedApp(size, (root) => start(`${size} modules`, root, runs, CONTRACT_MODULE, OTHER_MODULE));
}

/**
 * Starts one on a generated app of which one in `modulesPerContract` modules has a contract.
 * @param {number} size
 * @param {number} runs
 * @param {number} modulesPerContract
 */
export function startLarge(size, runs, modulesPerContract) {
  const what = `${size} modules, one in ${modulesPerContract} with a contract`;
  return inGeneratedApp(size, (root) => start(what, root, runs), modulesPerContract);
}

/**
 * Measures how long a dev server takes until the authority is there, prints and returns it.
 * @param {string} what
 * @param {string} root
 * @param {number} runs
 * @param {string[]} edited The modules that are edited in the end, if any.
 * @returns {Promise<Starts>}
 */
async function start(what, root, runs, ...edited) {
  /** @type {Starts} */
  const measured = { without: [], with: [] };
  for (let run = 0; run <= runs; run++) {
    for (const plugin of /** @type {const} */ (["without", "with"])) {
      const files = plugin === "with" ? edited : [];
      const { stdout } = await promisify(execFile)(process.execPath, [DEV, root, plugin, ...files]);
      // The first round does not count: whoever reads the files first waits for the disk.
      if (run > 0) measured[plugin].push(JSON.parse(stdout));
    }
  }
  print(what, measured);
  return measured;
}

/**
 * How much more of something each start with the plugin took than one without.
 * @param {Starts} starts
 * @param {"wall" | "cpu" | "peak"} key
 */
export function more(starts, key) {
  const plain = median(starts.without.map((it) => it[key]));
  return starts.with.map((it) => it[key] - plain);
}

/**
 * What the plugin used for edits, over all starts.
 * @param {Starts} starts
 */
export function editsOf(starts) {
  return starts.with.flatMap(({ contract }) => contract.own);
}

/**
 * @param {string} what
 * @param {Starts} measured
 */
function print(what, measured) {
  const rows = /** @type {const} */ (["without", "with"]).map((plugin) => {
    const column = (/** @type {"wall" | "cpu" | "peak"} */ key, print = milliseconds) => {
      const values = measured[plugin].map((it) => it[key]);
      return [print(median(values)), spread(values, print)];
    };
    return [`${plugin} the plugin`, ...column("wall"), ...column("cpu"), ...column("peak", megabytes)];
  });
  console.log(`\ndev server, ${what}, ${measured.with.length} runs each`);
  printTable(
    ["start to authority", "wall", "from – to", "CPU", "from – to", "peak memory", "from – to"],
    rows,
  );
  const difference = (/** @type {"wall" | "cpu"} */ key) => milliseconds(median(more(measured, key)));
  const memory = megabytes(median(more(measured, "peak")));
  console.log(
    `difference           wall ${difference("wall")}, CPU ${difference("cpu")}, peak memory ${memory}`,
  );
  for (const [of, name] of /** @type {const} */ ([
    ["contract", "edit of a contract"],
    ["other", "edit of no contract"],
  ])) {
    const own = measured.with.flatMap((it) => it[of].own);
    const whole = measured.with.flatMap((it) => it[of].whole);
    if (own.length === 0) continue;
    console.log(
      `${name.padEnd(21)}CPU ${milliseconds(median(whole))}, of it the plugin's ${milliseconds(median(own))} (${spread(own)})`,
    );
  }
}
