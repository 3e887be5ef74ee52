/** How long the plugin itself holds the main thread, told apart from the bundler that it waits for. */
import { native } from "../../../npm/compiler/dist/native.js";

/** @typedef {ReturnType<typeof stopwatch>} Stopwatch */

/** Adds up the time of calls; one within another is part of it and counts once. */
export function stopwatch() {
  let total = 0;
  let depth = 0;
  let started = 0;
  let rounds = 0;
  return {
    /** In milliseconds. */
    total: () => total,
    /** How often the bundler was asked. */
    rounds: () => rounds,
    countRound: () => {
      rounds += 1;
    },
    /**
     * Takes the time until `call` returns; of an asynchronous one, that is until it first waits.
     * @template T
     * @param {() => T} call
     * @returns {T}
     */
    time(call) {
      if (depth === 0) started = performance.now();
      depth += 1;
      try {
        return call();
      } finally {
        depth -= 1;
        if (depth === 0) total += performance.now() - started;
      }
    },
  };
}

/**
 * Takes the time of each hook until it first waits, and of each call into the addon, which never waits. What is not
 * counted is the little JavaScript that carries answers from the bundler to the addon; what is counted too much
 * is whatever interrupts the thread, since Node can't tell one thread's CPU time.
 * @param {import("@agent-surface/compiler").AgentSurfacePlugin} plugin
 * @param {Stopwatch} clock
 * @returns {import("vite").Plugin}
 */
export function watch(plugin, clock) {
  watchMethods(native().Session.prototype, clock);
  const hooks = /** @type {import("vite").Plugin & Record<string, unknown>} */ (
    /** @type {unknown} */ (plugin)
  );
  for (const [name, hook] of Object.entries(hooks)) {
    if (typeof hook === "function") hooks[name] = timed(hook, clock);
    else if (isHandled(hook)) hooks[name] = { ...hook, handler: timed(hook.handler, clock) };
  }
  return hooks;
}

/**
 * @param {object} prototype
 * @param {Stopwatch} clock
 */
function watchMethods(prototype, clock) {
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === "constructor" || typeof descriptor.value !== "function") continue;
    const call = timed(descriptor.value, clock);
    const value = name === "answer" ? counted(call, clock) : call;
    Object.defineProperty(prototype, name, { ...descriptor, value });
  }
}

/**
 * Counts calls: each is a round of questions.
 * @param {Function} call
 * @param {Stopwatch} clock
 */
function counted(call, clock) {
  /** @this {unknown} @param {unknown[]} args */
  return function (...args) {
    clock.countRound();
    return Reflect.apply(call, this, args);
  };
}

/**
 * @param {Function} call
 * @param {Stopwatch} clock
 */
function timed(call, clock) {
  /** @this {unknown} @param {unknown[]} args */
  return function (...args) {
    return clock.time(() => Reflect.apply(call, this, args));
  };
}

/**
 * @param {unknown} hook
 * @returns {hook is { handler: Function }}
 */
function isHandled(hook) {
  return typeof hook === "object" && hook !== null && "handler" in hook && typeof hook.handler === "function";
}
