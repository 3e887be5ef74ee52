import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { DevEnvironment, Plugin, ResolvedConfig, ViteDevServer } from "vite";
import type { NativeProof, Output } from "./binding.js";
import { createCompiledHook } from "./compiled.js";
import { askAnew } from "./contributors.js";
import type { Bundler } from "./inquiry.js";
import { findParts } from "./environments.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { isVitest } from "./production.js";
import { Prover } from "./prover.js";
import { ContractError } from "./refusal.js";
import { inEnvironment } from "./union.js";
import { fileTime } from "./vigil.js";

/**
 * The contract of an app that is served, by `vite dev` or by Vitest: what its production build would prove. It is
 * known before the first module is asked for, and follows the files.
 */
export class ServedContract {
  #config: ResolvedConfig;
  #options: () => AgentSurfaceCompilerOptions;
  #server: ViteDevServer | undefined;
  #prepared: Promise<void> | undefined;
  #meta: { viteVersion?: string } = {};
  #state: State = { error: new Error("the contract is not proven yet") };
  /** One for each environment that has an entry, the page's first. */
  #provers: readonly Prover[] = [];
  #proof: NativeProof | undefined;
  /** Files that changed since the last look at them, and whether one came or went. */
  #changes = new Map<string, boolean>();
  #following: Promise<void> | undefined;
  /** Modules that were handed out with a part of the contract, or might have been. */
  #served = new Set<string>();
  /** How often the contract became another, and which of these times an environment was told of last. */
  #revision = 0;
  #told = new WeakMap<DevEnvironment, number>();
  /** Files whose last change had a part in which revision. */
  #covered = new Map<string, number>();
  #virtualId: string;
  /** When the first look began, once it is over and nothing was handed out yet. */
  #looked: number | undefined;
  /** Modules that were warned of. */
  #lost = new Set<string>();

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
    server.middlewares.use(askAnew(this.#options().externalContracts));
  }

  /** Resolves when there is a verdict. A broken contract does not keep the server from starting. */
  prepare(meta: { viteVersion?: string }): Promise<void> {
    this.#prepared ??= this.#begin(meta);
    return this.#prepared;
  }

  async #begin(meta: { viteVersion?: string }): Promise<void> {
    this.#meta = meta;
    const began = fileTime();
    this.#state = await this.#look();
    this.#looked = began;
    if (this.#state.error instanceof ContractError) this.#report();
  }

  /** Says at the terminal what the files made of the contract: Vite is silent of what a plugin tells the page. */
  #report(files: Iterable<string> = []): void {
    const { logger, root } = this.#config;
    if (this.#state.error !== undefined) {
      logger.error(this.#state.error.message, { timestamp: true });
      return;
    }
    const names = Array.from(files, (file) => relative(root, file).replaceAll("\\", "/"));
    logger.info(`agent-surface: page reload, the contract changed with ${names.join(", ")}`, {
      timestamp: true,
    });
  }

  /** @throws Error where the app has no beginning, or its production config none that can be made. */
  async #findProvers(): Promise<Prover[]> {
    const { viteVersion } = this.#meta;
    const parts = await findParts({ config: this.#config, server: this.#server, viteVersion });
    if (parts.length === 0) throw new Error(NO_ENTRY);
    const isSole = parts.length === 1;
    return parts.map((part) => new Prover(part, this.#config, this.#options(), this.#meta, isSole));
  }

  /** Proves the contract of each environment, and makes one of all. */
  async #look(): Promise<State> {
    try {
      // Not found before, they may be now.
      if (this.#provers.length === 0) this.#provers = await this.#findProvers();
      // All, whether or not one is broken: each follows the files from there.
      const errors: unknown[] = [];
      for (const prover of this.#provers) {
        // oxlint-disable-next-line no-await-in-loop
        await prover.prove().catch((error: unknown) => {
          errors.push(this.#provers.length > 1 ? inEnvironment(prover.environment, error) : error);
        });
      }
      if (errors.length > 0) throw errors[0];
      this.#unite();
      this.#watch();
      return { digest: this.#provers.map(({ digest }) => digest).join() };
    } catch (error) {
      return { error: error instanceof Error ? error : Object.assign(new Error(), error) };
    }
  }

  /** @throws ContractError where the environments contradict each other. */
  #unite(): void {
    const proven = this.#provers.flatMap(({ environment, proof }) =>
      proof === undefined ? [] : [{ environment, proof }],
    );
    this.#proof = proven[0]?.proof;
    if (proven.length < 2) return;
    const united = this.#provers.map((prover) =>
      prover.unite(proven.filter(({ environment }) => environment !== prover.environment)),
    );
    this.#proof = united[0];
  }

  /**
   * Vite watches the root by itself, but for what is installed there, of which only contract files are asked for; what is
   * linked from elsewhere it watches once it was served.
   */
  #watch(): void {
    const root = `${this.#config.root}/`;
    const files = this.#provers.flatMap((prover) => prover.files());
    const outside = files.filter((file) => !file.startsWith(root) || file.includes("/node_modules/"));
    if (outside.length > 0) this.#server?.watcher.add(outside);
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
    await this.#settle();
    this.#served.add(id);
    if (this.#state.error !== undefined) return undefined;
    // First the environment that asks; Vitest's and those of other tools serve modules of the app's, too.
    const { environment } = bundler as { environment?: { name: string } };
    const isAsking = (prover: Prover) => prover.environment === environment?.name;
    for (const prover of [
      ...this.#provers.filter(isAsking),
      ...this.#provers.filter((it) => !isAsking(it)),
    ]) {
      // oxlint-disable-next-line no-await-in-loop
      const output = await prover.serve(bundler, code, idOf(id), compiled);
      if (output !== undefined) return output;
    }
    this.#warnOfUnproven(code, id, compiled);
    return undefined;
  }

  /** Tells, once, of a module that declares what is not in the contract. In tests it is no wonder. */
  #warnOfUnproven(code: string, id: string, compiled: boolean): void {
    if (this.#lost.has(idOf(id)) || isVitest(this.#config)) return;
    const lists = this.#provers.map((prover) => prover.findUnproven(code, idOf(id), compiled));
    const [names = [], ...others] = lists;
    const lost = names.filter((name) => others.every((list) => list.includes(name)));
    if (lost.length === 0) return;
    this.#lost.add(idOf(id));
    this.#config.logger.warn(`agent-surface: ${lost.map((name) => `\`${name}\``).join(", ")} ${LOST}`, {
      timestamp: true,
    });
  }

  /**
   * Source of the virtual module.
   * @throws the reason why there is no contract.
   */
  async authorityModule(): Promise<string> {
    await this.#settle();
    if (this.#state.error !== undefined) throw this.#state.error;
    return this.#provers[0]?.authorityModule() ?? "";
  }

  /** Looks at a file that was changed, added or removed; resolves when it is known what it makes of the contract. */
  follow(file: string, event: "create" | "update" | "delete"): Promise<void> {
    // What comes before the first look is seen by it.
    if (this.#prepared === undefined) return Promise.resolve();
    // Every environment tells of the same change, all in one turn.
    this.#covered.delete(file);
    this.#changes.set(file, event !== "update" || this.#changes.get(file) === true);
    this.#following ??= this.#catchUp();
    return this.#following;
  }

  /**
   * Resolves when there is a verdict of the files as they are. Before the first module is handed out they are asked
   * themselves: what changed while the server started, its watcher may not have heard.
   */
  async #settle(): Promise<void> {
    if (this.#looked !== undefined) {
      const looked = this.#looked;
      this.#looked = undefined;
      for (const file of this.#provers.flatMap((prover) => prover.changedSince(looked)))
        this.#changes.set(file, !existsSync(file));
      if (this.#changes.size > 0) this.#following ??= this.#catchUp();
    }
    await this.#following;
  }

  async #catchUp(): Promise<void> {
    await this.#prepared;
    const before = this.#revision;
    const files = new Set<string>();
    while (this.#changes.size > 0) {
      for (const [file, cameOrWent] of this.#changes) {
        for (const prover of this.#provers) prover.noteChange(file, cameOrWent);
        files.add(file);
      }
      this.#changes.clear();
      // oxlint-disable-next-line no-await-in-loop
      this.#become(await this.#look());
    }
    this.#following = undefined;
    if (this.#revision === before) return;
    for (const file of files) this.#covered.set(file, this.#revision);
    this.#report(files);
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
   * Tells an environment, for the sake of a file, what became of the contract: an empty list of modules, since all is
   * loaded again, where it is another; nothing where it is not.
   * @throws the report of a contract that was broken.
   */
  update(environment: DevEnvironment, file: string): [] | undefined {
    if (this.#revision === (this.#told.get(environment) ?? 0)) {
      // What changed together with the contract was told of with it.
      return this.#covered.get(file) === this.#revision ? [] : undefined;
    }
    this.#told.set(environment, this.#revision);
    if (this.#state.error !== undefined) throw this.#state.error;
    environment.hot.send({ type: "full-reload", path: "*" });
    return [];
  }

  /** What the served contract was proven with; `undefined` while it is broken. */
  get proof(): NativeProof | undefined {
    return this.#state.error === undefined ? this.#proof : undefined;
  }
}

/** What was proven, or why nothing was. */
type State = { digest: string | undefined; error?: undefined } | { error: Error };

function isSame(one: State, other: State): boolean {
  if (one.error !== undefined) return one.error.message === other.error?.message;
  return other.error === undefined && one.digest === other.digest;
}

/** What is to be said of a declaration that no entry leads to. */
const LOST =
  "is served and not in the contract: nothing that a build begins at leads to it, as far as the config and its plugins say. " +
  "Where it is part of a build, name that one's entry in `build.rollupOptions.input`, of its environment if it has one.";

/** What is wrong with an app that has no beginning. */
const NO_ENTRY =
  "there is no index.html, and build.rollupOptions.input names no entry: where the app begins is not known, " +
  "and neither is its contract";

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
