import type { ResolvedConfig } from "vite";
import type { Explanation, NativeProof, Neighbour, Output } from "./binding.js";
import type { Compilation } from "./compilation.js";
import type { Part } from "./environments.js";
import type { Bundler } from "./inquiry.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { givenPlugins, lendPlugins } from "./lent.js";
import { native } from "./native.js";
import type { Look, Proving } from "./proving.js";
import { soleCause } from "./refusal.js";
import { createScan, type Scan } from "./scan.js";
import { findVite } from "./vite.js";

/**
 * Proves an environment of an app by going through its production build up to the module graph, with the bundler
 * itself and all of the app's plugins: exact, whatever they do, and as slow as half a build, each time.
 */
export class Rehearsal implements Proving {
  readonly way = "scan";
  #part: Part;
  #config: ResolvedConfig;
  #options: AgentSurfaceCompilerOptions;
  #meta: { viteVersion?: string | undefined };
  #compilation: Compilation | undefined;
  #proof: NativeProof | undefined;
  #files: readonly string[] = [];
  #left: readonly string[] = [];
  #isSole: boolean;

  /** `isSole` says that its app has no other. */
  constructor(
    part: Part,
    config: ResolvedConfig,
    options: AgentSurfaceCompilerOptions,
    meta: { viteVersion?: string | undefined },
    isSole: boolean,
  ) {
    this.#isSole = isSole;
    this.#part = part;
    this.#config = config;
    this.#options = options;
    this.#meta = meta;
  }

  async prove(): Promise<Look> {
    const scan = await this.#rehearse();
    this.#compilation = scan.compilation();
    this.#proof = this.#compilation?.proof;
    this.#files = scan.files();
    this.#left = scan.left();
    return "proven";
  }

  unite(environment: string, others: Neighbour[]): NativeProof | undefined {
    return this.#compilation?.unite(environment, others);
  }

  release(): void {
    this.#compilation?.release();
    this.#compilation = undefined;
  }

  async explain(capabilityId: string): Promise<Explanation[]> {
    // Only a build that is under way can be asked.
    const scan = await this.#rehearse(capabilityId);
    return [...scan.explanations()];
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

  findUnproven(code: string, id: string, compiled: boolean): string[] {
    return this.#compilation?.findUnproven(code, id, compiled) ?? [];
  }

  authorityModule(): string {
    const source = this.#compilation?.authorityModule() ?? "";
    return this.#compilation?.render(source)?.code ?? source;
  }

  get digest(): string | undefined {
    return this.#compilation?.servedDigest();
  }

  get proof(): NativeProof | undefined {
    return this.#proof;
  }

  files(): string[] {
    return [...this.#files];
  }

  changedSince(time: number): string[] {
    return native().changedSince(time, this.files());
  }

  get left(): readonly string[] {
    return this.#left;
  }

  async #rehearse(explain?: string): Promise<Scan> {
    const { name, inline, isDefault } = this.#part;
    const { target, externalContracts, rawTools } = this.#options;
    const isServed = this.#config.command === "serve";
    const scan = createScan({
      ...(target === undefined ? {} : { target }),
      ...(externalContracts === undefined ? {} : { externalContracts }),
      ...(rawTools === undefined ? {} : { rawTools }),
      ...(explain === undefined ? {} : { explain }),
      isAlone: true,
      isServed,
      mayLeave: !this.#isSole,
    });
    const vite = (await findVite(this.#config.root, this.#meta.viteVersion)) ?? (await import("vite"));
    const { build: buildOptions, ...production } = inline;
    // Those of a config file are made anew. For its environments Vite itself configures a builder's others once more.
    const given = isServed ? await lendPlugins(vite, this.#config) : await givenPlugins(this.#config);
    try {
      const builder = await vite.createBuilder(
        {
          ...production,
          build: { ...buildOptions, write: false },
          plugins: [...given, ...scan.plugins],
        },
        isDefault,
      );
      const environment = builder.environments[name];
      if (environment === undefined) throw new Error(`a build of this app has no environment \`${name}\``);
      await builder.build(environment);
    } catch (error) {
      if (scan.proof() === undefined) throw soleCause(error);
    }
    if (scan.compilation()?.proof === undefined)
      throw new Error("the build ended before its module graph was complete");
    return scan;
  }
}
