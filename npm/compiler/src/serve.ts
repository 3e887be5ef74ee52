import type { DevEnvironment, Plugin, ResolvedConfig, ViteDevServer } from "vite";
import type { NativeProof, Output } from "./binding.js";
import type { Compilation } from "./compilation.js";
import { createCompiledHook } from "./compiled.js";
import type { Bundler } from "./inquiry.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { ContractError } from "./refusal.js";

/**
 * The contract of an app that is served, by `vite dev` or by Vitest: what its production build would prove. It is
 * known before the first module is asked for, and follows the files.
 */
export class ServedContract {
  #config: ResolvedConfig;
  #options: () => AgentSurfaceCompilerOptions;
  #server: ViteDevServer | undefined;
  #prepared: Promise<void> | undefined;
  #state: State = { error: new Error("the contract is not proven yet") };
  /** Files that changed since the last look at them. */
  #changed = new Set<string>();
  #following: Promise<void> | undefined;
  /** Modules that were handed out with a part of the contract, or might have been. */
  #served = new Set<string>();
  /** How often the contract became another, and which of these times an environment was told of last. */
  #revision = 0;
  #told = new WeakMap<DevEnvironment, number>();
  #virtualId: string;

  /** `virtualId` is the virtual module's, as it is resolved. */
  constructor(config: ResolvedConfig, options: () => AgentSurfaceCompilerOptions, virtualId: string) {
    this.#config = config;
    this.#options = options;
    this.#virtualId = virtualId;
    addCompiledHook(
      config,
      createCompiledHook(() => this),
    );
  }

  /** Takes hold of the server, before it starts. */
  attach(server: ViteDevServer): void {
    this.#server = server;
  }

  /** Resolves when there is a verdict. A broken contract does not keep the server from starting. */
  prepare(): Promise<void> {
    this.#prepared ??= this.#begin();
    return this.#prepared;
  }

  async #begin(): Promise<void> {
    this.#state = await this.#prove();
    if ("error" in this.#state) this.#config.logger.error(this.#state.error.message, { timestamp: true });
  }

  async #prove(): Promise<State> {
    try {
      const { rehearse } = await import("./rehearsal.js");
      const compilation = await rehearse(this.#config, this.#options());
      return { compilation, digest: compilation.servedDigest() };
    } catch (error) {
      return { error: error instanceof Error ? error : new Error(String(error)) };
    }
  }

  /** Puts what was proven into a module as its author wrote it. */
  transform(bundler: Bundler, code: string, id: string): Promise<Output | undefined> {
    return this.#serve(bundler, code, id, false);
  }

  /** The same for a module as other plugins left it. */
  transformCompiled(bundler: Bundler, code: string, id: string): Promise<Output | undefined> {
    return this.#serve(bundler, code, id, true);
  }

  async #serve(bundler: Bundler, code: string, id: string, compiled: boolean): Promise<Output | undefined> {
    await this.#following;
    this.#served.add(id);
    if ("error" in this.#state) return undefined;
    return this.#state.compilation.serve(bundler, code, idOf(id), compiled);
  }

  /**
   * Source of the virtual module.
   * @throws the reason why there is no contract.
   */
  async authorityModule(): Promise<string> {
    await this.#following;
    if ("error" in this.#state) throw this.#state.error;
    const { compilation } = this.#state;
    const source = compilation.authorityModule();
    return compilation.render(source)?.code ?? source;
  }

  /** Looks at a file that was changed, added or removed; resolves when that is known which it makes of the contract. */
  follow(file: string): Promise<void> {
    // Every environment tells of the same change, all in one turn.
    this.#changed.add(file);
    this.#following ??= this.#look();
    return this.#following;
  }

  async #look(): Promise<void> {
    await this.#prepared;
    this.#changed.clear();
    this.#become(await this.#prove());
    this.#following = undefined;
  }

  #become(next: State): void {
    const before = this.#state;
    // What is no contract's fault Vite itself shows, where the module is asked for: a text that is half written,
    // mostly. What was proven before it holds until it can be read again.
    if ("error" in next && !(next.error instanceof ContractError) && !("error" in before)) return;
    this.#state = next;
    if (isSame(before, next)) return;
    this.#revision += 1;
    for (const { moduleGraph } of Object.values(this.#server?.environments ?? {})) {
      for (const id of [...this.#served, this.#virtualId]) {
        const module = moduleGraph.getModuleById(id);
        if (module !== undefined) moduleGraph.invalidateModule(module);
      }
    }
    this.#served.clear();
  }

  /**
   * Tells an environment what became of the contract: an empty list of modules, since all is loaded again, where
   * it is another; nothing where it is not.
   * @throws the report of a contract that was broken.
   */
  update(environment: DevEnvironment): [] | undefined {
    if (this.#revision === (this.#told.get(environment) ?? 0)) return undefined;
    this.#told.set(environment, this.#revision);
    if ("error" in this.#state) throw this.#state.error;
    environment.hot.send({ type: "full-reload", path: "*" });
    return [];
  }

  /** What the served contract was proven with; `undefined` while it is broken. */
  get proof(): NativeProof | undefined {
    return "error" in this.#state ? undefined : this.#state.compilation.proof;
  }
}

/** A proven contract, or why there is none. */
type State = { compilation: Compilation; digest: string | undefined } | { error: Error };

function isSame(one: State, other: State): boolean {
  if ("error" in one) return "error" in other && one.error.message === other.error.message;
  return !("error" in other) && one.digest === other.digest;
}

/**
 * In a server the second look has its place after the app's plugins and before Vite rewrites imports for the browser;
 * a hook cannot say that, the list of plugins can.
 */
function addCompiledHook(config: ResolvedConfig, hook: Plugin): void {
  const plugins = config.plugins as Plugin[];
  const at = plugins.findIndex(({ name }) => name === "vite:client-inject");
  const { transform } = hook;
  if (typeof transform === "object") delete transform.order;
  plugins.splice(at === -1 ? plugins.length : at, 0, hook);
}

/** A module's id as a build knows it: a server adds what tells a browser that a file is another than before. */
function idOf(id: string): string {
  return id.replace(/([?&])(?:t=\d+|v=[\da-f]+)(&|$)/g, (_, before: string, after: string) =>
    after === "&" ? before : "",
  );
}
