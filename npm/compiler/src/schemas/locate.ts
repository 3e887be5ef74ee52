import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { LibraryImport, SchemaLibrary } from "../binding.js";

/** A module of a schema library on disk. */
export interface Located {
  url: string;
  library: SchemaLibrary;
}

/**
 * Where a module of a schema library lies: where the bundler found it, or, for one that is left out of the bundle, where
 * Node finds it from the module that imports it.
 */
export function locate({ specifier, importer, id }: LibraryImport): Located {
  const file = id === undefined ? undefined : withoutQuery(id);
  if (file !== undefined && existsSync(file))
    return { url: pathToFileURL(file).href, library: packageOf(file) };
  try {
    // Of several files that a package has for one name, the one for `require` is as good as any: both describe alike.
    const found = createRequire(pathToFileURL(withoutQuery(importer))).resolve(specifier);
    return { url: pathToFileURL(found).href, library: packageOf(found) };
  } catch {
    // The worker says that it is not there, as the failure of this one program.
    return { url: specifier, library: { name: specifier } };
  }
}

function withoutQuery(id: string): string {
  const path = id.replace(/[?#].*$/s, "").replace(/^\/@fs(?=\/)/, "");
  return path.startsWith("file:") ? fileURLToPath(path) : path;
}

/** The nearest package with a name above a file. */
function packageOf(file: string): SchemaLibrary {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (existsSync(path)) {
      const { name, version } = JSON.parse(readFileSync(path, "utf8")) as { name?: string; version?: string };
      if (name !== undefined) return { name, ...(version !== undefined && { version }) };
    }
    if (folder === dirname(folder)) return { name: file };
  }
}
