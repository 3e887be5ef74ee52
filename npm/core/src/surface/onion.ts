import type { AgentInvocationResult } from "../invocation.js";

/** What a policy does with an invocation: `next` lets it pass, and gives what came of it. */
export type Layer = (next: () => Promise<AgentInvocationResult>) => unknown;

/**
 * Layers around an invocation, the outermost first: each is called by the `next()` of the one before it, the
 * innermost one's `next` is `core`. What comes back is what the outermost layer returns.
 *
 * A `next()` that is called a second time is a mistake of its policy, and rejects.
 */
export function wrap(layers: readonly Layer[], core: () => Promise<AgentInvocationResult>): unknown {
  const enter = (index: number): unknown => {
    const layer = layers[index];
    if (layer === undefined) return core();
    let isCalled = false;
    return layer(() => {
      if (isCalled) return Promise.reject(new Error("a policy called next() twice"));
      isCalled = true;
      return promiseOf(() => enter(index + 1));
    });
  };
  return enter(0);
}

/** Calls `work`: what it throws, rejects; what it returns, a promise or not, is what the promise resolves to. */
function promiseOf(work: () => unknown): Promise<AgentInvocationResult> {
  try {
    return Promise.resolve(work() as AgentInvocationResult);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Whether a value has to be waited for. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    (typeof value === "object" || typeof value === "function") &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
