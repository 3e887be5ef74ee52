import type { ResolvedConfig } from "vite";
import type { Compilation } from "./compilation.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { productionOf } from "./production.js";
import { soleCause } from "./refusal.js";
import { createScan } from "./scan.js";

/**
 * Goes through a production build up to its module graph, with the bundler itself and all of the app's plugins: exact,
 * whatever they do, and as slow as half a build.
 * @throws whatever a build would.
 */
export async function rehearse(
  config: ResolvedConfig,
  options: AgentSurfaceCompilerOptions,
): Promise<Compilation> {
  const { target, externalContracts, rawTools } = options;
  const scan = createScan({
    ...(target === undefined ? {} : { target }),
    ...(externalContracts === undefined ? {} : { externalContracts }),
    ...(rawTools === undefined ? {} : { rawTools }),
    isRehearsal: true,
  });
  // Only here: with Rolldown or Rollup alone there is no Vite to import.
  const { build } = await import("vite");
  const { build: buildOptions, ...production } = productionOf(config);
  // The serving instance must not be configured once more; plugins of the config file are made anew.
  const inline = flatten(config.inlineConfig.plugins);
  const others = inline.filter((plugin) => !/^(?:vitest\b|agent-surface:)/.test(plugin?.name ?? ""));
  try {
    await build({
      ...production,
      build: { ...buildOptions, write: false },
      plugins: [...(others as []), ...scan.plugins],
    });
  } catch (error) {
    if (scan.proof() === undefined) throw soleCause(error);
  }
  const compilation = scan.compilation();
  if (compilation?.proof === undefined)
    throw new Error("the build ended before its module graph was complete");
  return compilation;
}

function flatten(plugins: unknown): ({ name?: string } | null)[] {
  return Array.isArray(plugins) ? plugins.flatMap(flatten) : [plugins as { name?: string } | null];
}
