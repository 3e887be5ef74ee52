import type { CapabilityContractManifest } from "@agent-surface/core";
import type { Plugin } from "vite";
import type { AgentSurfaceCompilerOptions } from "./options.js";
import { createPlugin, PLUGIN_NAME, type AgentSurfaceApi } from "./plugin.js";

/** A build that ends with its module graph. */
export interface Scan {
  /** For Vite's inline config, after all others there. */
  plugins: Plugin[];
  /** What was proven, once the build has ended. */
  manifest(): CapabilityContractManifest | undefined;
}

/** Ends the build. Nobody sees it: who began the scan has the contract by then. */
class ScanEnded extends Error {
  override readonly name = "ScanEnded";
}

/**
 * The plugins that turn a Vite build into a scan. The app's own `agentSurface()` is used where its config has
 * one, since two would find the same contracts twice; else a stand-in is.
 */
export function createScan(options: Pick<AgentSurfaceCompilerOptions, "target" | "externalContracts">): Scan {
  const standIn = { ...createPlugin({ ...options, emit: false }), name: `${PLUGIN_NAME}-scan` };
  let api: AgentSurfaceApi = standIn.api;
  let text: string | undefined;

  const scan: Plugin = {
    name: "agent-surface:scan",
    enforce: "post",

    config(config) {
      // Merging ignores `null`, so an app's own `build.watch` has to be taken out by hand.
      if (config.build?.watch) config.build.watch = null;
    },

    configResolved(config) {
      const own = config.plugins.find((plugin) => plugin.name === PLUGIN_NAME) as
        | Plugin<AgentSurfaceApi>
        | undefined;
      if (own?.api === undefined) return;
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
      handler(error) {
        if (error !== undefined) return;
        text = api.proof(this.environment.name)?.manifestText;
        throw new ScanEnded("scan ended");
      },
    },
  };

  return {
    plugins: [{ ...standIn, applyToEnvironment: () => api === standIn.api }, scan],
    manifest: () => (text === undefined ? undefined : (JSON.parse(text) as CapabilityContractManifest)),
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
