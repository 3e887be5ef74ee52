/**
 * `node --import usage.mjs …` writes to file descriptor 3, as the process ends, what all of it used: a
 * {@link Usage} as JSON. Loaded before anything else, so that starting Node counts too.
 *
 * @typedef {object} Usage
 * @property {number} cpu Of all threads, in milliseconds.
 * @property {number} memory At its highest, in MB.
 */
import { writeSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpu: (userCPUTime + systemCPUTime) / 1000, memory: maxRSS / 1024 };
  writeSync(3, JSON.stringify(usage));
});
