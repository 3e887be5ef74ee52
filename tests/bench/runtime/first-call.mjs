/**
 * The first call of the kernel, in a process of its own: it is unpacked, compiled and made an instance of.
 *
 * Imported, this measures; run as a script, it is one measurement.
 */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { encodeWireName } from "@agent-surface/core";

const SCRIPT = fileURLToPath(import.meta.url);

/** Milliseconds that went by, and those that the main thread was at work: engines compile on others meanwhile. */
async function measure() {
  // Once for what the first look itself costs.
  await mainThread();
  const [worked, start] = [await mainThread(), performance.now()];
  encodeWireName("view:a.b");
  const elapsed = performance.now() - start;
  return { elapsed, worked: (await mainThread()) - worked };
}

/** How long the process's first thread has run, in milliseconds; only Linux tells. */
async function mainThread() {
  const nanoseconds = await readFile("/proc/self/schedstat", "latin1").catch(() => "NaN");
  return Number.parseInt(nanoseconds, 10) / 1e6;
}

/**
 * Measures in so many fresh processes, one after the other.
 * @param {number} runs
 * @returns {Promise<Awaited<ReturnType<typeof measure>>[]>}
 */
export async function firstCalls(runs) {
  const measured = [];
  for (let run = 0; run < runs; run++) {
    const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT]);
    measured.push(JSON.parse(stdout));
  }
  return measured;
}

if (process.argv[1] === SCRIPT) console.log(JSON.stringify(await measure()));
