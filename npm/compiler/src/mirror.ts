import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import type { Environment, Plugin } from "vite";

/** Something that only the bundler itself could do for a plugin: the app's graph has to be taken from it. */
export class Unmirrored extends Error {
  override readonly name = "Unmirrored";
}

/** Where a specifier leads. */
export interface Resolved {
  id: string;
  external: boolean;
}

/** A module's text, and the way back from it. */
export interface Text {
  code: string;
  map?: string;
}

/** How the mirror resolves what no plugin has a say in. */
export type Resolve = (specifier: string, importer: string) => Resolved | undefined;

/** Does for paths what `createFilter` of Vite does. */
export type CreateFilter = (include: unknown, exclude: unknown) => (id: unknown) => boolean;

type Hook = ((...args: unknown[]) => unknown) | { handler: unknown; filter?: unknown; order?: unknown };

/**
 * When plugins are asked where a specifier leads: before aliases are followed, before Vite has had its say, or after it
 * found nothing.
 */
export type Turn = "unaliased" | "first" | "last";

/**
 * The app's own plugins at work on the modules of its graph, without a bundler around them. Vite's own are left out: what
 * they do, the crawl does.
 */
export class Mirror {
  #plugins: readonly Plugin[];
  #globs: readonly Plugin[];
  /** What plugins may ask for, but for what is another thing for each. */
  #members: object;
  #contexts = new Map<Plugin, object>();
  #placed = new Map<string, readonly Placed[]>();
  #resolve: Resolve;
  #root: string;
  #isServer: boolean;
  #createFilter: CreateFilter;
  /** Files that a plugin says a module's text depends on, by module. */
  #watched = new Map<string, Set<string>>();
  #current = "";
  /** What plugins have outputs made of, by the module for whose sake; by no name, what they do so for from the beginning. */
  #emitted = new Map<string, Set<string>>();
  /** Modules that import whatever matches a pattern. */
  #listing = new Set<string>();
  /** What plugins note of modules, for each other and for themselves. */
  #metas = new Map<string, object>();
  /** Whether modules without a file may be left unread where they can't be loaded yet. */
  #mayLeave: boolean;
  /** Those, and those that were loaded before. */
  #left = new Set<string>();
  #loaded = new Set<string>();
  /** The modules without a file that plugins named: whoever names one can load it. */
  #named = new Set<string>();
  /** What a plugin asked for and did not get. */
  #missing: Unmirrored | undefined;

