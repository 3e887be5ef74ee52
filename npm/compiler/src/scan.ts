import type { Plugin } from "vite";
import type { Explanation } from "./binding.js";
import type { Compilation } from "./compilation.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
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
  /** Whether a server wants to know what a production build would prove, see {@link declareProduction}. */
  isRehearsal?: boolean;
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
export function createScan({ explain, needsPlugin, isRehearsal = false, ...options }: ScanOptions): Scan {
  const standIn = { ...createPlugin({ ...options, emit: false }), name: `${PLUGIN_NAME}-scan` };
  let api: AgentSurfaceApi = standIn.api;
  let stage: "config" | "graph" = "config";
  let proof: ContractProof | undefined;
  let compilation: Compilation | undefined;
  let explanations: readonly Explanation[] = [];

  const scan: Plugin = {
    name: "agent-surface:scan",
    enforce: "post",

    config(config) {
      stage = "graph";
      // Merging ignores `null`, so an app's own `build.watch` has to be taken out by hand.
      if (config.build?.watch) config.build.watch = null;
    },

    configResolved(config) {
      if (isRehearsal) declareProduction(config);
      const own = config.plugins.find((plugin) => plugin.name === PLUGIN_NAME) as
        | Plugin<AgentSurfaceApi>
        | undefined;
      if (own?.api === undefined) {
        if (needsPlugin === true)
          throw new PluginMissing("there is no agentSurface() in the plugins of its Vite config");
        return;
      }
      api = own.api;
      api.scan(options);
    },

    options: {
      order: "post",
      // Vite hands its bundler one flat list of plugins that it has wrapped already.
      handler: (input) => ({ ...input, plugins: (input.plugins as Plugin[]).map(withoutClosing) }),
    },

    buildEnd: {
      order: "post",
      sequential: true,
      async handler(error) {
        if (error !== undefined) return;
        if (explain !== undefined) explanations = await api.explain(this, explain);
        proof = api.proof(this.environment.name);
        compilation = api.compilation(this.environment.name);
        throw new ScanEnded("scan ended");
      },
    },
  };

  return {
    plugins: [
      { ...standIn, applyToEnvironment: () => api === standIn.api },
      ...(isRehearsal ? [productionConstants] : []),
      scan,
    ],
    proof: () => proof,
    compilation: () => compilation,
    explanations: () => explanations,
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
