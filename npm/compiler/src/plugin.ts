import { realpathSync } from "node:fs";
import type { CapabilityContractManifest } from "@agent-surface/core";
import type { Environment, Plugin, ResolvedConfig, Rollup } from "vite";
import type { Diagnostic, Explanation, LocatedCapability, NativeProof } from "./binding.js";
import { Compilation } from "./compilation.js";
import { createCompiledHook } from "./compiled.js";
import { keepContributors, watchContributors } from "./contributors.js";
import { definesOf } from "./defines.js";
import { filesOf, type Bundler } from "./inquiry.js";
import { MENTION } from "./mention.js";
import { native } from "./native.js";
import { CONTRACT_FILE, DEFAULT_TARGET, type AgentSurfaceCompilerOptions } from "./options.js";
import { orNull } from "./output.js";
import { ContractError, placeOf } from "./refusal.js";
import { ServedContract } from "./serve.js";
import { App, type Joined } from "./union.js";
import { Vigil } from "./vigil.js";

/** Name under which bundlers report this plugin. */
export const PLUGIN_NAME = "agent-surface:compiler";

/** What an app imports to get its authority. */
export const VIRTUAL_CONTRACT_ID = "virtual:agent-surface-contract";

/** The leading NUL keeps other plugins, and the file system, away from it. */
const RESOLVED_CONTRACT_ID = `\0${VIRTUAL_CONTRACT_ID}`;

/** The plugin, for Vite, Rolldown and Rollup alike; its hooks are between it and the bundler. */
export interface AgentSurfacePlugin {
  name: string;
  enforce: "pre";
  /** One instance serves all environments of a build. */
  sharedDuringBuild: true;
  /** For tools that run a build and want to know what it proved. */
  api: AgentSurfaceApi;
}

/** What other tools may ask of the plugin. */
export interface AgentSurfaceApi {
  /**
   * What the last build proved, of all environments of its app; `undefined` before, and after a build that failed. Of
   * several that were built the one that is named is asked.
   */
  proof(environment?: string): ContractProof | undefined;
  /**
   * How a capability of the last build came about, once for each declaration of it. `context` is that of `buildEnd`: when
   * chunks are rendered, all that is not needed for it has been let go of.
   */
  explain(context: object, capabilityId: string): Promise<Explanation[]>;
  /** The session of an environment, for whoever goes on with what a scan proved. */
  compilation(environment?: string): Compilation | undefined;
  /**
   * Makes this instance serve a scan: it emits nothing and tells no one, the given target wins over its own, what
   * is allowed comes to what it allows itself, and alone it proves what one environment declares.
   */
  scan(
    options: Pick<AgentSurfaceCompilerOptions, "target" | "externalContracts"> & { isAlone?: boolean },
  ): void;
}

/** A proven contract and where it comes from. */
export interface ContractProof {
  /** The contract file, byte for byte. */
  manifestText: string;
  hash: string;
  /** Every capability, with its place in the source. */
  capabilities: readonly LocatedCapability[];
  /** What is worth a look and no reason to fail. */
  warnings: readonly Diagnostic[];
}

/** Proves an app's capability contracts while it is built, and fails the build where it cannot. */
export function agentSurface(options: AgentSurfaceCompilerOptions = {}): AgentSurfacePlugin {
  return createPlugin(options);
}

