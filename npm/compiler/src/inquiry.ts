import { dirname, isAbsolute } from "node:path";
import type { Answer, Known, NativeSession, Question, SchemaQuestion } from "./binding.js";
import { evaluateSchemas } from "./schemas/evaluate.js";

/** What a bundler's plugin context is asked; the part that Vite, Rolldown and Rollup have in common. */
export interface Bundler {
  resolve(
    specifier: string,
    importer: string,
    options: { skipSelf: boolean; custom?: Record<string, unknown> },
  ): Promise<{ id: string; external: boolean | "absolute" | "relative" } | null>;
  getModuleInfo(id: string): ModuleInfo | null;
  getModuleIds(): Iterable<string>;
  meta?: { watchMode?: boolean };
  /** Only while a module is transformed: the map of what was done to it so far. */
  getCombinedSourcemap?(): { sources: readonly unknown[] };
}

/** What a bundler knows of a module. */
interface ModuleInfo {
  code: string | null;
  importers: readonly string[];
  dynamicImporters: readonly string[];
  isEntry: boolean;
  importedIds?: readonly string[];
  dynamicallyImportedIds?: readonly string[];
}

type Resolution = { id?: string; external: boolean };

/** A result, or what must be known before there is one. */
type Step<T> = T | { kind: "ask"; questions: Question[] };

/**
 * Carries the compiler's questions to the bundler. The compiler does no I/O: where it cannot go on it returns
 * what it must know, and is called again once it has been told.
 */
export class Inquiry {
  /**
   * Answers to bare specifiers. Every module of a folder gets the same one, and `@agent-surface/core` is
   * asked for by each module with a contract.
   */
  #bare = new Map<string, Promise<Resolution>>();

  /** Forgets everything: between two builds files come and go. */
  reset(): void {
    this.#bare.clear();
  }

  /**
   * Calls `step` until it no longer asks, answering in between; returns its last word. Not as a promise where
   * nothing is asked: most modules ask nothing, and a promise costs a bundler more than what is in it.
   */
  settle<T extends { kind: string }>(
    session: NativeSession,
    bundler: Bundler,
    step: () => Step<T>,
  ): T | Promise<T> {
    const result = step();
    return isAsk(result) ? this.#goOn(session, bundler, step, result.questions) : result;
  }

  async #goOn<T extends { kind: string }>(
    session: NativeSession,
    bundler: Bundler,
    step: () => Step<T>,
    asked: Question[],
  ): Promise<T> {
    let questions = asked;
    for (;;) {
      // All at once: a module has many imports, and the bundler resolves on several threads.
      const schemas = questions.filter((question) => question.kind === "schema");
      const others = questions.filter((question) => question.kind !== "schema");
      const infoOf = createLookup(bundler);
      session.answer(await Promise.all(others.map((question) => this.#answer(question, bundler, infoOf))));
      const goesOn = bundler.meta?.watchMode === true;
      if (schemas.length > 0) session.answer(await evaluateSchemas(schemas, { goesOn }));
      const result = step();
      if (!isAsk(result)) return result;
      questions = result.questions;
    }
  }

  async #answer(
    question: Exclude<Question, SchemaQuestion>,
    bundler: Bundler,
    infoOf: (id: string) => ModuleInfo | null,
  ): Promise<Answer> {
    switch (question.kind) {
      case "resolve": {
        const { specifier, importer } = question;
        return {
          kind: "resolved",
          specifier,
          importer,
          ...(await this.#resolve(specifier, importer, bundler)),
        };
      }
      case "module":
        return {
          kind: "module",
          id: question.id,
          ...describeModule(question.id, infoOf(question.id), bundler),
        };
      case "code": {
        const text = infoOf(question.id)?.code ?? undefined;
        return { kind: "code", id: question.id, ...(text !== undefined && { text }) };
      }
      case "map": {
        const map = describeMap(bundler);
        return { kind: "map", id: question.id, ...(map !== undefined && { map }) };
      }
      case "installed": {
        const ids = [...bundler.getModuleIds()].filter((id) => id.includes("node_modules"));
        return { kind: "installed", ids };
      }
    }
  }

  #resolve(specifier: string, importer: string, bundler: Bundler): Promise<Resolution> {
    if (!isBare(specifier)) return resolveWith(bundler, specifier, importer, WITHOUT_LOADING);
    const key = `${dirname(importer)}\0${specifier}`;
    let resolution = this.#bare.get(key);
    if (resolution === undefined) {
      resolution = resolveWith(bundler, specifier, importer);
      this.#bare.set(key, resolution);
    }
    return resolution;
  }
}

function isAsk(result: { kind: string }): result is { kind: "ask"; questions: Question[] } {
  return result.kind === "ask";
}

/**
 * Rollup's CommonJS plugin, which is in every Vite 7 build, loads and transforms a module to resolve it, unless
 * it is told that a `require` asks. Two modules that import each other would wait for one another for ever.
 * Only for paths: a package may well export another file to `require`.
 */
const WITHOUT_LOADING = { "node-resolve": { isRequire: true } };

/** A package's name or an alias: what it means does not depend on the file that says it, only on the folder. */
function isBare(specifier: string): boolean {
  return /^[@\w]/.test(specifier) && !/^[a-z]:[\\/]/i.test(specifier);
}

async function resolveWith(
  bundler: Bundler,
  specifier: string,
  importer: string,
  custom?: Record<string, unknown>,
): Promise<Resolution> {
  const found = await bundler.resolve(specifier, importer, { skipSelf: true, ...(custom && { custom }) });
  return found === null ? { external: false } : { id: found.id, external: found.external !== false };
}

/**
 * Looks modules up, each once for all questions of a round: Rolldown copies all it knows of a module for each look.
 */
function createLookup(bundler: Bundler): (id: string) => ModuleInfo | null {
  const found = new Map<string, ModuleInfo | null>();
  return (id) => {
    let info = found.get(id);
    if (info === undefined) {
      info = bundler.getModuleInfo(id);
      found.set(id, info);
    }
    return info;
  };
}

function describeModule(id: string, info: ModuleInfo | null, bundler: Bundler): { known?: Known } {
  if (info === null) return {};
  const { isEntry, importedIds, dynamicallyImportedIds = [] } = info;
  const importers = [...info.importers, ...info.dynamicImporters];
  // Rolldown doesn't say who imports what is left out of the bundle, but what each module imports.
  const isOutside = importers.length === 0 && !isEntry && info.code === null;
  return {
    known: {
      importers: isOutside ? findImporters(id, bundler) : importers,
      ...(importedIds && { imports: [...importedIds, ...dynamicallyImportedIds] }),
      isEntry,
    },
  };
}

function findImporters(id: string, bundler: Bundler): string[] {
  return [...bundler.getModuleIds()].filter((candidate) => {
    const info = bundler.getModuleInfo(candidate);
    return [info?.importedIds, info?.dynamicallyImportedIds].some((ids) => ids?.includes(id));
  });
}

/** The map of a module that is being transformed, where plugins made one. */
function describeMap(bundler: Bundler): string | undefined {
  const map = bundler.getCombinedSourcemap?.();
  return map === undefined || map.sources.length === 0 ? undefined : JSON.stringify(map);
}

/** The files of a bundler's graph that their authors may change. */
export function filesOf(bundler: Pick<Bundler, "getModuleIds">): string[] {
  const paths = [...bundler.getModuleIds()].map((id) => id.split("?")[0] ?? id);
  return paths.filter((path) => isAbsolute(path) && !/[\\/]node_modules[\\/]/.test(path));
}
