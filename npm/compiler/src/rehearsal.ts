import type { ResolvedConfig } from "vite";
import type { NativeProof, Output } from "./binding.js";
import type { Compilation } from "./compilation.js";
import type { Bundler } from "./inquiry.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { lendPlugins } from "./lent.js";
import { productionOf } from "./production.js";
import type { Look, Proving } from "./proving.js";
import { soleCause } from "./refusal.js";
import { createScan } from "./scan.js";
import { findVite } from "./vite.js";

/**
 * Proves an app by going through its production build up to the module graph, with the bundler itself and all of the
 * app's plugins: exact, whatever they do, and as slow as half a build, each time.
 */
export class Rehearsal implements Proving {
  readonly way = "scan";
  #config: ResolvedConfig;
  #options: AgentSurfaceCompilerOptions;
  #meta: { viteVersion?: string };
  #compilation: Compilation | undefined;

  constructor(config: ResolvedConfig, options: AgentSurfaceCompilerOptions, meta: { viteVersion?: string }) {
    this.#config = config;
    this.#options = options;
    this.#meta = meta;
  }

  async prove(): Promise<Look> {
    this.#compilation = await rehearse(this.#config, this.#options, this.#meta);
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

async function rehearse(
  config: ResolvedConfig,
  options: AgentSurfaceCompilerOptions,
  meta: { viteVersion?: string },
): Promise<Compilation> {
  const { target, externalContracts, rawTools } = options;
  const scan = createScan({
    ...(target === undefined ? {} : { target }),
    ...(externalContracts === undefined ? {} : { externalContracts }),
    ...(rawTools === undefined ? {} : { rawTools }),
    isRehearsal: true,
  });
  const vite = (await findVite(config.root, meta.viteVersion)) ?? (await import("vite"));
  const { build: buildOptions, ...production } = productionOf(config);
  const lent = await lendPlugins(vite, config);
  try {
    await vite.build({
      ...production,
      build: { ...buildOptions, write: false },
      plugins: [...lent, ...scan.plugins],
    });
  } catch (error) {
    if (scan.proof() === undefined) throw soleCause(error);
  }
  const compilation = scan.compilation();
  if (compilation?.proof === undefined)
    throw new Error("the build ended before its module graph was complete");
  return compilation;
}
