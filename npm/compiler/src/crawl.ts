import { realpathSync } from "node:fs";
import type { Environment, ResolvedConfig } from "vite";
import type {
  CrawlFact,
  CrawlNeed,
  CrawlServer,
  Explanation,
  NativeCrawl,
  NativeProof,
  Neighbour,
  Output,
  SchemaQuestion,
} from "./binding.js";
import { settleUnion } from "./compilation.js";
import { definesOf } from "./defines.js";
import { openEntries, placeIn } from "./entries.js";
import { META, type Part, type Production } from "./environments.js";
import { Mirror, Unmirrored, type CreateFilter } from "./mirror.js";
import { native } from "./native.js";
import { DEFAULT_TARGET, type AgentSurfaceCompilerOptions } from "./options.js";
import { isVites } from "./lent.js";
import { modeOf, productionDefines } from "./production.js";
import type { Look, Proving } from "./proving.js";
import { ContractError } from "./refusal.js";
import { evaluateSchemas } from "./schemas/evaluate.js";
import { findVite, type Vite } from "./vite.js";

/**
 * Proves an environment of an app by a crawl: the addon reads, resolves and parses, and the app's plugins are asked for
 * what they have a say in.
 * @throws Unmirrored where only the bundler itself can tell what the graph is.
 */
export async function crawl(
  part: Part,
  options: AgentSurfaceCompilerOptions,
  meta: { viteVersion?: string | undefined },
  circumstances: Circumstances,
): Promise<Proving> {
  const production = await part.production();
  const vite = (await findVite(production.config.root, meta.viteVersion)) ?? (await import("vite"));
  return new CrawledContract(production, part.name, options, vite, meta, circumstances);
}

/** What is so of an environment whatever it is made of. */
export interface Circumstances {
  /** Whether files are watched, so that there are more looks to come. */
  goesOn: boolean;
  /** Whether its app has no other. */
  isSole: boolean;
}

class CrawledContract implements Proving {
  readonly way = "crawl";
  #crawl: NativeCrawl;
  #mirror: Mirror;
  #vite: Vite;
  #started: Promise<void> | undefined;
  /** Where the graph begins. */
  #open: () => Promise<string[]>;
  #placeOf: (entry: string) => string;
  #followAlias: (specifier: string) => string | undefined;
  /** Whether the addon follows aliases itself. */
  #hasPlainAliases: boolean;
  #isExternal: (specifier: string, importer: string) => boolean;
  #keeps: (name: string) => boolean;
  /** Whether files are watched, so that there are more looks to come. */
  #goesOn: boolean;
  /** Why there is none, as long as nothing changes. */
  #refusal: ContractError | undefined;

