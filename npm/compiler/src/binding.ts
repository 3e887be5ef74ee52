/**
 * What the Rust addon exports (`crates/napi-binding`), as TypeScript sees it. The addon holds the compiler;
 * this package only carries questions and answers between it and the bundler.
 */
import type { Define } from "./defines.js";
import type { ExternalContractAllowEntry } from "./options.js";

/** Where a session works and for whom. */
export interface SessionOptions {
  /** Absolute path of the app; module paths in the contract are relative to it. */
  root: string;
  /** Where the root's symbolic links lead: bundlers name modules by their real paths, unless told not to. */
  realRoot: string;
  /** Name of the deployable that is being built, e.g. `web-production`. */
  target: string;
  /** Whether edits come with a source map. */
  sourceMaps: boolean;
  /** The constants that the bundler puts in the place of names. */
  defines: Define[];
  /** What dependencies may contribute. */
  approvals: ExternalContractAllowEntry[];
  /** Whether tools that no contract proves are only warned of. */
  allowRawTools: boolean;
}

/** What the compiler must learn from the bundler before it can go on. */
export type Question =
  | { kind: "resolve"; specifier: string; importer: string }
  /** Whether the module is in the graph, who imports it, and whether it is an entry. */
  | { kind: "module"; id: string }
  /** Its text after all transforms. */
  | { kind: "code"; id: string }
  /** The source map from the text that was just handed over to its author's. */
  | { kind: "map"; id: string }
  /** The ids of the graph's modules that have `node_modules` in them. */
  | { kind: "installed" }
  | SchemaQuestion;

/** What a schema library makes of an expression; all of a build come at once. See `schemas/evaluate.ts`. */
export interface SchemaQuestion {
  kind: "schema";
  key: string;
  imports: LibraryImport[];
  program: string;
}

/** A module of a schema library. */
export interface LibraryImport {
  /** As it was written. */
  specifier: string;
  /** The module that imports it. */
  importer: string;
  /** The module that it leads to; absent where the bundler leaves it out of the bundle. */
  id?: string;
}

/** A schema library that took part in a build. */
export interface SchemaLibrary {
  name: string;
  version?: string;
}

/** The bundler's reply to one {@link Question}. */
export type Answer =
  | { kind: "resolved"; specifier: string; importer: string; id?: string; external: boolean }
  | { kind: "module"; id: string; known?: Known }
  | { kind: "code"; id: string; text?: string }
  | { kind: "map"; id: string; map?: string }
  | { kind: "installed"; ids: string[] }
  | SchemaAnswer;

/** A module of the bundler's graph. */
export interface Known {
  importers: string[];
  /** All that it imports, however it does; absent where the bundler can't tell. */
  imports?: string[];
  isEntry: boolean;
}

/** What a schema library made of an expression, or why nothing. */
export interface SchemaAnswer {
  kind: "schema";
  key: string;
  document?: string;
  failure?: { message: string; site?: number; standIn?: number };
  libraries: SchemaLibrary[];
}

/** An edited text. */
export interface Output {
  code: string;
  /** Source map as JSON, present when the session was asked for maps. */
  map?: string;
}

/** Everything that keeps a build from being proven. */
export interface Report {
  /** Every finding with its frame and help. */
  text: string;
  diagnostics: Diagnostic[];
}

/** Result of handing over one module. */
export type Transform =
  | { kind: "unchanged" }
  /** `libraries` are the modules of schema libraries that it will likely need. */
  | { kind: "changed"; output: Output; libraries?: LibraryImport[] }
  /** The bundler must not even parse it. */
  | { kind: "refused"; report: Report }
  | { kind: "ask"; questions: Question[] };

/** One finding, placed in the author's source. */
export interface Diagnostic {
  severity: "error" | "warning";
  /** Stable name of its kind, e.g. `agent-surface(dynamic-value)`. */
  code: string;
  message: string;
  /** Id of the module it is about. */
  id?: string;
  /** Its file's path relative to the root. */
  file?: string;
  /** Counted from 1; 0 without a place. */
  line: number;
  /** Counted from 1, in UTF-16 code units; 0 without a place. */
  column: number;
  /** The rendered text: message, the lines around the place, help. */
  frame: string;
  /** What to write instead. */
  help?: string;
}

/** Where a proven capability is declared. */
export interface LocatedCapability {
  capabilityId: string;
  declarationId: string;
  /** Path relative to the root. */
  file: string;
  /** Counted from 1; 0 in generated code from which no source map leads back to its author's. */
  line: number;
  /** Counted from 1, in UTF-16 code units; 0 as `line` is. */
  column: number;
}

/** What another environment of the app proved by itself. */
export interface Neighbour {
  environment: string;
  proof: NativeProof;
}

/** What came of several environments. */
export type Union = { kind: "proven"; proof: NativeProof } | { kind: "refused"; report: Report };

/** What a build has proven. */
export interface NativeProof {
  /** The contract file, byte for byte. */
  manifest: string;
  hash: string;
  warnings: Diagnostic[];
  capabilities: LocatedCapability[];
}

