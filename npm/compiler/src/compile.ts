import { resolve } from "node:path";
import type { CapabilityContractManifest } from "@agent-surface/core";
import type { InlineConfig } from "vite";
import type { Explanation } from "./binding.js";
import type { ExternalContractPolicy } from "./options.js";
import type { ContractProof } from "./plugin.js";
import { soleCause } from "./refusal.js";
import { createScan } from "./scan.js";
import { viteOf } from "./vite.js";

/** Options of {@link compileCapabilityContract}. */
export interface CompileCapabilityContractOptions {
  /** Folder of the app. Default: the current one. */
  root?: string;
  /** Vite config file, relative to the root. Default: the one that Vite finds there. */
  configFile?: string;
  /** Overrides the target of the app's own `agentSurface()`. */
  target?: string;
  /** Approvals beside those of the app's own `agentSurface()`. */
  externalContracts?: ExternalContractPolicy;
  /** Anything else that Vite should be told, as for its `build()`. */
  vite?: InlineConfig;
}

/** What {@link proveContract} may be asked beyond the contract. */
export interface ProveContractOptions extends CompileCapabilityContractOptions {
  /** Capability to explain. */
  explain?: string;
  /** Whether an app without an `agentSurface()` in its config is an error. */
  needsPlugin?: boolean;
}

/** A contract, where it comes from, and how the capability that was asked for came about. */
export interface ProvenContract extends ContractProof {
  explanations: readonly Explanation[];
}

/** The app's Vite config could not be loaded: its own error is the cause. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * The contract that a production build of the app would prove, without building it: Vite resolves and
 * transforms the module graph with the app's own config and plugins, and stops there. Nothing is rendered or
 * written. Where the config has an `agentSurface()`, that one does the work; its `onManifest` is not called.
 * @throws ContractError where the contract cannot be proven, and whatever Vite throws for a graph it cannot build.
 */
export async function compileCapabilityContract(
  options: CompileCapabilityContractOptions = {},
): Promise<CapabilityContractManifest> {
  const { manifestText } = await prove(options, (error) => error);
  return JSON.parse(manifestText) as CapabilityContractManifest;
}

/**
 * {@link compileCapabilityContract} for tools that review a contract.
 * @throws ConfigError where the app's Vite config cannot be loaded, PluginMissing where it has to have the plugin and
 * has not, else as there.
 */
export function proveContract(options: ProveContractOptions = {}): Promise<ProvenContract> {
  return prove(options, (error, stage) => {
    if (stage === "graph") return error;
    return new ConfigError(error instanceof Error ? error.message : String(error), { cause: error });
  });
}

async function prove(
  options: ProveContractOptions,
  translate: (error: unknown, stage: "config" | "graph") => unknown,
): Promise<ProvenContract> {
  const { vite: inline = {}, target, externalContracts, explain, needsPlugin } = options;
  const root = resolve(options.root ?? inline.root ?? process.cwd());
  const scan = createScan({
    ...(target === undefined ? {} : { target }),
    ...(externalContracts === undefined ? {} : { externalContracts }),
    ...(explain === undefined ? {} : { explain }),
    ...(needsPlugin === undefined ? {} : { needsPlugin }),
  });
  const { build } = await viteOf(root);
  try {
    await build({
      logLevel: "silent",
      ...inline,
      root,
      ...(options.configFile === undefined ? {} : { configFile: resolve(root, options.configFile) }),
      build: { ...inline.build, write: false },
      plugins: [...(inline.plugins ?? []), ...scan.plugins],
    });
  } catch (error) {
    if (scan.proof() === undefined) throw translate(soleCause(error), scan.stage());
  }
  const proof = scan.proof();
  if (proof === undefined) throw new Error("the build ended before its module graph was complete");
  return { ...proof, explanations: scan.explanations() };
}
