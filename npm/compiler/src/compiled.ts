import type { Plugin } from "vite";
import type { Output } from "./binding.js";
import type { Bundler } from "./inquiry.js";
import { MENTION } from "./mention.js";
import { orNull } from "./output.js";

/** What the second look hands its modules to. */
interface Compiler {
  transformCompiled(
    bundler: Bundler,
    code: string,
    id: string,
  ): Output | undefined | Promise<Output | undefined>;
}

/**
 * The second look at a module, when all other plugins are through with it: a Vue or Svelte component is a script
 * only by then, and some contracts are there only by then. It is a plugin of its own because a plugin has one
 * `transform`, and the first look needs that.
 */
export function createCompiledHook(compilation: () => Compiler | undefined): Plugin {
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
