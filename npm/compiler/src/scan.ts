import type { Plugin } from "vite";
import type { Explanation } from "./binding.js";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { createPlugin, PLUGIN_NAME, type AgentSurfaceApi, type ContractProof } from "./plugin.js";

/** A build that ends with its module graph. */
export interface Scan {
  /** For Vite's inline config, after all others there. */
  plugins: Plugin[];
  /** What was proven, once the build has ended. */
  proof(): ContractProof | undefined;
  /** How the capability that was asked for came about, once the build has ended. */
  explanations(): readonly Explanation[];
  /** How far the build came: a config that cannot be loaded is another mistake than a module. */
  stage(): "config" | "graph";
}

/** Options of {@link createScan}. */
export interface ScanOptions extends Pick<AgentSurfaceCompilerOptions, "target" | "externalContracts"> {
  /** Capability to explain. */
  explain?: string;
  /** Whether to end before anything is built where the config has no `agentSurface()`. */
  needsPlugin?: boolean;
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
export function createScan({ explain, needsPlugin, ...options }: ScanOptions): Scan {
  const standIn = { ...createPlugin({ ...options, emit: false }), name: `${PLUGIN_NAME}-scan` };
  let api: AgentSurfaceApi = standIn.api;
  let stage: "config" | "graph" = "config";
  let proof: ContractProof | undefined;
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
        throw new ScanEnded("scan ended");
      },
    },
  };

  return {
    plugins: [{ ...standIn, applyToEnvironment: () => api === standIn.api }, scan],
    proof: () => proof,
    explanations: () => explanations,
    stage: () => stage,
  };
}

/**
 * A bundler closes a stopped build like a finished one, and in `closeBundle` plugins work on the files that
 * were written: none were.
 */
function withoutClosing(plugin: Plugin): Plugin {
  if (plugin.closeBundle === undefined) return plugin;
  const { closeBundle: _, ...rest } = plugin;
  return rest;
}
