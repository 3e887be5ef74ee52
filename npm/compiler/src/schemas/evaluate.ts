import { Worker } from "node:worker_threads";
import type { SchemaAnswer, SchemaLibrary, SchemaQuestion } from "../binding.js";
import { locate } from "./locate.js";
import type { Job, Outcome, Program } from "./program.js";

/** How schemas are evaluated. */
export interface EvaluateOptions {
  /** How long a library may take to load, and any one expression to evaluate, in milliseconds. */
  limit?: number;
}

/** Long for a schema, short for a build that would otherwise hang. */
const LIMIT = 10_000;

/**
 * The worker is a file of its own and is loaded from `dist`, also where these sources are run as they are.
 */
const WORKER = new URL("../../dist/schemas/worker.js", import.meta.url);

/** How many workers this process has started: a build without schemas of a library starts none. */
let started = 0;

/** How many workers this process has started. */
export function workersStarted(): number {
  return started;
}

/**
 * Evaluates expressions over schema libraries with the project's own copies of them: all of a batch in one worker thread,
 * which has no environment, arguments or input, bounded memory, and a fixed clock, time zone and language. What takes too
 * long is given up, and the others are evaluated without it.
 */
export async function evaluateSchemas(
  questions: readonly SchemaQuestion[],
  { limit = LIMIT }: EvaluateOptions = {},
): Promise<SchemaAnswer[]> {
  const items = questions.map(toItem);
  for (;;) {
    const left = items.filter(({ outcome }) => outcome === undefined);
    if (left.length === 0) break;
    await run(left, limit);
  }
  return items.map(({ key, outcome, libraries }) => ({
    kind: "schema",
    key,
    ...(outcome ?? { failure: { message: "nothing came of it" } }),
    libraries,
  }));
}

/** A question on its way to an answer. */
interface Item {
  key: string;
  program: Program;
  libraries: SchemaLibrary[];
  outcome?: Outcome;
}

function toItem({ key, program, imports }: SchemaQuestion): Item {
  const located = imports.map((it) => locate(it));
  return {
    key,
    program: { text: program, imports: located.map(({ url }) => url) },
    libraries: located.map(({ library }) => library),
  };
}

/** Runs programs in one worker until they are through or one of them is given up. */
function run(items: readonly Item[], limit: number): Promise<void> {
  started += 1;
  const current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const job: Job = { programs: items.map(({ program }) => program), current };
  const worker = new Worker(WORKER, {
    workerData: job,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
  });
  return new Promise((resolve) => {
    let left = items.length;
    const settle = (at: number, outcome: Outcome) => {
      const item = items[at];
      if (item !== undefined) item.outcome = outcome;
    };
    const giveUp = (message: string) => {
      settle(Atomics.load(current, 0), { failure: { message } });
      end();
    };
    const end = () => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // What is thrown from here on has nobody to hear it.
      worker.on("error", () => undefined);
      void worker.terminate().then(() => resolve());
    };
    const timer = setTimeout(
      () => giveUp(`it takes longer than ${limit / 1000} seconds, and was given up`),
      limit,
    );
    worker.on("message", ({ at, outcome }: { at: number; outcome: Outcome }) => {
      settle(at, outcome);
      timer.refresh();
      left -= 1;
      if (left === 0) end();
    });
    worker.on("error", (error) => giveUp(`the worker that evaluates it ended: ${error.message}`));
    worker.on("exit", (code) => giveUp(`the worker that evaluates it ended with code ${code}`));
  });
}
