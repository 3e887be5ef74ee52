import type { Output } from "./io.js";

const CLEAR_LINE = "\r\u001b[2K";

/** Says at a terminal what takes time, on a line that is gone when it is done; elsewhere it says nothing. */
export class Progress {
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Shows what is being done while it is done. */
  async during<T>(what: string, work: () => Promise<T>): Promise<T> {
    if (this.#output.isTTY !== true) return await work();
    const width = (this.#output.columns ?? 80) - 1;
    this.#output.write(`${CLEAR_LINE}${what.slice(0, width)}`);
    try {
      return await work();
    } finally {
      this.#output.write(CLEAR_LINE);
    }
  }
}