/** {@link agentSurface} with its hooks in view. */
export function createPlugin(
  given: AgentSurfaceCompilerOptions,
): Plugin<AgentSurfaceApi> & AgentSurfacePlugin {
  let options = given;
  let isAlone = false;
  let root: string | undefined;
  let latest: ServedContract | undefined;
  /** An instance may be in two servers at once: that of the page, and the one that renders it. */
  const servers = new WeakMap<ResolvedConfig, ServedContract>();
  const servedOf = ({ environment }: InEnvironment) =>
    environment === undefined ? latest : servers.get(environment.getTopLevelConfig());
  const builds = new Builds();

  return {
    name: PLUGIN_NAME,
    enforce: "pre",
    // One instance for all environments; each has its own state.
    sharedDuringBuild: true,

    api: {
      proof: (environment) => describeProof((latest ?? builds.named(environment)?.compilation)?.proof),
      compilation: (environment) => builds.named(environment)?.compilation,
      explain: async (context, capabilityId) => {
        const { compilation, app } = builds.of(context);
        const own = (await compilation?.explain(context as Bundler, capabilityId)) ?? [];
        const others = isAlone ? [] : ((await app?.explain(capabilityId)) ?? []);
        const known = new Set(own.map(({ declarationId }) => declarationId));
        return [...own, ...others.filter(({ declarationId }) => !known.has(declarationId))];
      },
      scan: ({ target, externalContracts, isAlone: alone = false }) => {
        isAlone = alone;
        const { onManifest: _, ...own } = given;
        const allow = [...(own.externalContracts?.allow ?? []), ...(externalContracts?.allow ?? [])];
        options = {
          ...own,
          ...(target !== undefined && { target }),
          externalContracts: { allow },
          emit: false,
        };
      },
    },

    config: (config) => watchContributors(options.externalContracts, config),

    configEnvironment() {
      return keepContributors(options.externalContracts);
    },

    configResolved(config) {
      const count = config.plugins.filter((plugin) => plugin.name === PLUGIN_NAME).length;
      if (count > 1)
        throw new Error(
          `agentSurface() is in the plugins ${count} times; once is enough for all environments`,
        );
      root = config.root;
      if (config.command === "build" && !config.isWorker) App.configure(config);
      latest =
        config.command === "serve"
          ? new ServedContract(config, () => options, RESOLVED_CONTRACT_ID)
          : undefined;
      if (latest !== undefined) servers.set(config, latest);
    },

    configureServer: (server) => servers.get(server.config)?.attach(server),

    options: {
      // After Vite's own plugins have said what they want of the bundler.
      order: "post",
      handler(input) {
        const state = builds.of(this);
        const { transform } = input as { transform?: { define?: Record<string, string> } };
        state.nativeDefines = transform?.define;
        const plugins = [input.plugins].flat();
        return { ...input, plugins: [...plugins, createCompiledHook(() => state.compilation)] };
      },
    },

    outputOptions(output) {
      const state = builds.of(this);
      state.hasOutputMaps = state.hasOutputMaps === true || Boolean(output.sourcemap);
      return null;
    },

    async buildStart(input) {
      const served = servedOf(this);
      if (served !== undefined) {
        await served.prepare(this.meta);
        return;
      }
      const state = builds.of(this);
      const { environment } = this as InEnvironment;
      const config = environment?.getTopLevelConfig();
      state.app = config === undefined || config.isWorker || isAlone ? undefined : App.of(config);
      if (this.meta.watchMode) {
        state.vigil ??= new Vigil();
        for (const file of state.vigil.begin()) state.compilation?.forget(file);
      }
      state.app?.begin(nameOf(this), state.vigil);
      const folder = config?.root ?? root ?? (input as { cwd?: string }).cwd ?? process.cwd();
      const session = {
        root: folder,
        realRoot: realpathSync(folder),
        target: options.target ?? DEFAULT_TARGET,
        // Rolldown tells an output's options before it builds for it, Rollup only afterwards.
        sourceMaps:
          this.meta.rolldownVersion === undefined ? configuredMaps(this) : state.hasOutputMaps !== false,
        defines: definesOf(state.nativeDefines, environment),
        approvals: options.externalContracts?.allow ?? [],
        allowRawTools: options.rawTools === "warn",
      };
      if (state.compilation === undefined) state.compilation = new Compilation(session);
      else state.compilation.restart(session);
    },

    resolveId: {
      filter: { id: new RegExp(`^${VIRTUAL_CONTRACT_ID}$`) },
      handler: (id) => (id === VIRTUAL_CONTRACT_ID ? RESOLVED_CONTRACT_ID : null),
    },

    load: {
      filter: { id: new RegExp(`^${RESOLVED_CONTRACT_ID}$`) },
      async handler(id) {
        if (id !== RESOLVED_CONTRACT_ID) return null;
        const code = await (servedOf(this) ?? builds.of(this).compilation)?.authorityModule();
        return code === undefined ? null : { code, moduleSideEffects: false };
      },
    },

    transform: {
      order: "pre",
      filter: { code: MENTION },
      handler(code, id) {
        // Rolldown has tested the filter; Rollup before 4.38 doesn't know filters.
        if (this.meta.rolldownVersion === undefined && !MENTION.test(code)) return null;
        const output = (servedOf(this) ?? builds.of(this).compilation)?.transform(this, code, id);
        return output instanceof Promise ? output.then(orNull) : orNull(output);
      },
    },

    // Rollup hands a module over that changed; not one that was written and is as it was, such as after a build that failed.
    shouldTransformCachedModule({ id }) {
      return builds.of(this).compilation?.isDropped(id) === true ? true : null;
    },

    hotUpdate({ file }) {
      return servedOf(this)?.update(this.environment, file);
    },

    async buildEnd(error) {
      const state = builds.of(this);
      const { compilation, app } = state;
      const { environment } = this as InEnvironment;
      state.joined = undefined;
      if (this.meta.watchMode) app?.noteFiles(nameOf(this), filesOf(this));
      if (error !== undefined || compilation === undefined) {
        app?.fail();
        return;
      }
      try {
        const verdict = await compilation.close(this);
        if (verdict.kind === "refused") {
          throw new ContractError(verdict.report.text, verdict.report.diagnostics);
        }
        if (app !== undefined && environment !== undefined) {
          state.joined = await app.join(environment, compilation, options, this.meta);
        }
      } catch (refusal) {
        app?.fail();
        compilation.refuse();
        // Rollup watches no file of a build that fails here, but for those that it is told of in this way.
        const watchFiles = state.vigil && watch(this, state);
        keepUp(state);
        return this.error(Object.assign(refusal as Error, watchFiles && { watchFiles }));
      }
      if (state.vigil !== undefined) watch(this, state);
      if (state.joined?.isFirst === false) return;
      for (const warning of compilation.takeWarnings()) {
        this.warn({ message: warning.frame, pluginCode: warning.code, ...placeOf(warning) });
      }
      const manifest = compilation.proof?.manifest ?? "";
      options.onManifest?.(JSON.parse(manifest) as CapabilityContractManifest);
    },

    renderStart() {
      const { compilation, app } = builds.of(this);
      app?.write(nameOf(this));
      // A watcher hands over only what changed, and so does Rollup with a cache.
      if (this.meta.watchMode || this.meta.rolldownVersion === undefined) return;
      compilation?.release();
      app?.release();
    },

    renderChunk: {
      // Before any plugin that minifies: what it makes of a placeholder's surroundings is its own affair.
      order: "pre",
      filter: { code: native().placeholderPrefix() },
      handler(code) {
        return orNull(builds.of(this).compilation?.render(code));
      },
    },

    generateBundle: {
      // After Vite has taken out of a server's output what is no script.
      order: "post",
      handler() {
        const { compilation, joined } = builds.of(this);
        const proof = compilation?.proof;
        if (proof === undefined || options.emit === false || joined?.writes === false) return;
        this.emitFile({ type: "asset", fileName: options.fileName ?? CONTRACT_FILE, source: proof.manifest });
      },
    },

    closeBundle: {
      // After all others: what is built within this build has to end before.
      order: "post",
      sequential: true,
      handler() {
        builds.of(this).app?.close(nameOf(this));
      },
    },

    writeBundle() {
      keepUp(builds.of(this));
    },

    closeWatcher() {
      builds.of(this).vigil?.end();
    },

    async watchChange(id, { event }) {
      const served = servedOf(this);
      await served?.follow(id, event);
      if (served !== undefined) return;
      const { compilation, app } = builds.of(this);
      compilation?.forget(id);
      app?.noteChange(id, event !== "update");
    },
  };
}

