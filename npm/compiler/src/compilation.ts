import type {
  Close,
  Diagnostic,
  Explanation,
  NativeProof,
  NativeSession,
  Neighbour,
  Output,
  SessionOptions,
  Transform,
  Union,
} from "./binding.js";
import { Inquiry, type Bundler } from "./inquiry.js";
import { native } from "./native.js";
import { ContractError } from "./refusal.js";
import { prepareSchemas } from "./schemas/evaluate.js";

/** A chunk of so many letters takes memory that is worth giving back; to do so takes longer than to render a small one. */
const LARGE = 2 ** 20;

/** The end of the question-and-answer loop over a closed graph. */
export type Verdict = Exclude<Close, { kind: "ask" }>;

/**
 * One environment's contract, from the first module to the last chunk. It outlives a build: in watch mode the
 * bundler hands over only the modules that changed.
 */
export class Compilation {
  #session: NativeSession;
  #options: SessionOptions;
  #inquiry = new Inquiry();
  #proof: NativeProof | undefined;
  /** What was last warned of; see {@link takeWarnings}. */
  #warned = "";
  /** Modules that were dropped, until a verdict needs them. */
  #dropped = new Set<string>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#session = new (native().Session)(options);
  }

  /**
   * Begins the next build. What is known of unchanged modules is kept: a watching bundler doesn't hand them over
   * again. So source maps, once made, go on being made; only where they were not and now are wanted, for another
   * output, does everything start anew.
   */
  restart(options: SessionOptions): void {
    this.#proof = undefined;
    this.#inquiry.reset();
    if (options.sourceMaps && !this.#options.sourceMaps) {
      this.#options = options;
      this.#session = new (native().Session)(options);
    } else {
      this.#session.restart();
    }
  }

  /**
   * Notes a module's contracts and puts placeholders into its macro calls; `undefined` where it has none.
   * @throws ContractError for a text that no parser should be given.
   */
  transform(bundler: Bundler, code: string, id: string): Output | undefined | Promise<Output | undefined> {
    const result = this.#inquiry.settle(this.#session, bundler, () => this.#session.transform(id, code));
    return result instanceof Promise ? result.then(outputOf) : outputOf(result);
  }

  /** The same for a module as other plugins left it: a component, or what only they put there. */
  transformCompiled(
    bundler: Bundler,
    code: string,
    id: string,
  ): Output | undefined | Promise<Output | undefined> {
    const result = this.#inquiry.settle(this.#session, bundler, () =>
      this.#session.transformCompiled(id, code),
    );
    return result instanceof Promise ? result.then(outputOf) : outputOf(result);
  }

  /** Puts what was proven into a module that a server hands out, before or after other plugins. */
  serve(
    bundler: Bundler,
    code: string,
    id: string,
    compiled: boolean,
  ): Output | undefined | Promise<Output | undefined> {
    const result = this.#inquiry.settle(this.#session, bundler, () =>
      this.#session.serve(id, code, compiled),
    );
    return result instanceof Promise ? result.then(outputOf) : outputOf(result);
  }

  /** The names of what a module that was served declares and nothing proved. */
  findUnproven(code: string, id: string, compiled: boolean): string[] {
    return this.#session.findUnproven(id, code, compiled);
  }

  /** Decides over the whole graph. */
  async close(bundler: Bundler): Promise<Verdict> {
    this.#dropped.clear();
    const verdict = await this.#inquiry.settle<Verdict>(this.#session, bundler, () => this.#session.close());
    if (verdict.kind === "proven") this.#proof = verdict.proof;
    return verdict;
  }

  /**
   * Makes one contract of what was proven here, in the environment of this name, and in others. Where it does not join
   * them, because nobody knew of it, they must have declared all of it.
   * @throws ContractError where they contradict each other.
   */
  unite(environment: string, others: Neighbour[], joins = true): NativeProof | undefined {
    this.#proof = settleUnion(this.#session.unite(environment, others, joins));
    return this.#proof;
  }

  /**
   * Holds what was proven here, in the environment of this name, against what it was found to be going to prove.
   * @throws ContractError where it is not the same.
   */
  checkForeseen(environment: string, foreseen: NativeProof): void {
    const report = this.#session.checkForeseen(environment, foreseen);
    if (report !== null) throw new ContractError(report.text, report.diagnostics);
  }

  /** Takes it that nothing is proven: the environments of the app have no contract that is true of all. */
  refuse(): void {
    this.#proof = undefined;
  }

  /** How a capability of the proven graph came about, once for each declaration of it. */
  async explain(bundler: Bundler, capabilityId: string): Promise<Explanation[]> {
    const step = () => this.#session.explain(capabilityId);
    return (await this.#inquiry.settle(this.#session, bundler, step)).explanations;
  }

  /** Puts the proven values into a chunk; `undefined` where it has no placeholder, or nothing is proven. */
  render(code: string): Output | undefined {
    if (this.#proof === undefined) return undefined;
    const output = this.#session.render(code) ?? undefined;
    // A large app has large chunks, and two copies of one would stay behind.
    if (code.length > LARGE) this.#session.giveBack();
    return output;
  }

  /**
   * Lets go of everything but what {@link render} puts in: nobody looks at this graph again, and a bundler needs most of
   * its memory for what comes next.
   */
  release(): void {
    this.#inquiry.reset();
    this.#session.release();
  }

  /** Drops a module that changed on disk. */
  forget(id: string): void {
    this.#warned = "";
    this.#dropped.add(id);
    this.#session.forgetModule(id);
  }

  /** Whether a module was dropped since the last verdict, so that nothing is known of it until it is handed over again. */
  isDropped(id: string): boolean {
    return this.#dropped.has(id);
  }

  /** Files that the contract rests on and that are no modules: those of dependencies, there or not. */
  contractFiles(): string[] {
    return this.#session.contractFiles();
  }

  /**
   * What the last build is to warn of. A bundler builds once for each of several outputs, and what they all have in
   * common is said once; after a change it is said again.
   */
  takeWarnings(): readonly Diagnostic[] {
    const warnings = this.#proof?.warnings ?? [];
    const text = warnings.map(({ frame }) => frame).join("\n");
    if (text === this.#warned) return [];
    this.#warned = text;
    return warnings;
  }

  /** Names what a page was served of the proof: while it stays the same, no page need be loaded again. */
  servedDigest(): string | undefined {
    return this.#session.servedDigest() ?? undefined;
  }

  /** Source of the virtual module. */
  authorityModule(): string {
    return this.#session.authorityModule();
  }

  /** What the last finished build proved, with what others did where it was united with them. */
  get proof(): NativeProof | undefined {
    return this.#proof;
  }
}

/** @throws ContractError for environments that contradict each other. */
export function settleUnion(union: Union | null): NativeProof | undefined {
  if (union?.kind === "refused") throw new ContractError(union.report.text, union.report.diagnostics);
  return union?.proof;
}

function outputOf(result: Exclude<Transform, { kind: "ask" }>): Output | undefined {
  if (result.kind === "refused") throw new ContractError(result.report.text, result.report.diagnostics);
  if (result.kind !== "changed") return undefined;
  if (result.libraries !== undefined) prepareSchemas(result.libraries);
  return result.output;
}
