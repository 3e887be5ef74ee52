import { resolve } from "node:path";
import type { CapabilityContractManifest } from "@agent-surface/core";
import type { InlineConfig } from "vite";
import type { ExternalContractPolicy } from "./options.js";
import { createScan } from "./scan.js";

/** Options of {@link compileCapabilityContract}. */
export interface CompileCapabilityContractOptions {
  /** Folder of the app. Default: the current one. */
  root?: string;
  /** Vite config file, relative to the root. Default: the one that Vite finds there. */
  configFile?: string;
  /** Overrides the target of the app's own `agentSurface()`. */
  target?: string;
  /** Overrides the policy of the app's own `agentSurface()`. */
  externalContracts?: ExternalContractPolicy;
  /** Anything else that Vite should be told, as for its `build()`. */
  vite?: InlineConfig;
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
  const { vite: inline = {}, target, externalContracts } = options;
  const root = resolve(options.root ?? inline.root ?? process.cwd());
  const scan = createScan({
    ...(target === undefined ? {} : { target }),
    ...(externalContracts === undefined ? {} : { externalContracts }),
  });
  // Only here: with Rolldown or Rollup alone there is no Vite to import.
  const { build } = await import("vite");
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
    if (scan.manifest() === undefined) throw soleCause(error);
  }
  const manifest = scan.manifest();
  if (manifest === undefined) throw new Error("the build ended before its module graph was complete");
  return manifest;
}

/** Rolldown wraps what a plugin throws in an error of its own, whose message repeats it with a stack. */
function soleCause(error: unknown): unknown {
  const errors = (error as { errors?: unknown }).errors;
  return Array.isArray(errors) && errors.length === 1 ? errors[0] : error;
}
