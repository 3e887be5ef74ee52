import type { Plugin } from "vite";
import type { Compilation } from "./compilation.js";
import { MENTION } from "./mention.js";
import { orNull } from "./output.js";

/**
 * The second look at a module, when all other plugins are through with it: a Vue or Svelte component is a script
 * only by then, and some contracts are there only by then. It is a plugin of its own because a plugin has one
 * `transform`, and the first look needs that.
 */
export function createCompiledHook(compilation: () => Compilation | undefined): Plugin {
  return {
    name: "agent-surface:compiled",
    transform: {
      order: "post",
      filter: { code: MENTION },
      handler(code, id) {
        // Rolldown has tested the filter; Rollup before 4.38 doesn't know filters.
        if (this.meta.rolldownVersion === undefined && !MENTION.test(code)) return null;
        const output = compilation()?.transformCompiled(this, code, id);
        return output instanceof Promise ? output.then(orNull) : orNull(output);
      },
    },
  };
}
