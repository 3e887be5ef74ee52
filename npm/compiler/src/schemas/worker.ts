/** The thread that schemas are evaluated in; see thread.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { interpret } from "./interpret.js";
import { pin } from "./pin.js";
import type { Job, Outcome, Program, Setup } from "./program.js";

pin();

const { imports, current } = workerData as Setup;
parentPort?.once("message", ({ programs }: Job) => void runAll(programs));
// What cannot be loaded is told by the program that needs it.
for (const url of imports) void load(url).catch(() => undefined);

async function runAll(programs: readonly Program[]): Promise<void> {
  for (const [at, program] of programs.entries()) {
    Atomics.store(current, 0, at);
    // One after the other, so that it is known which of them does not end.
    // oxlint-disable-next-line no-await-in-loop
    const outcome = await run(program);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    parentPort?.postMessage({ at, outcome });
  }
}

async function run({ text, imports: urls }: Program): Promise<Outcome> {
  try {
    return interpret(text, await Promise.all(urls.map(load)));
  } catch (error) {
    return {
      failure: {
        message: `the library cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      },
    };
  }
}

function load(url: string): Promise<object> {
  return import(url) as Promise<object>;
}
