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
    const path = createRequire(join(root, "package.json")).resolve("vite");
    const found = (await import(pathToFileURL(path).href)) as Vite;
    return found.version === version ? found : undefined;
  } catch {
    return undefined;
  }
}
