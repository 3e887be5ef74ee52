import type { ResolvedConfig } from "vite";
import type { NativeProof, Output } from "./binding.js";
import type { Compilation } from "./compilation.js";
import type { Bundler } from "./inquiry.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { productionOf } from "./production.js";
import type { Look, Proving } from "./proving.js";
import { soleCause } from "./refusal.js";
import { createScan } from "./scan.js";

/**
 * Proves an app by going through its production build up to the module graph, with the bundler itself and all of the
 * app's plugins: exact, whatever they do, and as slow as half a build, each time.
 */
export class Rehearsal implements Proving {
  readonly way = "scan";
  #config: ResolvedConfig;
  #options: AgentSurfaceCompilerOptions;
  #compilation: Compilation | undefined;

  constructor(config: ResolvedConfig, options: AgentSurfaceCompilerOptions) {
    this.#config = config;
    this.#options = options;
  }

  async prove(): Promise<Look> {
    this.#compilation = await rehearse(this.#config, this.#options);
    return "proven";
  }

  noteChange(): void {
    // Every look is at everything.
  }

  serve(
    bundler: Bundler,
    code: string,
    id: string,
    compiled: boolean,
  ): Output | undefined | Promise<Output | undefined> {
    return this.#compilation?.serve(bundler, code, id, compiled);
  }

  authorityModule(): string {
    const source = this.#compilation?.authorityModule() ?? "";
    return this.#compilation?.render(source)?.code ?? source;
  }

  get digest(): string | undefined {
    return this.#compilation?.servedDigest();
  }

  get proof(): NativeProof | undefined {
    return this.#compilation?.proof;
  }

  files(): string[] {
    return [];
  }
}

async function rehearse(config: ResolvedConfig, options: AgentSurfaceCompilerOptions): Promise<Compilation> {
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
  const others = flatten(config.inlineConfig.plugins).filter(
    (plugin) => !/^(?:vitest\b|agent-surface:)/.test(plugin?.name ?? ""),
  );
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