  /**
   * `plugins` are those of an environment in their order, `globs` Vite's own two that make imports of patterns.
   * `mayLeave` says that this is one of several environments: of a module without a file that can't be loaded it is taken
   * that it needs what another's build wrote, as a list of the page's files does.
   */
  constructor(options: {
    plugins: readonly Plugin[];
    globs: readonly Plugin[];
    environment: Environment;
    meta: object;
    resolve: Resolve;
    createFilter: CreateFilter;
    parse: unknown;
    mayLeave: boolean;
  }) {
    this.#plugins = options.plugins.filter(isForeign);
    this.#globs = options.globs;
    this.#mayLeave = options.mayLeave;
    this.#resolve = options.resolve;
    this.#root = options.environment.config.root;
    this.#isServer = options.environment.config.consumer === "server";
    this.#createFilter = options.createFilter;
    this.#members = {
      environment: options.environment,
      meta: options.meta,
      parse: options.parse,
      warn: nothing,
      info: nothing,
      debug: nothing,
      setAssetSource: nothing,
      getModuleInfo: (id: string) => this.#onlyWith({ id, meta: this.#metaOf(id) }),
      // No mapping, as where a plugin before made none.
      getCombinedSourcemap: () => ({ version: 3, sources: [], names: [], mappings: "" }),
      emitFile: (file: { type: string; id?: string }) => this.#emit(file),
      addWatchFile: (file: string) => this.#watch(file),
      error: (error: unknown) => {
        throw error instanceof Error
          ? error
          : new Error(String((error as { message?: string }).message ?? error));
      },
    };
    for (const plugin of this.#plugins) {
      if (plugin.resolveDynamicImport !== undefined) {
        throw new Unmirrored(`the plugin ${plugin.name} resolves dynamic imports`);
      }
    }
  }

  /** Whether a plugin has a say in specifiers before Vite has. */
  get resolvesFirst(): boolean {
    return this.#hooks("resolveId").some(({ isFirst }) => isFirst);
  }

  /** Whether a plugin has a say in texts. */
  get handlesTexts(): boolean {
    return this.#plugins.some(
      (plugin) =>
        plugin.load !== undefined || plugin.transform !== undefined || pageHookOf(plugin) !== undefined,
    );
  }

  /** Tells the plugins that a build begins. */
  async start(options: object): Promise<void> {
    for (const plugin of this.#plugins) {
      // oxlint-disable-next-line no-await-in-loop
      await this.#call(plugin, plugin.buildStart as Hook | undefined, [this.#onlyWith(options)]);
    }
  }

  /** The hooks of a kind, in the order in which a bundler calls them. */
  #hooks(name: "resolveId" | "load" | "transform"): readonly Placed[] {
    const hooks = this.#placed.get(name) ?? place(this.#plugins, name);
    this.#placed.set(name, hooks);
    return hooks;
  }

  /**
   * Where plugins say that a specifier leads, in this turn. `asked` is by whom, where it is by plugins that were asked
   * themselves.
   */
  async resolve(
    specifier: string,
    importer: string,
    turn: Turn,
    asked: Asked = UNASKED,
  ): Promise<Resolved | undefined> {
    const { calls, custom = {}, attributes = {}, isEntry = false } = asked;
    for (const { plugin, hook, isFirst, isUnaliased } of this.#hooks("resolveId")) {
      const isDue = turn === "unaliased" ? isUnaliased : isFirst === (turn === "first");
      if (!isDue || !this.#passes(hook, specifier)) continue;
      const isAsking = (call: Call) =>
        call.plugin === plugin && call.specifier === specifier && call.importer === importer;
      if (calls.some(isAsking)) continue;
      const options = { attributes, isEntry, ssr: this.#isServer, custom };
      // oxlint-disable-next-line no-await-in-loop
      const found = (await this.#call(plugin, hook, [specifier, importer, options], calls)) as
        | null
        | undefined
        | string
        | false
        | { id: string; external?: unknown };
      if (found === null || found === undefined) continue;
      if (found === false) return { id: specifier, external: true };
      const { id, external } = typeof found === "string" ? { id: found, external: false } : found;
      if (!external && isFileless(id)) this.#named.add(id);
      return { id, external: Boolean(external) };
    }
    return undefined;
  }

  /** The text that plugins give for a module. */
  async load(id: string): Promise<string | undefined> {
    this.#current = id;
    this.#watched.delete(id);
    this.#emitted.delete(id);
    for (const { plugin, hook } of this.#hooks("load")) {
      if (!this.#passes(hook, id)) continue;
      try {
        // oxlint-disable-next-line no-await-in-loop
        const text = textOf(await this.#call(plugin, hook, [id, { ssr: this.#isServer }]));
        if (text === undefined) continue;
        this.#loaded.add(id);
        return this.#changePage(id, text.code);
      } catch (error) {
        if (!this.#leaves(id, error)) throw error;
        this.#left.add(id);
        return undefined;
      }
    }
    // That it has no text would be to lose what it imports without a word.
    if (this.#named.has(id)) throw new Unmirrored(`no plugin loads \`${id.replace("\0", "")}\``);
    return this.#changePage(id);
  }

  /** Whether it is no wonder that a module can't be loaded; what could be before is broken. */
  #leaves(id: string, error: unknown): boolean {
    return this.#mayLeave && isFileless(id) && !this.#loaded.has(id) && !(error instanceof Unmirrored);
  }

  /** The modules that were left unread, since they could not be loaded. */
  get left(): readonly string[] {
    return [...this.#left];
  }

  /** What plugins make of a page before Vite reads it: `markup` is what one gave for it, else its file has it. */
  async #changePage(id: string, markup?: string): Promise<string | undefined> {
    const hooks = id.endsWith(".html") ? this.#plugins.filter((it) => pageHookOf(it) !== undefined) : [];
    let page = markup;
    for (const plugin of hooks) {
      page ??= readFileSync(id, "utf8");
      const context = this.#onlyWith({
        path: `/${relative(this.#root, id).replaceAll("\\", "/")}`,
        filename: id,
      });
      // oxlint-disable-next-line no-await-in-loop
      const made = await this.#call(plugin, pageHookOf(plugin), [page, context]);
      const isMarkup = typeof made === "string";
      const { html, tags } = (
        isMarkup || Array.isArray(made) ? { html: made, tags: made } : (made ?? {})
      ) as Made;
      if (typeof html === "string") page = html;
      if (Array.isArray(tags)) page += this.#markupOf(tags as Tag[], plugin);
    }
    return page;
  }

  /** The scripts among what a plugin puts into a page. Where in the page, no graph depends on. */
  #markupOf(tags: readonly Tag[], plugin: Plugin): string {
    const scripts = tags.filter(({ tag }) => tag === "script");
    const markup = scripts.map(({ attrs, children }) => {
      // Which number it has among the page's own depends on where it stands.
      if (attrs?.["src"] === undefined && children !== undefined) {
        throw new Unmirrored(`the plugin ${plugin.name} puts scripts without a file into pages`);
      }
      const given = Object.entries(attrs ?? {}).filter(([, value]) => value !== false && value !== undefined);
      const text = given.map(([name, value]) =>
        value === true ? ` ${name}` : ` ${name}="${String(value).replaceAll('"', "&quot;")}"`,
      );
      return `<script${text.join("")}></script>\n`;
    });
    return markup.length === 0 ? "" : `\n${markup.join("")}`;
  }

  /**
   * What plugins make of a module's text. A plugin that does nothing with a script as its author wrote it would do
   * nothing with it without its types; only for one that does, `strip` takes them out first, as Vite has by then.
   */
  async transform(
    id: string,
    source: string,
    strip: (code: string, id: string) => Promise<string>,
  ): Promise<Text | undefined> {
    this.#current = id;
    if (this.#globs.length === 0 && /import\.meta\.glob|import\(`/.test(source)) {
      throw new Unmirrored("modules are imported by a pattern");
    }
    let text: Text = { code: source };
    let changes = 0;
    let isStripped = false;
    this.#listing.delete(id);
    for (const { plugin, hook, isFirst } of [
      ...this.#hooks("transform"),
      ...place(this.#globs, "transform"),
    ]) {
      if (!this.#passes(hook, id, text.code)) continue;
      const isEarly = isFirst || this.#globs.includes(plugin);
      // oxlint-disable-next-line no-await-in-loop
      let made = await this.#transformWith(plugin, hook, text.code, id, !isEarly && !isStripped);
      if (made === "strip") {
        isStripped = true;
        // oxlint-disable-next-line no-await-in-loop
        text = { code: await strip(text.code, id) };
        // oxlint-disable-next-line no-await-in-loop
        made = await this.#transformWith(plugin, hook, text.code, id, false);
      }
      if (made === undefined || made === "strip") continue;
      changes += 1;
      if (this.#globs.includes(plugin)) this.#listing.add(id);
      text = changes === 1 && !isStripped ? made : { code: made.code };
    }
    return changes === 0 ? undefined : text;
  }

  async #transformWith(
    plugin: Plugin,
    hook: Hook,
    code: string,
    id: string,
    mayStrip: boolean,
  ): Promise<Text | "strip" | undefined> {
    const needsStripping = mayStrip && /\.[mc]?tsx?(?:\?|$)|\.jsx(?:\?|$)/.test(id);
    try {
      const made = textOf(
        await this.#call(plugin, hook, [code, id, { ssr: this.#isServer, moduleType: "js" }]),
      );
      return made !== undefined && needsStripping ? "strip" : made;
    } catch (error) {
      if (needsStripping && !(error instanceof Unmirrored)) return "strip";
      throw error;
    }
  }

  /** The modules whose text depends on a file besides their own; on what files there are, where one came or went. */
  dependentsOf(file: string, cameOrWent: boolean): string[] {
    const watching = [...this.#watched].filter(([, files]) => files.has(file)).map(([id]) => id);
    return cameOrWent ? [...watching, ...this.#listing] : watching;
  }

  /** An object that has no more than this: what a plugin does with the rest, nobody here could do for it. */
  #onlyWith(members: object): object {
    return new Proxy(members, {
      get: (target, name, receiver) => {
        if (name in target || typeof name === "symbol") return Reflect.get(target, name, receiver) as unknown;
        this.#missing = new Unmirrored(`a plugin asks the bundler for \`${name}\``);
        throw this.#missing;
      },
    });
  }

  /** What plugins have outputs made of, beside those of the entries, for a module's sake; without one, from the beginning. */
  emittedFor(id = ""): string[] {
    return [...(this.#emitted.get(id) ?? [])];
  }

  #emit({ type, id }: { type: string; id?: string }): string {
    if (type === "chunk" && id !== undefined) {
      const emitted = this.#emitted.get(this.#current) ?? new Set();
      this.#emitted.set(this.#current, emitted.add(id));
    }
    return "file";
  }

  #metaOf(id: string): object {
    const meta = this.#metas.get(id) ?? {};
    this.#metas.set(id, meta);
    return meta;
  }

  #watch(file: string): void {
    const files = this.#watched.get(this.#current) ?? new Set();
    this.#watched.set(this.#current, files.add(file));
  }

  /** What a plugin has for `this`, with the questions of other plugins that it is asked because of. */
  #contextOf(plugin: Plugin, calls: readonly Call[]): object {
    const known = calls.length === 0 ? this.#contexts.get(plugin) : undefined;
    if (known !== undefined) return known;
    const members = Object.create(this.#members) as Record<string, unknown>;
    members["resolve"] = async (specifier: string, importer = "", options: Asking = {}) => {
      const { skipSelf = true, ...given } = options;
      // A plugin is not asked what it asks itself, or the two would go on for ever.
      const own: Call = { plugin, specifier, importer };
      const asked = { ...given, calls: skipSelf ? [...calls, own] : calls };
      return (
        (await this.resolve(specifier, importer, "first", asked)) ??
        this.#resolve(specifier, importer) ??
        (await this.resolve(specifier, importer, "last", asked)) ??
        null
      );
    };
    const context = this.#onlyWith(members);
    if (calls.length === 0) this.#contexts.set(plugin, context);
    return context;
  }

  async #call(
    plugin: Plugin,
    hook: Hook | undefined,
    args: unknown[],
    calls: readonly Call[] = [],
  ): Promise<unknown> {
    if (hook === undefined) return undefined;
    const handler = (typeof hook === "function" ? hook : hook.handler) as (...args: unknown[]) => unknown;
    try {
      const result = (await handler.apply(this.#contextOf(plugin, calls), args)) as
        | { meta?: object }
        | null
        | undefined;
      if (result?.meta !== undefined) Object.assign(this.#metaOf(this.#current), result.meta);
      return result;
    } catch (error) {
      // Some plugins wrap whatever is thrown in an error of their own.
      throw this.#missing ?? named(error, plugin);
    }
  }

  #passes(hook: Hook, id: string, code?: string): boolean {
    if (typeof hook === "function" || hook.filter === undefined) return true;
    if (Array.isArray(hook.filter)) throw new Unmirrored("a plugin filters modules by an expression");
    const { id: ids, code: codes } = hook.filter as { id?: unknown; code?: unknown };
    return (
      (ids === undefined || this.#createFilter(...sides(ids))(id)) &&
      (codes === undefined || code === undefined || matchesCode(codes, code))
    );
  }
}

/** A specifier that a plugin asks for. */
interface Call {
  plugin: Plugin;
  specifier: string;
  importer: string;
}

/** What plugins tell each other of a specifier. */
interface Asked {
  calls: readonly Call[];
  custom?: object;
  attributes?: object;
  isEntry?: boolean;
}

/** The same, as a plugin says it. */
interface Asking extends Omit<Asked, "calls"> {
  skipSelf?: boolean;
}

/** Of a specifier that stands in a module. */
const UNASKED: Asked = { calls: [] };

/** Plugins that are Vite's own, in both of its majors; `mirror.test.ts` holds the list against them. */
const OWN = new Set(
  (
    "optimized-deps watch-package-data pre-alias modulepreload-polyfill resolve-dev resolve html-inline-proxy css esbuild " +
    "oxc json wasm-helper wasm-fallback worker asset define css-post build-html worker-import-meta-url " +
    "asset-import-meta-url dynamic-import-vars import-glob client-inject css-analysis import-analysis prepare-out-dir " +
    "build-import-analysis terser license reporter load-fallback manifest ssr-manifest esbuild-transpile data-uri " +
    "rollup-options-plugins esbuild-banner-footer-compat forward-console resolve-builtin resolve-builtin:get-environment " +
    "bundled-dev-client-imports native-config-compat-check worker-post " +
    "build-metadata force-amd-wrap-require force-systemjs-wrap-complete"
  )
    .split(" ")
    .map((name) => `vite:${name}`),
);

/** Whether a plugin is none of Vite's, of its bundler's or of ours. */
export function isForeign({ name }: Pick<Plugin, "name">): boolean {
  return !/^(?:builtin:|native:|agent-surface:|vitest\b)|^(?:alias|commonjs)$/.test(name) && !OWN.has(name);
}

/** An element that a plugin puts into a page. */
interface Tag {
  tag: string;
  attrs?: Record<string, unknown>;
  children?: unknown;
}

/** What a page's hook returns, in its longest form. */
interface Made {
  html?: unknown;
  tags?: unknown;
}

/** A plugin's hook for pages, if it has one that comes before Vite reads their scripts. */
function pageHookOf({ transformIndexHtml: hook }: Plugin): Hook | undefined {
  return typeof hook === "object" && hook.order === "pre" ? hook : undefined;
}

/** Whether a module is no file's, but made by a plugin. */
export function isFileless(id: string): boolean {
  return !existsSync(id.split("?")[0] ?? id);
}

/** A hook, and its place among those of its kind. */
interface Placed {
  plugin: Plugin;
  hook: Hook;
  /** Whether it comes before Vite's own. */
  isFirst: boolean;
  /** Whether it comes before aliases, too. */
  isUnaliased: boolean;
}

/** The hooks of a kind: what one says of its order counts for more than its plugin's place. */
function place(plugins: readonly Plugin[], name: "resolveId" | "load" | "transform"): Placed[] {
  const placed = plugins.flatMap((plugin) => {
    const hook = plugin[name] as Hook | undefined;
    if (hook === undefined) return [];
    const order = typeof hook === "function" ? undefined : hook.order;
    const rank = order === "pre" ? 0 : order === "post" ? 2 : 1;
    const isUnaliased = order === "pre";
    const isFirst = isUnaliased || (plugin.enforce === "pre" && order !== "post");
    return [{ plugin, hook, rank, isFirst, isUnaliased }];
  });
  return [0, 1, 2].flatMap((rank) => placed.filter((it) => it.rank === rank));
}

function nothing(): void {}

/** What a plugin throws, as an error that says whose it is. */
function named(thrown: unknown, { name: plugin }: Plugin): Error {
  return thrown instanceof Error ? thrown : Object.assign(new Error(), { plugin }, thrown);
}

function textOf(result: unknown): Text | undefined {
  if (typeof result === "string") return { code: result };
  const { code, map } = (result ?? {}) as { code?: string; map?: unknown };
  if (typeof code !== "string") return undefined;
  if (map === undefined || map === null) return { code };
  return { code, map: typeof map === "string" ? map : JSON.stringify(map) };
}

/** The two sides of a filter. */
function sides(filter: unknown): [include: unknown, exclude: unknown] {
  if (typeof filter !== "object" || filter === null || filter instanceof RegExp || Array.isArray(filter)) {
    return [filter, undefined];
  }
  const { include, exclude } = filter as { include?: unknown; exclude?: unknown };
  return [include, exclude];
}

function matchesCode(filter: unknown, code: string): boolean {
  const [include, exclude] = sides(filter).map((side) => (side === undefined ? undefined : [side].flat()));
  const matches = (pattern: unknown) =>
    pattern instanceof RegExp
      ? new RegExp(pattern.source, pattern.flags.replace("g", "")).test(code)
      : code.includes(String(pattern));
  return !(exclude?.some(matches) ?? false) && (include?.some(matches) ?? true);
}