/** Result of closing the graph. */
export type Close =
  | { kind: "proven"; proof: NativeProof }
  | { kind: "refused"; report: Report }
  | { kind: "ask"; questions: Question[] };

/** The compiler's state for one environment of one build; lives on through watch rebuilds. */
export interface NativeSession {
  /** Takes a module's text as the author wrote it. After an `ask`: answer, then call again. */
  transform(id: string, source: string): Transform;
  /** Takes a module's text as other plugins left it. After an `ask`: answer, then call again. */
  transformCompiled(id: string, source: string): Transform;
  /**
   * Takes a module as a server is about to hand it out, before or after other plugins, and puts in what was proven.
   * After an `ask`: answer, then call again.
   */
  serve(id: string, source: string, compiled: boolean): Transform;
  /** The names of what such a module, of which nothing more is asked, declares and nothing proved. */
  findUnproven(id: string, source: string, compiled: boolean): string[];
  /** Decides over everything seen. After an `ask`: answer, then call again. */
  close(): Close;
  /**
   * Makes one contract of what was proven here, in the environment of this name, and in others; `null` before anything
   * was. Where it does not join them, they must have declared all of it.
   */
  unite(environment: string, others: Neighbour[], joins: boolean): Union | null;
  /**
   * Holds what was proven here, in the environment of this name, against what it was found to be going to prove; the
   * report of what is not the same, or `null`.
   */
  checkForeseen(environment: string, foreseen: NativeProof): Report | null;
  /** How a proven capability came about, once for each declaration of it. After an `ask`: answer, then call again. */
  explain(capabilityId: string): Explain;
  answer(answers: Answer[]): void;
  /** Begins a rebuild: answers and verdict are forgotten, the facts of unchanged modules stay. */
  restart(): void;
  /** Lets go of everything but what `render` puts in. */
  release(): void;
  forgetModule(id: string): void;
  /** Files that the contract rests on and that are no modules: those of dependencies, there or not. */
  contractFiles(): string[];
  /** Puts the proven values in the place of their placeholders; `null` where the chunk has none. */
  render(code: string): Output | null;
  /** Gives the memory back to the system that is free by now. */
  giveBack(): void;
  /** Names what a page was served of the proof; `null` before it. */
  servedDigest(): string | null;
  /** Source of `virtual:agent-surface-contract`. */
  authorityModule(): string;
}

/** What a crawl is told once; see `crates/crawl/src/message.rs`. */
export interface CrawlOptions {
  session: SessionOptions;
  /** Aliases whose pattern is a text. */
  aliases: { find: string; replacement: string }[];
  conditions: string[];
  mainFields: string[];
  extensions: string[];
  preserveSymlinks: boolean;
  dedupe: string[];
  /** Names that stay outside of the bundle. */
  externals: string[];
  /** Whether the `paths` of `tsconfig.json` files lead somewhere. */
  tsconfigPaths: boolean;
  /** The `tsconfig.json` of all modules, if there is but one. */
  tsconfig?: string;
  /** What a build puts into a page for `%NAME%`. */
  pageConstants: { name: string; text: string }[];
  /** The folder whose files are part of the site as they are. */
  publicDir?: string;
  /** What a server leaves outside of its bundle; absent for a page, which has everything in it. */
  server?: CrawlServer;
  /** Names that JSX needs in scope. */
  jsxNames: string[];
  /** Whether plugins have a say in every specifier, before anything else has. */
  asksFirst: boolean;
  /** Whether plugins have a say in texts. */
  asksForTexts: boolean;
}

/** What a server leaves outside of its bundle: `resolve.external` and `resolve.noExternal`. */
export interface CrawlServer {
  /** Whether everything that can stay outside does. */
  leavesAll: boolean;
  /** Specifiers and packages that stay outside. */
  leaves: string[];
  /** Whether every package is in the bundle that is not named above. */
  keepsAll: boolean;
  /** Packages that are in the bundle. */
  keeps: string[];
  /** Whether it has to be asked which packages are in the bundle. */
  asks: boolean;
  /** Conditions of package exports that hold for what stays outside. */
  conditions: string[];
}

/** What plugins, and patterns of the config, have to say. */
export type CrawlNeed =
  | SchemaQuestion
  | { kind: "keep"; package: string }
  | { kind: "resolve"; specifier: string; importer: string; lost: boolean }
  | { kind: "load"; id: string }
  | { kind: "transform"; id: string };

/** What they said. */
export type CrawlFact =
  | SchemaAnswer
  | { kind: "kept"; package: string; inside: boolean }
  | { kind: "resolved"; specifier: string; importer: string; lost: boolean; id?: string; external: boolean }
  | { kind: "emitted"; id: string; entries: string[] }
  | { kind: "loaded"; id: string; text?: string }
  | { kind: "transformed"; id: string; text?: string; map?: string };

