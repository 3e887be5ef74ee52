import { existsSync } from "node:fs";
import type { Environment, ResolvedConfig } from "vite";
import type { Explanation, NativeProof, Neighbour } from "./binding.js";
import type { Compilation } from "./compilation.js";
import { findParts, type Part } from "./environments.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { Prover } from "./prover.js";
import { ContractError } from "./refusal.js";
import type { Vigil } from "./vigil.js";

/** What came of an environment, as a part of its app. */
export interface Joined {
  /** Whether it is the one of what is built of its app that writes the contract. */
  writes: boolean;
  /** Whether it is the first of its app to have the contract, which is told once. */
  isFirst: boolean;
}

/** What a build knows of the Vite that runs it. */
interface Meta {
  viteVersion?: string | undefined;
}

/**
 * An app while it is built, with all of its environments. They are bundled one by one or at once, each without the others,
 * and each ships the contract of all. So the first that has its graph finds out what the others will prove, by
 * rehearsals; and what the others then do prove has to be that.
 *
 * Nobody waits here for a build: some are never begun.
 */
export class App {
  #parts: Promise<readonly Part[]> | undefined;
  /** Those whose environments were rehearsed; a watcher's go on with what they know. */
  #provers = new Map<string, Prover>();
  /** The files of those whose builds are watched. */
  #files = new Map<string, readonly string[]>();
  #vigils = new Map<string, Vigil>();
  #round = new Round();
  /** What builds of it have in common, be their configs made of one another or not. */
  #key = "";
  /** The environments whose output is being written. */
  #writing = new Set<string>();
  #manifest: string | undefined;

  /** The app that a config is one of. Vite makes a config for each environment, out of one that was given. */
  static of(config: ResolvedConfig): App {
    const app = apps.get(config.inlineConfig) ?? new App();
    apps.set(config.inlineConfig, app);
    app.#key = [config.root, config.configFile, config.mode].join("\n");
    return app;
  }

  /** Takes note of one more config: all of an app's are made before the first of its builds begins. */
  static configure(config: ResolvedConfig): void {
    if (apps.get(config.inlineConfig)?.hasBegun === true) apps.delete(config.inlineConfig);
  }

  get hasBegun(): boolean {
    return this.#round.begun.size > 0;
  }

  /** Takes note that an environment's build begins. One that begins again begins another build of the whole app. */
  begin(environment: string, vigil: Vigil | undefined): void {
    if (this.#round.hasFailed || this.#round.begun.has(environment)) {
      this.#round = new Round();
      // Only a watcher tells what changed since.
      if (vigil === undefined) this.#provers.clear();
    }
    if (vigil !== undefined) this.#vigils.set(environment, vigil);
    this.#round.begun.add(environment);
  }

  /**
   * Takes note that an environment's output is being written. A framework that builds one environment from within another's
   * build does it then.
   */
  write(environment: string): void {
    this.#writing.add(environment);
    writing.add(this);
  }

