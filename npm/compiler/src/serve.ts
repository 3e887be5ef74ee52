import type { DevEnvironment, Plugin, ResolvedConfig, ViteDevServer } from "vite";
import type { NativeProof, Output } from "./binding.js";
import { createCompiledHook } from "./compiled.js";
import type { Bundler } from "./inquiry.js";
import { Unmirrored } from "./mirror.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import type { Proving } from "./proving.js";
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
  #proving: Proving | undefined;
  /** Files that changed since the last look at them, and whether one came or went. */
  #changes = new Map<string, boolean>();
  #following: Promise<void> | undefined;
  /** Modules that were handed out with a part of the contract, or might have been. */
  #served = new Set<string>();
  /** How often the contract became another, and which of these times an environment was told of last. */
  #revision = 0;
  #told = new WeakMap<DevEnvironment, number>();
  #virtualId: string;
  #meta: { viteVersion?: string } = {};
  /** Why the app is not crawled, if it is not. */
  #obstacle: string | undefined;

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
  prepare(meta: { viteVersion?: string }): Promise<void> {
    this.#prepared ??= this.#begin(meta);
    return this.#prepared;
  }

  async #begin(meta: { viteVersion?: string }): Promise<void> {
    this.#meta = meta;
    this.#state = await this.#look(async () => {
      const { crawl } = await import("./crawl.js");
      return crawl(this.#config, this.#server, this.#options(), meta);
    });
    const { error } = this.#state;
    if (error instanceof ContractError) this.#config.logger.error(error.message, { timestamp: true });
  }

  /** Proves the contract; by a scan of the bundler's where the way that was begun with does not lead to its end. */
  async #look(begin?: () => Promise<Proving>): Promise<State> {
    const started = performance.now();
    try {
      try {
        if (begin !== undefined) this.#proving = await begin();
        await this.#proving?.prove();
      } catch (error) {
        if (!(error instanceof Unmirrored)) throw error;
        this.#obstacle = error.message;
        const { Rehearsal } = await import("./rehearsal.js");
        this.#proving = new Rehearsal(this.#config, this.#options(), this.#meta);
        await this.#proving.prove();
      }
      this.#watch();
      return { digest: this.#proving?.digest };
    } catch (error) {
      return { error: error instanceof Error ? error : Object.assign(new Error(), error) };
    } finally {
      const took = (performance.now() - started).toFixed(0);
      const reason = this.#obstacle === undefined ? "" : `, since a crawl cannot: ${this.#obstacle}`;
      this.#tell(`looked at the contract by a ${this.#proving?.way ?? "crawl"} in ${took} ms${reason}`);
    }
  }

  /** Vite watches the root by itself; what is linked from elsewhere it watches once it was served. */
  #watch(): void {
    const root = `${this.#config.root}/`;
    const outside = this.#proving?.files().filter((file) => !file.startsWith(root)) ?? [];
    if (outside.length > 0) this.#server?.watcher.add(outside);
  }

  #tell(text: string): void {
    if (isDebugged()) this.#config.logger.info(`agent-surface: ${text}`, { timestamp: true });
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
    if (this.#state.error !== undefined) return undefined;
    return this.#proving?.serve(bundler, code, idOf(id), compiled);
  }

  /**
   * Source of the virtual module.
   * @throws the reason why there is no contract.
   */
  async authorityModule(): Promise<string> {
    await this.#following;
    if (this.#state.error !== undefined) throw this.#state.error;
    return this.#proving?.authorityModule() ?? "";
  }

  /** Looks at a file that was changed, added or removed; resolves when it is known what it makes of the contract. */
  follow(file: string, event: "create" | "update" | "delete"): Promise<void> {
    // What comes before the first look is seen by it.
    if (this.#prepared === undefined) return Promise.resolve();
    // Every environment tells of the same change, all in one turn.
    this.#changes.set(file, event !== "update" || this.#changes.get(file) === true);
    this.#following ??= this.#catchUp();
    return this.#following;
  }

  async #catchUp(): Promise<void> {
    await this.#prepared;
    while (this.#changes.size > 0) {
      for (const [file, cameOrWent] of this.#changes) this.#proving?.noteChange(file, cameOrWent);
      this.#changes.clear();
      // oxlint-disable-next-line no-await-in-loop
      this.#become(await this.#look());
    }
    this.#following = undefined;
  }

  #become(next: State): void {
    const before = this.#state;
    // What is no contract's fault Vite itself shows, where the module is asked for: a text that is half written,
    // mostly. What was proven before it holds until it can be read again.
    const isReadable = next.error === undefined || next.error instanceof ContractError;
    if (!isReadable && before.error === undefined) return;
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
    if (this.#state.error !== undefined) throw this.#state.error;
    environment.hot.send({ type: "full-reload", path: "*" });
    return [];
  }

  /** What the served contract was proven with; `undefined` while it is broken. */
  get proof(): NativeProof | undefined {
    return this.#state.error === undefined ? this.#proving?.proof : undefined;
  }
}

/** What was proven, or why nothing was. */
type State = { digest: string | undefined; error?: undefined } | { error: Error };

function isSame(one: State, other: State): boolean {
  if (one.error !== undefined) return one.error.message === other.error?.message;
  return other.error === undefined && one.digest === other.digest;
}

/** Whether somebody wants to know what happens, in the way that Vite's own parts are asked. */
function isDebugged(): boolean {
  return /(?:^|,)(?:\*|agent-surface)(?:,|$)/.test(process.env["DEBUG"] ?? "");
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
