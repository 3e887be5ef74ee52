import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as ViteModule from "vite";

/** The functions of Vite. */
export type Vite = typeof ViteModule;

/**
 * The Vite of this version: that beside this package, or the app's own. None where both are of another one, as where a
 * tool brings its own copy along; its plugins are no plugins of theirs then.
 */
export async function findVite(root: string, version: string | undefined): Promise<Vite | undefined> {
  // Only here: with Rolldown or Rollup alone there is no Vite to import.
  const beside = await import("vite");
  if (beside.version === version) return beside;
  try {
    const found = (await import(locateVite(root))) as Vite;
    return found.version === version ? found : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The Vite that builds the app in a folder: the one that its scripts run, which in a workspace may be of another version
 * than that of the tool; else the one beside this package.
 */
export async function viteOf(root: string): Promise<Vite> {
  let url: string;
  try {
    url = locateVite(root);
  } catch {
    return await import("vite");
  }
  return (await import(url)) as Vite;
}

/**
 * Where an app has its Vite.
 * @throws Error where it has none.
 */
function locateVite(root: string): string {
  return pathToFileURL(createRequire(join(root, "package.json")).resolve("vite")).href;
}
