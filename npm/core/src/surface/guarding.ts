import type { AgentInvocationResult } from "../invocation.js";
import { isThenable, wrap, type Layer } from "./onion.js";

/** How policies ended: with what the outermost one returned, or with what it threw. */
export type Ending = { readonly returned: unknown } | { readonly thrown: unknown };

/**
 * The policies of one phase around one invocation. They let it pass or end it; those that let it pass wait in their
 * `next()` for what comes of it, and may make something else of that.
 */
export class Guarding {
  readonly #onPass: () => void;
  readonly #onEnd: (ending: Ending, hasPassed: boolean) => void;
  #outcome: Promise<AgentInvocationResult> | undefined;
  #resolve!: (result: AgentInvocationResult) => void;
  #reject!: (error: unknown) => void;
  #hasPassed = false;
  /** What the policies came to before the invocation did. */
  #early: Ending | undefined;
  #isUnwinding = false;

  /**
   * @param onPass called once, by the innermost `next()`
   * @param onEnd called once: when the policies end without letting the invocation pass, or else when they have ended
   * and {@link unwind} was called
   */
  constructor(onPass: () => void, onEnd: (ending: Ending, hasPassed: boolean) => void) {
    this.#onPass = onPass;
    this.#onEnd = onEnd;
  }

  /** Whether the invocation was let pass. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  /** Whether policies wait for what comes of the invocation. */
  get isWaiting(): boolean {
    return this.#outcome !== undefined && !this.#isUnwinding;
  }

  /** Calls the policies, the outermost first. */
  begin(layers: readonly Layer[]): void {
    try {
      const returned = wrap(layers, () => this.#core());
      if (isThenable(returned)) {
        Promise.resolve(returned).then(
          (value) => this.#end({ returned: value }),
          (thrown: unknown) => this.#end({ thrown }),
        );
      } else {
        this.#end({ returned });
      }
    } catch (thrown) {
      this.#end({ thrown });
    }
  }

  /** Lets the policies see what came of the invocation: a result, or what was thrown inside of them. */
  unwind(inner: { readonly result: AgentInvocationResult } | { readonly thrown: unknown }): void {
    if (this.#isUnwinding) return;
    this.#isUnwinding = true;
    void this.#promise();
    if ("result" in inner) this.#resolve(inner.result);
    else this.#reject(inner.thrown);
    if (this.#early !== undefined) this.#onEnd(this.#early, true);
  }

  #core(): Promise<AgentInvocationResult> {
    const outcome = this.#promise();
    // Policies that have ended it already can't let it pass any more.
    if (!this.#hasPassed && this.#early === undefined) {
      this.#hasPassed = true;
      this.#onPass();
    }
    return outcome;
  }

  #end(ending: Ending): void {
    if (!this.#hasPassed) {
      this.#early = ending;
      this.#onEnd(ending, false);
    } else if (this.#isUnwinding) {
      this.#onEnd(ending, true);
    } else {
      this.#early = ending;
    }
  }

  #promise(): Promise<AgentInvocationResult> {
    if (this.#outcome === undefined) {
      this.#outcome = new Promise((resolve, reject) => {
        this.#resolve = resolve;
        this.#reject = reject;
      });
      // A policy that does not wait for its next() need not handle what is thrown there.
      this.#outcome.catch(() => undefined);
    }
    return this.#outcome;
  }
}
