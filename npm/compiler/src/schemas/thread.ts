import { Worker } from "node:worker_threads";
import type { Job, Outcome, Program, Setup } from "./program.js";

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
 * A worker thread without environment, arguments or input, with bounded memory, and a fixed clock, time zone and language.
 * It loads libraries as soon as it is started and runs programs once: no two batches see what the other did to a library.
 * Until then it keeps no process from ending.
 */
export class Thread {
  #current = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  #worker: Worker;
  /** Why it ended before it was asked to. */
  #end: string | undefined;
  #onEnd: (reason: string) => void = () => undefined;

  constructor(imports: readonly string[]) {
    started += 1;
    const setup: Setup = { imports, current: this.#current };
    this.#worker = new Worker(WORKER, {
      workerData: setup,
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 4 },
    });
    const end = (reason: string) => {
      this.#end ??= reason;
      this.#onEnd(this.#end);
    };
    this.#worker.on("error", (error) => end(`the worker that evaluates it ended: ${error.message}`));
    this.#worker.on("exit", (code) => end(`the worker that evaluates it ended with code ${code}`));
    this.#worker.unref();
  }

  /** Whether it can still run programs. */
  get isAlive(): boolean {
    return this.#end === undefined;
  }

  /**
   * Runs programs until they are through or one of them is given up: that one has failed, and those behind it have no
   * outcome. `limit` is how long a library may take to load, and any one program to run, in milliseconds.
   */
  run(programs: readonly Program[], limit: number): Promise<(Outcome | undefined)[]> {
    const outcomes: (Outcome | undefined)[] = programs.map(() => undefined);
    this.#worker.ref();
    return new Promise((resolve) => {
      let left = programs.length;
      const finish = () => {
        clearTimeout(timer);
        this.#onEnd = () => undefined;
        void this.end().then(() => resolve(outcomes));
      };
      const giveUp = (message: string) => {
        outcomes[Atomics.load(this.#current, 0)] = { failure: { message } };
        finish();
      };
      const timer = setTimeout(
        () => giveUp(`it takes longer than ${limit / 1000} seconds, and was given up`),
        limit,
      );
      this.#worker.on("message", ({ at, outcome }: { at: number; outcome: Outcome }) => {
        outcomes[at] = outcome;
        timer.refresh();
        left -= 1;
        if (left === 0) finish();
      });
      this.#onEnd = giveUp;
      if (this.#end !== undefined) return giveUp(this.#end);
      const job: Job = { programs };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      this.#worker.postMessage(job);
    });
  }

  /** Ends it, whatever it is at. */
  async end(): Promise<void> {
    this.#end ??= "it was ended";
    this.#worker.removeAllListeners("message");
    await this.#worker.terminate();
  }
}
