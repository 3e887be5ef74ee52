import type { Located } from "./locate.js";
import { Thread } from "./thread.js";

/** A worker that is started ahead: it has its libraries loaded by the time there is something to evaluate. */
export class Spare {
  #thread: Thread | undefined;
  /** What it has loaded, by URL: a library that was installed anew since is another one. */
  #loaded = new Map<string, string>();

  /** Starts a worker that loads these libraries, unless there is one that has. */
  start(located: readonly Located[]): void {
    if (this.#thread?.isAlive === true && this.#isOf(located)) return;
    void this.#thread?.end();
    this.#loaded = new Map(located.map(({ url, stamp }) => [url, stamp]));
    this.#thread = new Thread([...this.#loaded.keys()]);
  }

  /** The worker, if what it has loaded is what lies on the disk for these libraries. There is none from then on. */
  take(located: readonly Located[]): Thread | undefined {
    const thread = this.#thread;
    this.#thread = undefined;
    if (thread?.isAlive !== true) return undefined;
    if (this.#isOf(located)) return thread;
    void thread.end();
    return undefined;
  }

  /** Whether it has not loaded another copy of any of them. One that it has not loaded at all it can load. */
  #isOf(located: readonly Located[]): boolean {
    return located.every(({ url, stamp }) => (this.#loaded.get(url) ?? stamp) === stamp);
  }
}
