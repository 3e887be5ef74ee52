import { writeFileSync, mkdirSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type OutputOptions } from "rolldown";
import { rollup } from "rollup";
import { build as build8 } from "vite";
import { build as build7 } from "vite7";
import type { AgentSurfacePlugin } from "@agent-surface/compiler";

/** A file of a bundle: a chunk with its map, or an asset. */
export interface OutputFile {
  fileName: string;
  text: string;
  /** Source map, where one was asked for. */
  map?: { sources: string[]; mappings: string; version: number; names: string[] };
}

/** How an app is to be bundled. */
export interface Request {
  root: string;
  /** Entry, relative to the root. */
  entry?: string;
  plugins: (AgentSurfacePlugin | TestPlugin)[];
  sourcemap?: boolean;
  /** Names of the outputs; more than one is more than one output. */
  outputs?: string[];
  /** Specifiers that stay outside the bundle. */
  external?: string[];
  /** Hears every warning. */
  onWarn?: (code: string | undefined, message: string) => void;
  /** Only for Vite. */
  minify?: false | undefined | "oxc" | "esbuild" | "terser";
}

/** Another plugin, as far as all bundlers have the hook. */
export interface TestPlugin {
  name: string;
  enforce?: "pre" | "post";
  resolveId?: (specifier: string) => string | null;
  load?: (id: string) => string | null;
  transform?: (code: string, id: string) => string | null;
}

/** A bundler under test. */
export interface Bundler {
  name: string;
  /** Resolves to the files of each output. */
  bundle(request: Request): Promise<OutputFile[][]>;
}

interface RawFile {
  type: "chunk" | "asset";
  fileName: string;
  code?: string;
  source?: string | Uint8Array;
  map?: OutputFile["map"] | null;
}

function describeFiles(raw: readonly unknown[]): OutputFile[] {
  return (raw as RawFile[]).map(({ fileName, code, source, map }) => ({
    fileName,
    text: code ?? (typeof source === "string" ? source : new TextDecoder().decode(source)),
    ...(map ? { map } : {}),
  }));
}

const entryOf = (request: Request): string => join(request.root, request.entry ?? "src/main.js");
const namesOf = (request: Request): string[] => request.outputs ?? ["app"];
const outputOf = (name: string) => ({
  format: "es" as const,
  entryFileNames: `${name}.js`,
  chunkFileNames: `${name}-[name]-[hash].js`,
});

function vite(name: string, build: typeof build8): Bundler {
  return {
    name,
    async bundle(request) {
      const result = await build({
        root: request.root,
        configFile: false,
        logLevel: "silent",
        plugins: request.plugins,
        build: {
          write: false,
          target: "esnext",
          minify: request.minify ?? false,
          sourcemap: request.sourcemap ?? false,
          modulePreload: false,
          rollupOptions: {
            input: entryOf(request),
            preserveEntrySignatures: "strict",
            external: request.external ?? [],
            onwarn: ({ code, message }) => request.onWarn?.(code, message),
            output: namesOf(request).map(outputOf),
          },
        },
      });
      return [result].flat().map((output) => ("output" in output ? describeFiles(output.output) : []));
    },
  };
}

/** Rollup resolves no packages by itself. */
const resolvePackages = {
  name: "resolve-packages",
  resolveId: (specifier: string, importer: string | undefined) =>
    importer !== undefined && /^[@#a-z]/.test(specifier) && !specifier.startsWith("virtual:")
      ? createRequire(pathToFileURL(importer)).resolve(specifier)
      : null,
};

export const VITE_8 = vite("Vite 8", build8);

// The two majors differ in types that play no part here.
export const VITE_7 = vite("Vite 7", build7 as unknown as typeof build8);

export const ROLLDOWN: Bundler = {
  name: "Rolldown",
  async bundle(request) {
    const bundle = await rolldown({
      cwd: request.root,
      logLevel: request.onWarn === undefined ? "silent" : "warn",
      input: entryOf(request),
      plugins: request.plugins,
      external: request.external ?? [],
      onwarn: ({ code, message }) => request.onWarn?.(code, message),
    });
    return generateAll(request, (options) => bundle.generate(options));
  },
};

export const ROLLUP: Bundler = {
  name: "Rollup",
  async bundle(request) {
    // Rollup has no notion of a root: it is wherever it was started.
    const before = process.cwd();
    process.chdir(request.root);
    try {
      const bundle = await rollup({
        input: entryOf(request),
        logLevel: request.onWarn === undefined ? "silent" : "warn",
        plugins: [resolvePackages, ...request.plugins],
        external: request.external ?? [],
        onwarn: ({ code, message }) => request.onWarn?.(code, message),
      });
      return await generateAll(request, (options) => bundle.generate(options as object));
    } finally {
      process.chdir(before);
    }
  },
};

async function generateAll(
  request: Request,
  generate: (options: OutputOptions) => Promise<{ output: readonly unknown[] }>,
): Promise<OutputFile[][]> {
  const all: OutputFile[][] = [];
  for (const name of namesOf(request)) {
    // A bundle's outputs are generated in turn, as its own API asks.
    const { output } = await generate({ ...outputOf(name), sourcemap: request.sourcemap ?? false });
    all.push(describeFiles(output));
  }
  return all;
}

/** All of them. */
export const BUNDLERS: readonly Bundler[] = [VITE_8, VITE_7, ROLLDOWN, ROLLUP];

/** Bundles into one output. */
export async function bundleOnce(bundler: Bundler, request: Request): Promise<OutputFile[]> {
  const [files = []] = await bundler.bundle(request);
  return files;
}

/** The file of a bundle that has this name. */
export function fileNamed(files: readonly OutputFile[], name: string): OutputFile {
  const file = files.find(({ fileName }) => fileName === name);
  if (file === undefined) throw new Error(`no ${name} among ${files.map((it) => it.fileName).join(", ")}`);
  return file;
}

/** Writes a bundle into a new folder of the app and imports one of its modules, as a page would. */
export async function run(
  root: string,
  files: readonly OutputFile[],
  name: string,
): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(root, "out-"));
  for (const { fileName, text } of files) {
    mkdirSync(dirname(join(folder, fileName)), { recursive: true });
    writeFileSync(join(folder, fileName), text);
  }
  return (await import(pathToFileURL(join(folder, name)).href)) as Record<string, unknown>;
}