  /** Takes note that an environment's build is over. */
  close(environment: string): void {
    this.#writing.delete(environment);
    if (this.#writing.size === 0) writing.delete(this);
  }

  /** Builds of the same app that are not over, and that this one is a part of: no config names both. */
  #around(): App[] {
    return [...writing].filter((app) => app !== this && app.#key === this.#key);
  }

  /** Takes note that an environment's build failed. */
  fail(): void {
    this.#round.hasFailed = true;
  }

  /**
   * Makes the contract of an environment that of its app.
   * @throws ContractError where another environment's is refused, or they contradict each other, or it is not what was
   * found beforehand; anything else for another environment that can't be read.
   */
  async join(
    environment: Environment,
    compilation: Compilation,
    options: AgentSurfaceCompilerOptions,
    meta: Meta,
  ): Promise<Joined> {
    const { name } = environment;
    const own = compilation.proof;
    const round = this.#round;
    if (own === undefined) throw new Error("nothing was proven yet");
    round.real.set(name, own);
    const config = environment.getTopLevelConfig();
    this.#parts ??= findParts({ config, viteVersion: meta.viteVersion });
    const parts = await this.#parts;
    const others = parts.filter((part) => part.name !== name);
    const neighbours: Neighbour[] = [];
    for (const part of others) {
      const prove = () => this.#rehearse(part, config, options, meta);
      // In turn: there is one thread for it.
      // oxlint-disable-next-line no-await-in-loop
      const proof = round.real.get(part.name) ?? (await round.rehearse(part.name, prove));
      neighbours.push({ environment: part.name, proof });
    }
    const around = this.#around();
    const isNew = ({ environment }: Neighbour) =>
      environment !== name && neighbours.every((known) => known.environment !== environment);
    for (const app of around) {
      // oxlint-disable-next-line no-await-in-loop
      neighbours.push(...(await app.#round.proofs()).filter(isNew));
    }
    const foreseen = await round.rehearsed.get(name)?.catch(() => undefined);
    if (foreseen !== undefined && !this.#isOutdated(name)) compilation.checkForeseen(name, foreseen);
    const isKnown = others.length < parts.length;
    if (neighbours.length > 0) compilation.unite(name, neighbours, isKnown);
    this.#manifest = compilation.proof?.manifest;
    const isFirst = !round.hasContract && around.every((app) => app.#manifest !== this.#manifest);
    round.hasContract = true;
    return {
      writes: isKnown ? parts[0]?.name === name || isBuiltAlone(config, name) : others.length === 0,
      isFirst,
    };
  }

  async #rehearse(
    part: Part,
    config: ResolvedConfig,
    options: AgentSurfaceCompilerOptions,
    meta: Meta,
  ): Promise<NativeProof> {
    const prover = this.#provers.get(part.name) ?? new Prover(part, config, options, meta, false);
    this.#provers.set(part.name, prover);
    try {
      await prover.prove();
    } catch (error) {
      throw inEnvironment(part.name, error);
    }
    if (prover.proof === undefined) throw new Error(`nothing was proven of the environment \`${part.name}\``);
    return prover.proof;
  }

  /** Whether an environment is watched, and is another than it was found to be: the others, too, are built once more. */
  #isOutdated(environment: string): boolean {
    const files = this.#files.get(environment) ?? [];
    return this.#vigils.has(environment) && (this.#provers.get(environment)?.isOutdated(files) ?? false);
  }

  /** Takes note of the files that an environment's build has read. */
  noteFiles(environment: string, files: readonly string[]): void {
    this.#files.set(environment, files);
  }

  /** Files that the contract depends on, whichever environment reads them. */
  files(): string[] {
    const rehearsed = [...this.#provers.values()].flatMap((prover) => prover.files());
    return [...new Set([...rehearsed, ...[...this.#files.values()].flat()])];
  }

  /** How a capability came about in those environments that were rehearsed. */
  async explain(capabilityId: string): Promise<Explanation[]> {
    const all: Explanation[] = [];
    for (const prover of this.#provers.values()) {
      // oxlint-disable-next-line no-await-in-loop
      all.push(...(await prover.explain(capabilityId)));
    }
    return all;
  }

  /** Takes note of files that were edited while nobody watched them, and has all that is watched built once more. */
  miss(files: readonly string[]): void {
    // What a build proved of them is not to be taken for true by one that is only about to begin.
    this.#round = new Round();
    for (const file of files) this.noteChange(file, !existsSync(file));
    for (const vigil of this.#vigils.values()) vigil.buildAgain(files);
  }

  /** Lets go of what was looked at in other environments; what they were found to prove stays. */
  release(): void {
    for (const prover of this.#provers.values()) prover.release();
    this.#provers.clear();
  }

  /** Takes note of a file that changed, came or went. */
  noteChange(file: string, cameOrWent: boolean): void {
    for (const prover of this.#provers.values()) prover.noteChange(file, cameOrWent);
  }
}

/** The apps that are built, by what their configs were made of. */
const apps = new WeakMap<object, App>();

/** Those whose output is being written. */
const writing = new Set<App>();

/** One build of each environment of an app. */
class Round {
  readonly begun = new Set<string>();
  /** What environments proved. */
  readonly real = new Map<string, NativeProof>();
  /** What they were found to be going to prove. */
  readonly rehearsed = new Map<string, Promise<NativeProof>>();
  hasFailed = false;
  hasContract = false;

  rehearse(environment: string, prove: () => Promise<NativeProof>): Promise<NativeProof> {
    const proof = this.rehearsed.get(environment) ?? prove();
    this.rehearsed.set(environment, proof);
    return proof;
  }

  /** What is known of all environments. */
  async proofs(): Promise<Neighbour[]> {
    const proofs = new Map<string, NativeProof>();
    for (const [environment, rehearsal] of this.rehearsed) {
      // oxlint-disable-next-line no-await-in-loop
      proofs.set(environment, await rehearsal);
    }
    for (const [environment, proof] of this.real) proofs.set(environment, proof);
    return [...proofs].map(([environment, proof]) => ({ environment, proof }));
  }
}

/**
 * Whether a command builds a server and nothing else, as `vite build --ssr` does where the config has no builder: its
 * output is to have the contract, too, be it that of the page by another command.
 */
function isBuiltAlone({ inlineConfig, builder }: ResolvedConfig, environment: string): boolean {
  return environment === "ssr" && Boolean(inlineConfig.build?.ssr) && builder === undefined;
}

/** What keeps another environment from being proven, with its name. */
export function inEnvironment(environment: string, error: unknown): unknown {
  if (error instanceof ContractError) {
    return new ContractError(
      `The environment \`${environment}\` of this app has a contract that cannot be proven.\n\n${error.message}`,
      error.diagnostics,
    );
  }
  const reason = error instanceof Error ? error.message : String(error);
  return Object.assign(
    new Error(`The environment \`${environment}\` of this app cannot be read: ${reason}`, { cause: error }),
    typeof error === "object" && error !== null && "id" in error ? { id: error.id } : {},
  );
}