  constructor(
    { config, environment, plugins, globs }: Production,
    name: string,
    options: AgentSurfaceCompilerOptions,
    vite: Vite,
    meta: { viteVersion?: string | undefined },
    { goesOn, isSole }: Circumstances,
  ) {
    // Where packages are in archives, only Node as Yarn has changed it finds them.
    if (process.versions["pnp"] !== undefined) throw new Unmirrored("packages are where Yarn's PnP has them");
    const { build, resolve: how } = environment.config;
    const { tsconfig } = config as { tsconfig?: string };
    this.#vite = vite;
    this.#goesOn = goesOn;
    this.#open = () => openEntries({ config, environment, plugins }, name, { ...META, ...meta });
    this.#placeOf = (entry) => placeIn(config, entry);
    const aliases = config.resolve.alias.filter((alias) => !isVites(alias));
    const isPlain = aliases.every(
      ({ find, customResolver }) => typeof find === "string" && customResolver === undefined,
    );
    if (aliases.some(({ customResolver }) => customResolver !== undefined)) {
      throw new Unmirrored("an alias has a resolver of its own");
    }
    const externals = [build.rollupOptions.external ?? []].flat() as unknown[];
    const named = externals.filter((external) => typeof external === "string");
    this.#mirror = new Mirror({
      plugins,
      globs,
      environment,
      meta: { ...META, ...meta },
      createFilter: vite.createFilter as CreateFilter,
      parse: vite.parseAst,
      mayLeave: !isSole,
      resolve: (specifier, importer) => this.#crawl.resolve(importer, specifier) ?? undefined,
    });
    this.#followAlias = (specifier) => followAlias(aliases, specifier);
    this.#hasPlainAliases = isPlain;
    this.#isExternal = (specifier, importer) =>
      externals.some((external) =>
        typeof external === "function"
          ? Boolean(external(specifier, importer, false))
          : external instanceof RegExp && external.test(specifier),
      );
    const { server, keeps } = serverOf(environment, vite);
    this.#keeps = keeps;
    const defines = Object.fromEntries(definesOf(undefined, environment).map((it) => [it.name, it.text]));
    const production = isForDevelopment(config) ? defines : productionDefines(defines);
    if (config.command === "serve") production["import.meta.env.MODE"] = JSON.stringify(modeOf(config));
    this.#crawl = new (native().Crawl)({
      session: {
        root: config.root,
        realRoot: realpathSync(config.root),
        target: options.target ?? DEFAULT_TARGET,
        sourceMaps: true,
        defines: definesOf(production, environment),
        approvals: options.externalContracts?.allow ?? [],
        allowRawTools: options.rawTools === "warn",
      },
      aliases: isPlain
        ? (aliases as { find: string; replacement: string }[]).map(({ find, replacement }) => ({
            find,
            replacement,
          }))
        : [],
      conditions: conditionsOf(how.conditions, config),
      mainFields: [...how.mainFields],
      extensions: [...how.extensions],
      preserveSymlinks: how.preserveSymlinks,
      dedupe: [...how.dedupe],
      externals: named,
      tsconfigPaths: (how as { tsconfigPaths?: boolean }).tsconfigPaths === true,
      ...(tsconfig !== undefined && { tsconfig }),
      pageConstants: pageConstants(config),
      ...(config.publicDir !== "" && { publicDir: config.publicDir }),
      ...(server !== undefined && {
        server: { ...server, conditions: conditionsOf(how.externalConditions, config) },
      }),
      jsxNames: jsxNames(config),
      asksFirst: !isPlain || named.length !== externals.length || this.#mirror.resolvesFirst,
      asksForTexts: this.#mirror.handlesTexts,
    });
  }

  async prove(): Promise<Look> {
    this.#started ??= this.#start();
    await this.#started;
    let facts: CrawlFact[] = [];
    for (;;) {
      const step = this.#crawl.advance(facts);
      switch (step.kind) {
        case "unchanged":
          if (this.#refusal !== undefined) throw this.#refusal;
          return "unchanged";
        case "proven":
          this.#refusal = undefined;
          return "proven";
        case "refused":
          this.#refusal = new ContractError(step.report.text, step.report.diagnostics);
          throw this.#refusal;
        case "unreadable":
          throw new Error(step.reason);
        case "ask":
          // All at once: one worker evaluates them.
          // oxlint-disable-next-line no-await-in-loop
          facts = await evaluateSchemas(
            step.needs.filter((need) => need.kind === "schema"),
            { goesOn: this.#goesOn },
          );
          for (const need of step.needs.filter((it) => it.kind !== "schema")) {
            // In turn: a plugin's context is told which module it is about.
            // oxlint-disable-next-line no-await-in-loop
            facts.push(await this.#answer(need));
            if (need.kind === "load" || need.kind === "transform") facts.push(...this.#emittedFor(need.id));
          }
      }
    }
  }

  async #start(): Promise<void> {
    const input = await this.#open();
    this.#crawl.enter(input);
    await this.#mirror.start({ input, plugins: [] });
    this.#crawl.enter(this.#mirror.emittedFor().map(this.#placeOf));
  }

  /** What plugins had outputs made of while they loaded or transformed a module. */
  #emittedFor(id: string): CrawlFact[] {
    const entries = this.#mirror.emittedFor(id).map(this.#placeOf);
    return entries.length === 0 ? [] : [{ kind: "emitted", id, entries }];
  }

  async #answer(need: Exclude<CrawlNeed, SchemaQuestion>): Promise<CrawlFact> {
    switch (need.kind) {
      case "keep":
        return { kind: "kept", package: need.package, inside: this.#keeps(need.package) };
      case "resolve": {
        const { specifier, importer, lost } = need;
        const found = await this.#resolve(specifier, importer, lost);
        return { kind: "resolved", specifier, importer, lost, external: false, ...found };
      }
      case "load": {
        const text = await this.#mirror.load(need.id);
        return { kind: "loaded", id: need.id, ...(text !== undefined && { text }) };
      }
      case "transform": {
        const source = this.#crawl.textOf(need.id) ?? "";
        const text = await this.#mirror.transform(need.id, source, (code, id) => this.#strip(code, id));
        return {
          kind: "transformed",
          id: need.id,
          ...(text !== undefined && { text: text.code, ...(text.map !== undefined && { map: text.map }) }),
        };
      }
    }
  }

  async #resolve(specifier: string, importer: string, lost: boolean) {
    const aliased = this.#followAlias(specifier);
    const name = aliased ?? specifier;
    if (!lost && aliased !== undefined) {
      const found = await this.#mirror.resolve(specifier, importer, "unaliased");
      if (found !== undefined) return found;
    }
    if (!lost && this.#isExternal(name, importer)) return { id: name, external: true };
    const found = await this.#mirror.resolve(name, importer, lost ? "last" : "first");
    if (found !== undefined || aliased === undefined) return found;
    // What an alias leads to is a module's name, be it that nobody finds it.
    if (lost) return { id: aliased, external: false };
    return this.#hasPlainAliases ? undefined : (this.#crawl.resolve(importer, aliased) ?? undefined);
  }

  async #strip(code: string, id: string): Promise<string> {
    const transform = this.#vite.transformWithOxc ?? this.#vite.transformWithEsbuild;
    return (await transform(code, id.split("?")[0] ?? id, { target: "esnext", sourcemap: false })).code;
  }

  noteChange(file: string, cameOrWent: boolean): void {
    this.#crawl.noteChanges([file, ...this.#mirror.dependentsOf(file, cameOrWent)], cameOrWent);
  }

  unite(environment: string, others: Neighbour[]): NativeProof | undefined {
    return settleUnion(this.#crawl.unite(environment, others));
  }

  release(): void {
    this.#crawl.release();
  }

  explain(capabilityId: string): Promise<Explanation[]> {
    return Promise.resolve(this.#crawl.explain(capabilityId));
  }

  serve(_: unknown, code: string, id: string, compiled: boolean): Output | undefined {
    return this.#crawl.serve(id, code, compiled) ?? undefined;
  }

  findUnproven(code: string, id: string, compiled: boolean): string[] {
    return this.#crawl.findUnproven(id, code, compiled);
  }

  authorityModule(): string {
    return this.#crawl.authorityModule();
  }

  get digest(): string | undefined {
    return this.#crawl.servedDigest() ?? undefined;
  }

  get proof(): NativeProof | undefined {
    return this.#crawl.proof() ?? undefined;
  }

  files(): string[] {
    return this.#crawl.files();
  }

  changedSince(time: number): string[] {
    return this.#crawl.changedSince(time);
  }

  get left(): readonly string[] {
    return this.#mirror.left;
  }
}

/** A build that somebody wants to be one for development is taken at its word. */
function isForDevelopment({ command, env }: ResolvedConfig): boolean {
  return command === "build" && env["PROD"] !== true;
}

/** The conditions of package exports that hold, as Vite puts them together for an `import`. */
function conditionsOf(names: readonly string[], config: ResolvedConfig): string[] {
  const mode = isForDevelopment(config) ? "development" : "production";
  return ["import", ...names.map((name) => (name === "development|production" ? mode : name))];
}

/** What a server leaves outside of its bundle; nothing for a page. */
function serverOf(
  { config }: Environment,
  vite: Vite,
): { server?: Omit<CrawlServer, "conditions">; keeps: (name: string) => boolean } {
  const { external, noExternal } = config.resolve;
  const patterns = noExternal === true ? [] : [noExternal].flat().filter((it) => typeof it !== "boolean");
  const isPlain = patterns.every((it) => typeof it === "string" && /^[\w@/.-]+$/.test(it));
  // Vite's own way to ask: what the filter does not let through is in the bundle.
  const isOutside = vite.createFilter(undefined, patterns, { resolve: false });
  const keeps = (name: string) => patterns.length > 0 && !isOutside(name);
  if (config.consumer !== "server") return { keeps };
  const server = {
    leavesAll: external === true,
    leaves: external === true ? [] : [...external],
    keepsAll: noExternal === true,
    keeps: isPlain ? (patterns as string[]) : [],
    asks: !isPlain,
  };
  return { server, keeps };
}

function followAlias(aliases: ResolvedConfig["resolve"]["alias"], specifier: string): string | undefined {
  for (const { find, replacement } of aliases) {
    const matches =
      typeof find === "string"
        ? specifier === find || specifier.startsWith(`${find}/`)
        : find.test(specifier);
    if (matches) return specifier.replace(find, replacement);
  }
  return undefined;
}

/** What Vite puts into a page for `%NAME%`; a constant's text counts as what it is JSON of, if it is of a text. */
function pageConstants({ env, define }: ResolvedConfig): { name: string; text: string }[] {
  const constants: Record<string, unknown> = { ...env };
  for (const [name, value] of Object.entries((define ?? {}) as Record<string, unknown>)) {
    if (name.startsWith("import.meta.env.")) constants[name.slice("import.meta.env.".length)] = textOf(value);
  }
  return Object.entries(constants).map(([name, value]) => ({ name, text: String(value) }));
}

function textOf(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value);
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "string" ? parsed : value;
  } catch {
    return value;
  }
}

/** The names that JSX is made calls of, where it is not automatic. */
function jsxNames(config: ResolvedConfig): string[] {
  const { oxc, esbuild } = config as { oxc?: unknown; esbuild?: unknown };
  const jsx = ((oxc as { jsx?: unknown } | undefined)?.jsx ?? {}) as { pragma?: string; pragmaFrag?: string };
  const { jsxFactory, jsxFragment } = (esbuild || {}) as { jsxFactory?: string; jsxFragment?: string };
  const names = ["React", jsx.pragma, jsx.pragmaFrag, jsxFactory, jsxFragment];
  return names.flatMap((name) => (name === undefined ? [] : [name.split(".")[0] ?? name]));
}
