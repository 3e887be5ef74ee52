import type { ResolvedConfig } from "vite";
import type { Explanation, NativeProof, Neighbour, Output } from "./binding.js";
import type { Part } from "./environments.js";
import type { Bundler } from "./inquiry.js";
import { Unmirrored } from "./mirror.js";
import { native } from "./native.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import type { Look, Proving } from "./proving.js";
import { ContractError } from "./refusal.js";
import { fileTime } from "./vigil.js";

/**
 * Finds out what the production build of one environment would prove, and goes on doing so: by a crawl, or by a scan of
 * the bundler's where the crawl does not lead to its end.
 */
export class Prover {
  readonly environment: string;
  #part: Part;
  #options: AgentSurfaceCompilerOptions;
  #config: ResolvedConfig;
  #meta: { viteVersion?: string | undefined };
  #isSole: boolean;
  #proving: Proving | undefined;
  /** Ends with the last look. */
  #looking: Promise<unknown> = Promise.resolve();
  /** When the last look began. */
  #looked = 0;
  /** Why the environment is not crawled, if it is not. */
  #obstacle: string | undefined;

  /** `isSole` says that its app has no other. */
  constructor(
    part: Part,
    config: ResolvedConfig,
    options: AgentSurfaceCompilerOptions,
    meta: { viteVersion?: string | undefined },
    isSole: boolean,
  ) {
    this.#isSole = isSole;
    this.environment = part.name;
    this.#part = part;
    this.#config = config;
    this.#options = options;
    this.#meta = meta;
  }

  /**
   * Looks at the whole environment, or at what changed since this last did. One look follows upon another: a watcher may
   * begin a build before the last one has ended.
   * @throws ContractError for a contract that is refused, anything else for a graph that has no end.
   */
  prove(): Promise<Look> {
    const look = this.#looking.then(() => this.#time());
    this.#looking = look.catch(() => undefined);
    return look;
  }

  async #time(): Promise<Look> {
    const started = performance.now();
    this.#looked = fileTime();
    try {
      return await this.#look();
    } finally {
      const took = (performance.now() - started).toFixed(0);
      const way = this.#proving?.way ?? "crawl";
      const whose = this.environment === "client" ? "" : ` of \`${this.environment}\``;
      const reason = this.#obstacle === undefined ? "" : `, since a crawl cannot: ${this.#obstacle}`;
      const left = this.#proving?.left ?? [];
      const unread =
        left.length === 0
          ? ""
          : `, without what could not be loaded: ${left.map((id) => id.replace("\0", "")).join(", ")}`;
      this.#tell(`looked at the contract${whose} by a ${way} in ${took} ms${reason}${unread}`);
    }
  }

  async #look(): Promise<Look> {
    try {
      if (this.#proving === undefined) {
        const { crawl } = await import("./crawl.js");
        const { command, server, build } = this.#config;
        const goesOn = command === "serve" ? server.watch !== null : Boolean(build.watch);
        this.#proving = await crawl(this.#part, this.#options, this.#meta, { goesOn, isSole: this.#isSole });
      }
      return await this.#proving.prove();
    } catch (error) {
      if (!this.#mayScan(error)) throw error;
      this.#obstacle = error instanceof Error ? error.message : String(error);
      const { Rehearsal } = await import("./rehearsal.js");
      this.#proving = new Rehearsal(this.#part, this.#config, this.#options, this.#meta, this.#isSole);
      return this.#proving.prove();
    }
  }

  /** In a build the bundler's word on a module that cannot be read is better than the crawl's. */
  #mayScan(error: unknown): boolean {
    if (error instanceof Unmirrored) return true;
    return (
      this.#config.command === "build" && this.#proving?.way !== "scan" && !(error instanceof ContractError)
    );
  }

  #tell(text: string): void {
    if (isDebugged()) this.#config.logger.info(`agent-surface: ${text}`, { timestamp: true });
  }

  /**
   * Makes one contract of what was proven here and in others.
   * @throws ContractError where they contradict each other.
   */
  unite(others: Neighbour[]): NativeProof | undefined {
    return this.#proving?.unite(this.environment, others);
  }

  /** Lets go of all that was looked at, after the last look: nobody will want more than the proof that was taken. */
  release(): void {
    this.#looking = this.#letGoAfter(this.#looking);
  }

  async #letGoAfter(looking: Promise<unknown>): Promise<void> {
    await looking;
    this.#proving?.release();
    this.#proving = undefined;
  }

  /** How a proven capability came about, once for each declaration of it. */
  async explain(capabilityId: string): Promise<Explanation[]> {
    return (await this.#proving?.explain(capabilityId)) ?? [];
  }

  noteChange(file: string, cameOrWent: boolean): void {
    this.#proving?.noteChange(file, cameOrWent);
  }

  serve(
    bundler: Bundler,
    code: string,
    id: string,
    compiled: boolean,
  ): Output | undefined | Promise<Output | undefined> {
    return this.#proving?.serve(bundler, code, id, compiled);
  }

  /** The names of what a module that was served declares and nothing proved here. */
  findUnproven(code: string, id: string, compiled: boolean): string[] {
    return this.#proving?.findUnproven(code, id, compiled) ?? [];
  }

  authorityModule(): string {
    return this.#proving?.authorityModule() ?? "";
  }

  get digest(): string | undefined {
    return this.#proving?.digest;
  }

  /** What was proven here alone. */
  get proof(): NativeProof | undefined {
    return this.#proving?.proof;
  }

  /** Whether any of the files that were looked at, or of these, changed since. */
  isOutdated(others: readonly string[]): boolean {
    const changed = [...this.changedSince(this.#looked), ...native().changedSince(this.#looked, [...others])];
    return changed.length > 0;
  }

  /** Files that the contract may depend on. */
  files(): string[] {
    return this.#proving?.files() ?? [];
  }

  /** Those of the files that were changed at this {@link fileTime} or later. */
  changedSince(time: number): string[] {
    return this.#proving?.changedSince(time) ?? [];
  }
}

/** Whether somebody wants to know what happens, in the way that Vite's own parts are asked. */
function isDebugged(): boolean {
  return /(?:^|,)(?:\*|agent-surface)(?:,|$)/.test(process.env["DEBUG"] ?? "");
}
