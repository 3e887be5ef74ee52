/** How many compiled patterns are kept: far more than a page's schemas have. */
const CAPACITY = 256;

/** Regular expressions for the kernel, which has no engine of its own where there is one already. */
export class PatternCache {
  readonly #compiled = new Map<string, RegExp | undefined>();

  /** Whether a pattern matches somewhere in a text: 1 if so, 0 if not, -1 where it is no pattern. */
  matches(pattern: string, text: string): -1 | 0 | 1 {
    const regexp = this.#compile(pattern);
    if (regexp === undefined) return -1;
    try {
      return regexp.test(text) ? 1 : 0;
    } catch {
      // Some engines give up on a text instead of taking forever. They have not found the pattern then.
      return 0;
    }
  }

  #compile(pattern: string): RegExp | undefined {
    if (!this.#compiled.has(pattern)) {
      if (this.#compiled.size === CAPACITY) this.#compiled.clear();
      this.#compiled.set(pattern, regexpOf(pattern));
    }
    return this.#compiled.get(pattern);
  }
}

/** With the `u` flag, as JSON Schema asks for it (draft 2020-12, core, 6.4). */
function regexpOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
