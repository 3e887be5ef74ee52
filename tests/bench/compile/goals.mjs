/** What was measured, held against what it must reach. */
import { printTable } from "../../demo/table.mjs";
import { median, megabytes, milliseconds } from "../shared/numbers.mjs";

/**
 * The numbers that there are goals for, each measured several times or, where it was not asked for, not at all.
 * @typedef {object} Reached
 * @property {number[]} [devicesWall] How much later the dev server of the devices app has its authority than without.
 * @property {number[]} [generatedCpu] What starting the dev server of the generated app uses, Vite's part included.
 * @property {number[]} [editCpu] What the plugin uses for the edit of a contract.
 * @property {number[]} [buildMemory] How much more memory a build takes than without, in bytes.
 * @property {number[]} [serverMemory] The same of a dev server.
 */

/** @type {readonly { key: keyof Reached, what: string, goal: number, print: (value: number) => string }[]} */
const GOALS = [
  {
    key: "devicesWall",
    what: "dev server, devices and its dependencies: wall to authority, over without",
    goal: 300,
    print: milliseconds,
  },
  { key: "generatedCpu", what: "dev server, 2000 modules: CPU to authority", goal: 500, print: milliseconds },
  {
    key: "editCpu",
    what: "dev server, 2000 modules: CPU of the plugin, edit of a contract",
    goal: 50,
    print: milliseconds,
  },
  {
    key: "buildMemory",
    what: "build, 10000 modules: peak memory, over without",
    goal: 60e6,
    print: megabytes,
  },
  {
    key: "serverMemory",
    what: "dev server, 10000 modules: peak memory, over without",
    goal: 60e6,
    print: megabytes,
  },
];

/** @param {Reached} reached */
export function printGoals(reached) {
  const rows = GOALS.map(({ key, what, goal, print }) => {
    const values = reached[key];
    if (values === undefined) return [what, "–", print(goal), "not measured: --memory"];
    const measured = median(values);
    return [what, print(measured), print(goal), (measured / goal).toFixed(2)];
  });
  console.log("\ngoals");
  printTable(["", "measured", "goal", "ratio"], rows);
}
