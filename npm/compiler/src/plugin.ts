import { realpathSync } from "node:fs";
import type { CapabilityContractManifest } from "@agent-surface/core";
import type { Environment, Plugin } from "vite";
import type { Diagnostic, Explanation, LocatedCapability, NativeProof } from "./binding.js";
import { Compilation } from "./compilation.js";
import { createCompiledHook } from "./compiled.js";
import { keepContributors } from "./contributors.js";
import { definesOf } from "./defines.js";
import type { Bundler } from "./inquiry.js";
import { MENTION } from "./mention.js";
import { native } from "./native.js";
import { CONTRACT_FILE, DEFAULT_TARGET, type AgentSurfaceCompilerOptions } from "./options.js";
import { orNull } from "./output.js";
import { ContractError, placeOf } from "./refusal.js";
import { ServedContract } from "./serve.js";

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
  /** For tools that run a build and want to know what it proved. */
  api: AgentSurfaceApi;
}

/** What other tools may ask of the plugin. */
export interface AgentSurfaceApi {
  /** What the last build of an environment proved; `undefined` before, and after a build that failed. */
  proof(environment?: string): ContractProof | undefined;
  /**
   * How a capability of the last build came about, once for each declaration of it. `context` is that of a hook which
   * runs between `buildEnd` and the end of the build.
   */
  explain(context: object, capabilityId: string): Promise<Explanation[]>;
  /** The session of an environment, for whoever goes on with what a scan proved. */
  compilation(environment?: string): Compilation | undefined;
  /**
   * Makes this instance serve a scan: it emits nothing and tells no one, the given target wins over its own, and what
   * is allowed comes to what it allows itself.
   */
  scan(options: Pick<AgentSurfaceCompilerOptions, "target" | "externalContracts">): void;
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
  let root: string | undefined;
  let served: ServedContract | undefined;
  const compilations = new Map<string, Compilation>();
  /** Whether any output so far wants source maps, by environment. */
  const outputMaps = new Map<string, boolean>();
  /** The constants that Rolldown was told to put in, by environment. */
  const nativeDefines = new Map<string, Record<string, string> | undefined>();

  return {
    name: PLUGIN_NAME,
    enforce: "pre",

    api: {
      proof: (environment) => describeProof((served ?? findCompilation(compilations, environment))?.proof),
      compilation: (environment) => findCompilation(compilations, environment),
      explain: async (context, capabilityId) =>
        (await compilations.get(nameOf(context))?.explain(context as Bundler, capabilityId)) ?? [],
      scan: ({ target, externalContracts }) => {
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
      served =
        config.command === "serve"
          ? new ServedContract(config, () => options, RESOLVED_CONTRACT_ID)
          : undefined;
    },

    configureServer: (server) => served?.attach(server),

    options: {
      // After Vite's own plugins have said what they want of the bundler.
      order: "post",
      handler(input) {
        const name = nameOf(this);
        const { transform } = input as { transform?: { define?: Record<string, string> } };
        nativeDefines.set(name, transform?.define);
        const plugins = [input.plugins].flat();
        return { ...input, plugins: [...plugins, createCompiledHook(() => compilations.get(name))] };
      },
    },

    outputOptions(output) {
      const name = nameOf(this);
      outputMaps.set(name, outputMaps.get(name) === true || Boolean(output.sourcemap));
      return null;
    },

    async buildStart(input) {
      if (served !== undefined) {
        await served.prepare(this.meta);
        return;
      }
      const name = nameOf(this);
      const folder = root ?? (input as { cwd?: string }).cwd ?? process.cwd();
      const session = {
        root: folder,
        realRoot: realpathSync(folder),
        target: options.target ?? DEFAULT_TARGET,
        // Rolldown tells an output's options before it builds for it, Rollup only afterwards.
        sourceMaps:
          this.meta.rolldownVersion === undefined ? configuredMaps(this) : outputMaps.get(name) !== false,
        defines: definesOf(nativeDefines.get(name), (this as InEnvironment).environment),
        approvals: options.externalContracts?.allow ?? [],
        allowRawTools: options.rawTools === "warn",
      };
      const compilation = compilations.get(name);
      if (compilation === undefined) compilations.set(name, new Compilation(session));
      else compilation.restart(session);
    },

    resolveId: {
      filter: { id: new RegExp(`^${VIRTUAL_CONTRACT_ID}$`) },
      handler: (id) => (id === VIRTUAL_CONTRACT_ID ? RESOLVED_CONTRACT_ID : null),
    },

    load: {
      filter: { id: new RegExp(`^${RESOLVED_CONTRACT_ID}$`) },
      async handler(id) {
        if (id !== RESOLVED_CONTRACT_ID) return null;
        const code = await (served ?? compilations.get(nameOf(this)))?.authorityModule();
        return code === undefined ? null : { code, moduleSideEffects: false };
      },
    },

    transform: {
      order: "pre",
      filter: { code: MENTION },
      handler(code, id) {
        // Rolldown has tested the filter; Rollup before 4.38 doesn't know filters.
        if (this.meta.rolldownVersion === undefined && !MENTION.test(code)) return null;
        const output = (served ?? compilations.get(nameOf(this)))?.transform(this, code, id);
        return output instanceof Promise ? output.then(orNull) : orNull(output);
      },
    },

    hotUpdate() {
      return served?.update(this.environment);
    },

    async buildEnd(error) {
      const compilation = compilations.get(nameOf(this));
      if (error !== undefined || compilation === undefined) return;
      const verdict = await compilation.close(this);
      if (verdict.kind === "refused") {
        return this.error(new ContractError(verdict.report.text, verdict.report.diagnostics));
      }
      for (const warning of compilation.takeWarnings()) {
        this.warn({ message: warning.frame, pluginCode: warning.code, ...placeOf(warning) });
      }
      options.onManifest?.(JSON.parse(verdict.proof.manifest) as CapabilityContractManifest);
    },

    renderChunk: {
      // Before any plugin that minifies: what it makes of a placeholder's surroundings is its own affair.
      order: "pre",
      filter: { code: native().placeholderPrefix() },
      handler(code) {
        return orNull(compilations.get(nameOf(this))?.render(code));
      },
    },

    generateBundle() {
      const proof = compilations.get(nameOf(this))?.proof;
      if (proof === undefined || options.emit === false) return;
      this.emitFile({ type: "asset", fileName: options.fileName ?? CONTRACT_FILE, source: proof.manifest });
    },

    async watchChange(id, { event }) {
      await served?.follow(id, event);
      for (const compilation of compilations.values()) compilation.forget(id);
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

/** Without a name: that of the only environment, or of the first one that is built. */
function findCompilation(
  compilations: Map<string, Compilation>,
  environment: string | undefined,
): Compilation | undefined {
  if (environment !== undefined) return compilations.get(environment);
  return compilations.values().next().value;
}

function describeProof(proof: NativeProof | undefined): ContractProof | undefined {
  if (proof === undefined) return undefined;
  const { manifest: manifestText, hash, capabilities, warnings } = proof;
  return { manifestText, hash, capabilities, warnings };
}
