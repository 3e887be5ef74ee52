import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Binding } from "./binding.js";

/** There is no addon for this machine, or it cannot be loaded. */
export class AddonError extends Error {
  override readonly name = "AddonError";
}

/** Folder of the addons, beside `dist`. One package carries those of every platform it was built for. */
const FOLDER = new URL("../native/", import.meta.url);

/** The addon of this machine, loaded on first use so that importing the package costs nothing. */
export function native(): Binding {
  loaded ??= load(addonName(process.platform, process.arch, usesMusl()));
  return loaded;
}

let loaded: Binding | undefined;

/**
 * File name of the addon for a platform, as `cargo xtask build` writes it: a Linux addon also names its C
 * library, because one built against glibc doesn't start on musl.
 */
export function addonName(platform: string, arch: string, musl: boolean): string {
  const libc = platform === "linux" ? (musl ? "-musl" : "-gnu") : "";
  return `agent-surface.${platform}-${arch}${libc}.node`;
}

/**
 * Loads one addon.
 * @throws AddonError which says what is missing and how to get it.
 */
export function load(name: string): Binding {
  const path = fileURLToPath(new URL(name, FOLDER));
  if (!existsSync(path)) {
    throw new AddonError(
      `@agent-surface/compiler has no native addon for this machine (${process.platform} ${process.arch}): ` +
        `${path} does not exist; ${whatThereIs()}. In a checkout of agent-surface, \`cargo xtask build\` makes it.`,
    );
  }
  try {
    return createRequire(import.meta.url)(path) as Binding;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AddonError(`the native addon of @agent-surface/compiler cannot be loaded: ${why}`, {
      cause: error,
    });
  }
}

/** The platforms that there are addons for. */
function whatThereIs(): string {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER) : [];
  const platforms = names.flatMap((name) => /^agent-surface\.(.+)\.node$/.exec(name)?.[1] ?? []);
  return platforms.length === 0 ? "there is none at all" : `there are those for ${platforms.join(", ")}`;
}

/** How much of an executable is read: the name of what loads it stands right behind the headers. */
const HEAD = 4096;

/**
 * Whether this Node runs on musl. Its own executable says so, by the name of what loads it. Where that can't be read, or names
 * none, Node's report says which glibc Node runs on, if it does: to make it takes as long as to load this whole package.
 */
function usesMusl(): boolean {
  if (process.platform !== "linux") return false;
  const loader = /\/ld-(musl|linux)-/.exec(headOf(process.execPath))?.[1];
  if (loader !== undefined) return loader === "musl";
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined;
}

/** The first bytes of a file, as text; none of one that can't be read. */
function headOf(path: string): string {
  const head = Buffer.alloc(HEAD);
  try {
    const file = openSync(path, "r");
    try {
      return head.toString("latin1", 0, readSync(file, head));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
