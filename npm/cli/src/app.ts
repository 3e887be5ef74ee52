import { existsSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import {
  AddonError,
  ConfigError,
  PluginMissing,
  proveContract,
  type ProvenContract,
} from "@agent-surface/compiler/review";
import { describe, Failure, firstLine, isRefusal } from "./failure.js";
import type { AllowedPackage } from "./options.js";
import { slashed } from "./snapshot.js";

/** The names under which Vite looks for its config. */
const CONFIGS = ["js", "mjs", "ts", "cjs", "mts", "cts"].map((extension) => `vite.config.${extension}`);

/** An app, by its folder. */
export interface App {
  /** Absolute. */
  root: string;
  /** How to call it in messages: its path from where the command runs, or there its own name. */
  name: string;
  /** Its Vite config, from its folder; none for the one that Vite finds. */
  config?: string;
}

/** What to compile of an app, and for what. */
export interface Compilation {
  targets: readonly string[];
  allow: readonly AllowedPackage[];
  /** A capability to explain. */
  explain?: string;
}

/**
 * A folder, from where the command runs.
 * @throws Failure where there is none.
 */
export function findFolder(cwd: string, folder: string): Pick<App, "root" | "name"> {
  const root = resolve(cwd, folder);
  const name = slashed(relative(cwd, root)) || basename(root);
  if (!existsSync(root) || !statSync(root).isDirectory()) throw new Failure(`there is no folder ${name}`);
  return { root, name };
}

/**
 * The app in a folder.
 * @throws Failure where there is none.
 */
export function findApp(cwd: string, folder: string, config?: string): App {
  const { root, name } = findFolder(cwd, folder);
  if (config !== undefined && !existsSync(resolve(root, config))) {
    throw new Failure(`there is no Vite config ${config} in ${name}`);
  }
  if (config === undefined && !hasConfig(root)) {
    throw new Failure(
      `${name} is not a Vite project: it has no vite.config file; name the app with --root or --config`,
    );
  }
  return { root, name, ...(config !== undefined && { config }) };
}

/** Whether Vite finds a config in a folder. */
export function hasConfig(folder: string): boolean {
  return CONFIGS.some((name) => existsSync(join(folder, name)));
}

/**
 * Compiles an app's contract once for each target, or for the one that its plugin names.
 * @throws Failure in one line, or the compiler's ContractError with its whole report.
 */
export async function compileApp(
  app: App,
  { targets, allow, explain }: Compilation,
): Promise<ProvenContract[]> {
  const proven: ProvenContract[] = [];
  // One after the other: a bundler takes all processors for itself.
  for (const target of targets.length > 0 ? targets : [undefined]) {
    try {
      proven.push(
        // oxlint-disable-next-line no-await-in-loop
        await proveContract({
          root: app.root,
          needsPlugin: true,
          ...(app.config !== undefined && { configFile: app.config }),
          ...(target !== undefined && { target }),
          ...(allow.length > 0 && { externalContracts: { allow: [...allow] } }),
          ...(explain !== undefined && { explain }),
        }),
      );
    } catch (error) {
      throw translate(app, error);
    }
  }
  return proven;
}

function translate(app: App, error: unknown): unknown {
  if (isRefusal(error)) return error;
  // No fault of the app's.
  if (error instanceof AddonError) return new Failure(error.message);
  if (error instanceof PluginMissing) return new PluginFailure(`${app.name}: ${error.message}`);
  if (error instanceof ConfigError) {
    return new Failure(`the Vite config of ${app.name} cannot be loaded: ${firstLine(error.message)}`);
  }
  return new Failure(`the modules of ${app.name} cannot be built: ${describe(error)}`);
}

/** An app whose Vite config lacks the plugin; of a workspace it is no part. */
export class PluginFailure extends Failure {}
