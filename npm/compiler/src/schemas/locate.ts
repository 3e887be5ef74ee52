import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { LibraryImport, SchemaLibrary } from "../binding.js";

/** A module of a schema library on disk. */
export interface Located {
  url: string;
  library: SchemaLibrary;
  /** Differs where the package was installed anew. */
  stamp: string;
}

/** Where modules of schema libraries lie, each looked up once. */
export class Places {
  #known = new Map<string, Located>();

  /**
   * Where a module of a schema library lies: where the bundler found it, or, for one that is left out of the bundle, where
   * Node finds it from the module that imports it.
   */
  of(it: LibraryImport): Located {
    const key = it.id ?? `${it.specifier}\0${it.importer}`;
    const known = this.#known.get(key) ?? locate(it);
    this.#known.set(key, known);
    return known;
  }

  /** All of them, each URL once. */
  all(): Located[] {
    return [...new Map([...this.#known.values()].map((it) => [it.url, it])).values()];
  }
}

function locate({ specifier, importer, id }: LibraryImport): Located {
  const file = id === undefined ? undefined : withoutQuery(id);
  if (file !== undefined && existsSync(file)) return located(file);
  try {
    // Of several files that a package has for one name, the one for `require` is as good as any: both describe alike.
    return located(createRequire(pathToFileURL(withoutQuery(importer))).resolve(specifier));
  } catch {
    // The worker says that it is not there, as the failure of this one program.
    return { url: specifier, library: { name: specifier }, stamp: "" };
  }
}

function located(file: string): Located {
  const library = packageOf(file);
  const { mtimeMs, size } = statSync(file);
  return { url: pathToFileURL(file).href, library, stamp: `${library.version} ${mtimeMs} ${size}` };
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
