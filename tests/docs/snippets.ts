/**
 * Holds what a documentation page shows against the packages: its fenced `ts` and `tsx` blocks are type-checked.
 *
 * ```ts
 * it("every snippet of the oRPC page compiles", () => {
 *   checkSnippets("npm/orpc/README.md", { given: `declare const session: { user: string };` });
 * });
 * ```
 *
 * - A block that begins with a path in a comment (`// src/contracts.ts`) is that file, and other blocks may import it.
 *   A path that occurs twice is one file, the blocks in their order.
 * - Every other block is a module of its own. What all of them may use without importing it, the app that a page takes
 *   for granted, is declared by `given`: a script of declarations.
 * - `virtual:agent-surface-contract` and JSX are known. `await` may stand at the top.
 * - A block that shows a mistake, or only a part of something, is another language: ```text, ```diff.
 *
 * A page that builds a whole app is written to a folder by {@link writeFiles}, to be built there.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { linkPackages, scratch, workspace } from "../fixtures/apps.js";

/** A fenced block of a page. */
export interface Snippet {
  /** `ts`, `tsx`, `json`, `html`, `sh`… */
  readonly language: string;
  readonly code: string;
  /** The path in the comment that it begins with. */
  readonly path: string | undefined;
  /** Of its first line in the page, from 1 on. */
  readonly line: number;
}

/** What a page takes for granted. */
export interface Surroundings {
  /** Declarations of a script, which are global: `declare const app: import("./app").App;` */
  readonly given?: string;
  /** Files that the page does not show, by their path. */
  readonly files?: Readonly<Record<string, string>>;
}

const FENCE = /^(?<indent> *)```(?<language>[a-z]+)?[^\n]*\n(?<code>.*?)^\k<indent>```$/gms;
const PATH = /^(?:\/\/|<!--|#) (?<path>[\w@.-]+(?:\/[\w@.-]+)*\.[a-z]+)(?: -->)?\n/;

/** The fenced blocks of a page of the checkout. */
export function readSnippets(page: string): Snippet[] {
  const text = readFileSync(workspace(page), "utf8");
  return Array.from(text.matchAll(FENCE), ({ index, groups = {} }) => {
    const { language = "", code = "" } = groups;
    return {
      language,
      code,
      path: PATH.exec(code)?.groups?.["path"],
      line: text.slice(0, index).split("\n").length + 1,
    };
  });
}

/**
 * Type-checks the `ts` and `tsx` blocks of a page with the compiler of the checkout, as strictly as an app of ours
 * would.
 *
 * @throws Error with what the compiler says, at the lines of the page; and where there is no such block
 */
export function checkSnippets(page: string, { given = "", files = {} }: Surroundings = {}): void {
  const snippets = readSnippets(page).filter(({ language }) => language === "ts" || language === "tsx");
  if (snippets.length === 0) throw new Error(`${page} has no snippet to check`);
  const folder = scratch();
  linkPackages(folder);
  const modules = new Map<string, string>();
  for (const { language, code, path, line } of snippets) {
    const name = path ?? `line-${line}.${language}`;
    // Blank lines before the code put the compiler's positions where the page has them.
    const before = modules.get(name) ?? "";
    const blank = "\n".repeat(Math.max(0, line - 1 - (before.split("\n").length - 1)));
    modules.set(name, before + blank + code);
  }
  write(folder, files);
  for (const [name, code] of modules) write(folder, { [name]: `${code}\nexport {};\n` });
  write(folder, {
    "given.ts": `/// <reference types="@agent-surface/compiler/client" />\n${given}\n`,
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, include: ["**/*"] }),
  });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [workspace("node_modules/typescript/bin/tsc"), "-p", folder, "--pretty", "false"],
    { encoding: "utf8", cwd: folder },
  );
  if (status === 0) return;
  throw new Error(`the snippets of ${page} do not compile; line numbers are the page's\n${stdout}${stderr}`);
}

/** Writes the blocks of a page that have a path into a folder; those of one path are one file. */
export function writeFiles(page: string, folder: string): string[] {
  const files: Record<string, string> = {};
  for (const { path, code } of readSnippets(page)) {
    if (path !== undefined) files[path] = (files[path] ?? "") + code;
  }
  write(folder, files);
  return Object.keys(files);
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What an app of ours is checked with; a snippet may leave unused what it is there to show. */
const OPTIONS = {
  target: "ES2023",
  lib: ["ES2023", "DOM", "DOM.Iterable"],
  module: "ESNext",
  moduleResolution: "Bundler",
  types: ["node"],
  jsx: "react-jsx",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  skipLibCheck: true,
  noEmit: true,
};
