import type { Plugin, ResolvedConfig } from "vite";
import type { Explanation } from "./binding.js";
import type { Compilation } from "./compilation.js";
import { filesOf } from "./inquiry.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { isFileless } from "./mirror.js";
import { createPlugin, PLUGIN_NAME, type AgentSurfaceApi, type ContractProof } from "./plugin.js";
import { declareProduction, productionDefines } from "./production.js";

/** A build that ends with its module graph. */
export interface Scan {
  /** For Vite's inline config, after all others there. */
  plugins: Plugin[];
  /** What was proven, once the build has ended. */
  proof(): ContractProof | undefined;
  /** How the capability that was asked for came about, once the build has ended. */
  explanations(): readonly Explanation[];
  /** The session that proved it, once the build has ended. */
  compilation(): Compilation | undefined;
  /** The files of its graph that their authors may change, once the build has ended. */
  files(): readonly string[];
  /** Modules that could not be loaded, see {@link ScanOptions.mayLeave}. */
  left(): readonly string[];
  /** How far the build came: a config that cannot be loaded is another mistake than a module. */
  stage(): "config" | "graph";
}

/** Options of {@link createScan}. */
export interface ScanOptions extends Pick<
  AgentSurfaceCompilerOptions,
  "target" | "externalContracts" | "rawTools"
> {
  /** Capability to explain. */
  explain?: string;
  /** Whether to end before anything is built where the config has no `agentSurface()`. */
  needsPlugin?: boolean;
  /** Whether one environment is asked for, and not what comes of it with others. */
  isAlone?: boolean;
  /** Whether a server wants to know what a production build would prove, see {@link declareProduction}. */
  isServed?: boolean;
  /**
   * Whether modules without a file may be left unread where they can't be loaded: in one of several environments they may need
   * what another's build wrote.
   */
  mayLeave?: boolean;
}

/** The config has no `agentSurface()`, and the scan needs it. */
export class PluginMissing extends Error {
  override readonly name = "PluginMissing";
}

/** Ends the build. Nobody sees it: who began the scan has the contract by then. */
class ScanEnded extends Error {
  override readonly name = "ScanEnded";
}

/**
 * The plugins that turn a Vite build into a scan. The app's own `agentSurface()` is used where its config has
 * one, since two would find the same contracts twice; else a stand-in is.
 */
export function createScan({
  explain,
  needsPlugin,
  isServed = false,
  mayLeave = false,
  ...options
}: ScanOptions): Scan {
  const standIn = { ...createPlugin({ ...options, emit: false }), name: `${PLUGIN_NAME}-scan` };
  let api: AgentSurfaceApi = standIn.api;
  let stage: "config" | "graph" = "config";
  let proof: ContractProof | undefined;
  let compilation: Compilation | undefined;
  let explanations: readonly Explanation[] = [];
  let files: readonly string[] = [];
  const left = new Set<string>();
  const soften = (plugin: Plugin) => (mayLeave ? withoutFailing(plugin, left) : plugin);
  standIn.api.scan({ isAlone: options.isAlone ?? false });

  const scan: Plugin = {
    name: "agent-surface:scan",
    enforce: "post",

    config(config) {
      stage = "graph";
      // Merging ignores `null`, so an app's own `build.watch` has to be taken out by hand.
      if (config.build?.watch) config.build.watch = null;
    },

    configResolved(config) {
      if (isServed) declareProduction(config);
      const own = apiOf(config);
      if (own === undefined) {
        if (needsPlugin === true)
          throw new PluginMissing("there is no agentSurface() in the plugins of its Vite config");
        return;
      }
      api = own;
      api.scan(options);
    },

    options: {
      order: "post",
      // Vite hands its bundler one flat list of plugins that it has wrapped already.
      handler: (input) => ({
        ...input,
        plugins: (input.plugins as Plugin[]).map(withoutClosing).map(soften),
      }),
    },

    buildEnd: {
      order: "post",
      sequential: true,
      async handler(error) {
        if (error !== undefined) return;
        api = apiOf(this.environment.getTopLevelConfig()) ?? standIn.api;
        if (explain !== undefined) explanations = await api.explain(this, explain);
        proof = api.proof(this.environment.name);
        compilation = api.compilation(this.environment.name);
        files = filesOf(this);
        throw new ScanEnded("scan ended");
      },
    },
  };

  return {
    plugins: [
      { ...standIn, applyToEnvironment: () => api === standIn.api },
      ...(isServed ? [productionConstants] : []),
      scan,
    ],
    proof: () => proof,
    compilation: () => compilation,
    explanations: () => explanations,
    files: () => files,
    left: () => [...left],
    stage: () => stage,
  };
}

/** What the bundler itself puts in, and leaves out for it: after `vite:define`, and before anybody reads it. */
const productionConstants: Plugin = {
  name: "agent-surface:production",
  enforce: "post",
  options(input) {
    const { transform } = input as { transform?: { define?: Record<string, string> } };
    if (transform?.define !== undefined) transform.define = productionDefines(transform.define);
    return null;
  },
};

/**
 * A bundler closes a stopped build like a finished one, and in `closeBundle` plugins work on the files that
 * were written: none were.
 */
function withoutClosing(plugin: Plugin): Plugin {
  if (plugin.closeBundle === undefined) return plugin;
  const { closeBundle: _, ...rest } = plugin;
  return rest;
}

/** A module that could not be loaded, for whoever imports a name of it: both bundlers take it that there is one. */
const UNREAD = { code: "export default {};", syntheticNamedExports: true };

/** A plugin that has no text for a module without a file where it could not make one; those are noted. */
function withoutFailing(plugin: Plugin, left: Set<string>): Plugin {
  const { load: hook } = plugin;
  if (hook === undefined) return plugin;
  const handler = typeof hook === "function" ? hook : hook.handler;
  const load: typeof handler = async function (id, ...rest) {
    try {
      return await handler.call(this, id, ...rest);
    } catch (error) {
      if (!isFileless(id)) throw error;
      left.add(id);
      return UNREAD;
    }
  };
  return { ...plugin, load: typeof hook === "function" ? load : { ...hook, handler: load } };
}

/** The app's own `agentSurface()`, if it has one; several environments have several configs. */
function apiOf(config: ResolvedConfig): AgentSurfaceApi | undefined {
  const own = config.plugins.find(({ name }) => name === PLUGIN_NAME) as Plugin<AgentSurfaceApi> | undefined;
  return own?.api;
}
