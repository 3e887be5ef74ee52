import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";
import { workspace } from "./fixtures/apps.js";

/** The part of a package.json that these tests look at. */
interface Manifest {
  name: string;
  version: string;
  license: string;
  description: string;
  type: string;
  engines: { node: string };
  preferUnplugged?: boolean;
  exports: Record<string, string | Record<string, string>>;
  imports?: Record<string, string | Record<string, string>>;
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
}

const read = (path: string) => readFileSync(workspace(path), "utf8");
const folders = readdirSync(workspace("npm")).map((name) => `npm/${name}`);
const manifests = folders.map((folder) => JSON.parse(read(`${folder}/package.json`)) as Manifest);

/** What npm would publish of each package, by its name. */
const published: ReadonlyMap<string, readonly string[]> = new Map(
  (
    JSON.parse(
      execFileSync(
        "npm",
        [
          "pack",
          "--dry-run",
          "--json",
          "--ignore-scripts",
          ...folders.flatMap((folder) => ["--workspace", folder]),
        ],
        { cwd: workspace("."), encoding: "utf8" },
      ),
    ) as { name: string; files: { path: string }[] }[]
  ).map(({ name, files }) => [name, files.map(({ path }) => path)]),
);

/** The files that a package's entries lead to. */
function targets({ exports, imports = {}, bin = {} }: Manifest): string[] {
  const entries = [...Object.values(exports), ...Object.values(imports)];
  const files = entries.flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)));
  return [...files, ...Object.values(bin)].map((file) => file.replace(/^\.\//, ""));
}

/** The packages that a module imports, statically or not, and those that its types do. */
function packagesIn(code: string): string[] {
  const specifiers = code.matchAll(/(?:^|[\s;}])(?:from|import)\s*\(?\s*"([^".#][^"]*)"/gm);
  return [...specifiers].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("node:") || specifier.startsWith("virtual:")) return [];
    const [scope = "", name = ""] = specifier.split("/");
    return builtinModules.includes(scope) ? [] : [scope.startsWith("@") ? `${scope}/${name}` : scope];
  });
}

describe.each(manifests.map((manifest, index) => ({ folder: folders[index] ?? "", ...manifest })))(
  "$name",
  (manifest) => {
    const files = published.get(manifest.name) ?? [];

    it("is published with its licence, its readme, and every file that its entries lead to", () => {
      expect(read(`${manifest.folder}/LICENSE`)).toBe(read("LICENSE"));
      expect(files).toEqual(
        expect.arrayContaining(["LICENSE", "README.md", "package.json", ...targets(manifest)]),
      );
      expect(files.filter((file) => /\.test\.|(?:^|\/)(?:src|test)\//.test(file))).toEqual([]);
    });

    it("says what it is and what it needs", () => {
      const { license, description, type, engines } = manifest;
      expect({ license, type, engines }).toEqual({
        license: "MIT",
        type: "module",
        engines: { node: ">=20.19.0" },
      });
      expect(description).not.toBe("");
    });

    it("is unpacked by Yarn's PnP, where the compiler has to know it in a bundle", () => {
      // The command runs in Node, which looks into Yarn's archives; the compiler's addon Yarn unpacks as it is.
      const isTool = ["@agent-surface/cli", "@agent-surface/compiler"].includes(manifest.name);
      expect(manifest.preferUnplugged).toBe(isTool ? undefined : true);
    });

    it("has types for every module of its exports, and names them first", () => {
      for (const entry of Object.values(manifest.exports).filter((it) => typeof it === "object")) {
        expect(Object.keys(entry)[0]).toBe("types");
      }
    });

    it("depends on all that it imports, and on no more of the others than this release", () => {
      const { dependencies = {}, peerDependencies = {}, name } = manifest;
      const modules = files.filter((file) => /^dist\/.*\.(?:js|d\.ts)$/.test(file));
      const imported = modules.flatMap((file) => packagesIn(read(`${manifest.folder}/${file}`)));
      const known = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]);
      expect([...new Set(imported)].filter((it) => !known.has(it))).toEqual([]);
      const own = Object.entries({ ...dependencies, ...peerDependencies }).filter(([it]) =>
        manifests.some((other) => other.name === it),
      );
      for (const [other, range] of own) expect({ other, range }).toEqual({ other, range: manifest.version });
    });
  },
);
