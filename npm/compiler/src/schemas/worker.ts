/** The thread that schemas are evaluated in; see evaluate.ts. */
import { parentPort, workerData } from "node:worker_threads";
import { interpret } from "./interpret.js";
import { pin } from "./pin.js";
import type { Job, Outcome, Program } from "./program.js";

pin();

const { programs, current } = workerData as Job;
for (const [at, program] of programs.entries()) {
  Atomics.store(current, 0, at);
  const outcome = await run(program);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage({ at, outcome });
}

async function run({ text, imports }: Program): Promise<Outcome> {
  try {
    const namespaces = await Promise.all(imports.map((url) => import(url) as Promise<object>));
    return interpret(text, namespaces);
  } catch (error) {
    return {
      failure: {
        message: `the library cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
      },
    };
  }
}