/** How far a crawl has come. */
export type CrawlStep =
  | { kind: "ask"; needs: CrawlNeed[] }
  /** The last verdict holds. */
  | { kind: "unchanged" }
  | { kind: "proven" }
  | { kind: "refused"; report: Report }
  /** A module can't be read, so the graph has no end. */
  | { kind: "unreadable"; reason: string };

/** The graph of an app that is served; it follows the files. */
export interface NativeCrawl {
  /** Begins at more modules. */
  enter(entries: string[]): void;
  advance(facts: CrawlFact[]): CrawlStep;
  /** Lets go of everything: it has then seen nothing yet. */
  release(): void;
  /** Makes one contract of what was proven here and in other environments; `null` before anything was. */
  unite(environment: string, others: Neighbour[]): Union | null;
  /** How a proven capability came about, once for each declaration of it. */
  explain(capabilityId: string): Explanation[];
  /** What was proven last; made at every call. */
  proof(): NativeProof | null;
  noteChanges(files: string[], cameOrWent: boolean): void;
  /** A module's text, as plugins are to see it next. */
  textOf(id: string): string | null;
  /** Where a specifier leads where no plugin has a say. */
  resolve(importer: string, specifier: string): { id: string; external: boolean } | null;
  serve(id: string, source: string, compiled: boolean): Output | null;
  /** The names of what such a module declares and no entry leads to. */
  findUnproven(id: string, source: string, compiled: boolean): string[];
  authorityModule(): string;
  servedDigest(): string | null;
  /** The files of the graph that their author may change. */
  files(): string[];
  /** Those of the files that were changed at this time, in milliseconds since 1970, or later. */
  changedSince(time: number): string[];
  /** How many modules the graph has. */
  size(): number;
}

/** How one declaration came to have a capability. */
export interface Explanation {
  capabilityId: string;
  declarationId: string;
  /** Path relative to the root. */
  file: string;
  line: number;
  column: number;
  /** The constants that were read to evaluate it. */
  constants: NamedPlace[];
  /** What uses the contract. */
  binders: NamedPlace[];
  /** The schema libraries that made its JSON Schemas. */
  libraries: SchemaLibrary[];
}

/** Something with a name, and where it is. */
export interface NamedPlace {
  name: string;
  /** Path relative to the root. */
  file: string;
  line: number;
  column: number;
}

/** Result of asking for an explanation. */
export type Explain =
  | { kind: "explained"; explanations: Explanation[] }
  | { kind: "ask"; questions: Question[] };

/** What a report is made of. */
export interface ReviewRequest {
  command: string;
  /** What each target compiles to. */
  compiled: CompiledTarget[];
  /** The snapshot's path, relative to the app's root. */
  snapshotPath: string;
  /** The snapshot's text, if there is one. */
  snapshot?: string;
  /** What a pull request is compared with: the git ref, and the snapshot's text there, if it has one yet. */
  base?: { reference: string; contract?: string };
  policy: string;
}

/** What a target compiles to. */
export interface CompiledTarget {
  /** The contract file. */
  manifest: string;
  capabilities: readonly LocatedCapability[];
  explanations: readonly Explanation[];
  /** What the compiler warned of. */
  warnings: readonly Diagnostic[];
}

/** How to render a report. */
export interface RenderOptions {
  format: string;
  verbosity: string;
  color: boolean;
  /** Columns of the terminal. */
  width?: number;
  /** Path of the app, or of the workspace's root, from the repository's root. */
  prefix: string;
  /** Version of the tool. */
  version: string;
}

/** The outcome of one command over one app. */
export interface NativeReview {
  readonly status: "pass" | "fail" | "written" | "view";
  /** Whether the snapshot is not what the source compiles to. */
  readonly stale: boolean;
  /** The contract file of all targets. */
  readonly contractText: string;
  render(options: RenderOptions): string;
}

/** The outcome of one command over several apps. */
export interface NativeWorkspaceReview {
  readonly status: "pass" | "fail" | "written" | "view";
  add(path: string, app: NativeReview): void;
  addFailure(path: string, message: string): void;
  render(options: RenderOptions): string;
}

/** The whole addon. */
export interface Binding {
  Review: new (request: ReviewRequest) => NativeReview;
  WorkspaceReview: new (command: string) => NativeWorkspaceReview;
  Crawl: new (options: CrawlOptions) => NativeCrawl;
  Session: new (options: SessionOptions) => NativeSession;
  /** Text with which every placeholder begins. */
  placeholderPrefix(): string;
  /** Version that is written into each contract. */
  compilerVersion(): string;
  /** Canonical form (RFC 8785) of a JSON text, or the same order indented by two; without a final newline. */
  canonicalJson(text: string, pretty: boolean): string;
  /** Why the contract is not to be believed, or `null`. */
  verifyManifest(text: string): string | null;
  /** A schema library's document restated within the subset, in canonical form; null where nothing of it has to be. */
  normalizeSchema(text: string, vendor: string): string | null;
  /** The files that were changed at a time, in milliseconds since 1970, or later, or went. */
  changedSince(time: number, files: string[]): string[];
}