/** The part of a hook's context that only Vite gives. */
interface InEnvironment {
  environment?: Environment;
}

/** What stands for the one environment of Rolldown and Rollup. */
const SOLE_ENVIRONMENT = "build";

function nameOf(context: object): string {
  return (context as InEnvironment).environment?.name ?? SOLE_ENVIRONMENT;
}

/** Whether Vite's config asks for source maps; without Vite an output may yet want them. */
function configuredMaps(context: object): boolean {
  const build = (context as InEnvironment).environment?.config.build;
  if (build === undefined) return true;
  return Boolean(build.sourcemap) || [build.rollupOptions.output].flat().some((output) => output?.sourcemap);
}

/** Has a bundler watch what the contract depends on, whether or not it has a part in the bundle. */
function watch(context: Rollup.PluginContext, { app, compilation, vigil }: Build): string[] {
  const own = filesOf(context);
  const files = [...new Set([...own, ...(app?.files() ?? []), ...(compilation?.contractFiles() ?? [])])];
  const all = vigil === undefined ? files : [...files, vigil.keep(files)];
  for (const file of all) context.addWatchFile(file);
  return all;
}

/** Has all environments built again where a file was edited that nobody watched yet. */
function keepUp({ app, vigil }: Build): void {
  vigil?.tellMissed((files) => {
    if (app === undefined) vigil.buildAgain(files);
    else app.miss(files);
  });
}

/** What an instance has of one environment. */
interface Build {
  compilation?: Compilation;
  /** The app that it is a part of; `undefined` without Vite. */
  app?: App | undefined;
  /** Where files are watched, what hears the edits that a bundler does not. */
  vigil?: Vigil;
  /** What came of it as such a part. */
  joined?: Joined | undefined;
  /** Whether any output so far wants source maps. */
  hasOutputMaps?: boolean;
  /** The constants that Rolldown was told to put in. */
  nativeDefines?: Record<string, string> | undefined;
}

/** The builds that an instance takes part in: each environment's is one of its own, whatever else is built. */
class Builds {
  #states = new WeakMap<object, Build>();
  /** Those that began last, by their environments' names. */
  #named = new Map<string, Build>();

  of(context: object): Build {
    const key = (context as InEnvironment).environment ?? this;
    const state = this.#states.get(key) ?? {};
    this.#states.set(key, state);
    this.#named.set(nameOf(context), state);
    return state;
  }

  /** Without a name: that of the only environment, or of the first one that is built. */
  named(environment: string | undefined): Build | undefined {
    return environment === undefined ? this.#named.values().next().value : this.#named.get(environment);
  }
}

function describeProof(proof: NativeProof | undefined): ContractProof | undefined {
  if (proof === undefined) return undefined;
  const { manifest: manifestText, hash, capabilities, warnings } = proof;
  return { manifestText, hash, capabilities, warnings };
}
