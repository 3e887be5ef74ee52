import { isDeepStrictEqual } from "node:util";
import type { Environment, InlineConfig, Plugin, ResolvedConfig, ViteDevServer } from "vite";
import { entriesOf, mayMoveEntries, openEntries } from "./entries.js";
import { Unmirrored } from "./mirror.js";
import { givenPlugins, lendPlugins } from "./lent.js";
import { declareProduction, modeOf, productionOf } from "./production.js";
import { findVite, type Vite } from "./vite.js";

/** An environment of an app that has an entry: what its build proves is part of the app's contract. */
export interface Part {
  readonly name: string;
  /** What is told to Vite that a build of it may be rehearsed. */
  readonly inline: InlineConfig;
  /** Whether `vite build` builds it where nothing else is said. */
  readonly isDefault: boolean;
  /**
   * The environment as a production build would have it, to be asked and never to be built.
   * @throws Unmirrored where there is no telling without the build itself.
   */
  production(): Promise<Production>;
}

/** An environment as a production build would have it. */
export interface Production {
  config: ResolvedConfig;
  environment: Environment;
  plugins: readonly Plugin[];
  /** Vite's own plugins that make imports of patterns, where they can be asked. */
  globs: readonly Plugin[];
}

/** Where a running app was found, and what may be taken from there. */
export interface Running {
  config: ResolvedConfig;
  server?: ViteDevServer | undefined;
  /** The version of the Vite that runs, where it tells. */
  viteVersion?: string | undefined;
}

/**
 * The environments of an app that have entries, the page's first: those of its production config, whatever command runs.
 *
 * An environment that only has what it got from the page's options has no entry of its own. Vite names one `ssr` for
 * every app with components, and it is built by nobody.
 */
export async function findParts(running: Running): Promise<Part[]> {
  const { config } = running;
  const isServed = config.command === "serve";
  const isServerAsked = Boolean(config.inlineConfig.build?.ssr);
  const partsOf = async (resolved: ResolvedConfig) =>
    (await namesOf(resolved, running)).map((name) => new ResolvedPart(name, resolved, running));
  // Without looking any further: most apps have but one.
  if (!isServed && !isServerAsked) return partsOf(config);
  const vite = await freshVite(running);
  if (vite === undefined) return partsOf(config);
  // What was asked for on the command line alone is one more environment of what the config has by itself.
  const parts = await partsOf(await resolveFor(vite, withoutServer(productionOf(config)), config));
  if (!isServerAsked) return parts;
  const asked = (await partsOf(config)).filter(({ name }) => name === "ssr");
  return [...parts.filter(({ name }) => name !== "ssr"), ...asked];
}

class ResolvedPart implements Part {
  readonly name: string;
  readonly inline: InlineConfig;
  readonly isDefault: boolean;
  #config: ResolvedConfig;
  #running: Running;

  constructor(name: string, config: ResolvedConfig, running: Running) {
    this.name = name;
    this.#config = config;
    this.#running = running;
    this.isDefault = name === defaultOf(config);
    const inline = productionOf(running.config);
    this.inline = name === "ssr" ? inline : withoutServer(inline);
  }

  async production(): Promise<Production> {
    const { config: running, server } = this.#running;
    const vite = await freshVite(this.#running);
    const served = server?.environments[this.name];
    if (vite === undefined) {
      if (running.command === "build") return this.#describe(running, undefined);
      if (served === undefined) throw new Unmirrored(`no environment \`${this.name}\` is served`);
      return {
        config: running,
        environment: served,
        plugins: served.plugins,
        globs: globsOf(served.plugins),
      };
    }
    // What was resolved already is as good as new, unless a build is at work on it.
    const config =
      this.#config !== running && this.isDefault
        ? this.#config
        : await resolveFor(vite, this.inline, running, this.name);
    return this.#describe(config, served);
  }

  async #describe(config: ResolvedConfig, served: Environment | undefined): Promise<Production> {
    const options = config.environments[this.name];
    const environment = await options?.build.createEnvironment(this.name, config);
    if (environment === undefined) throw new Unmirrored(`the config has no environment \`${this.name}\``);
    await environment.init();
    const globs = globsOf(environment.plugins);
    return {
      config,
      environment,
      plugins: environment.plugins,
      globs: globs.length > 0 ? globs : globsOf(served?.plugins ?? []),
    };
  }
}

/**
 * Vite, if another config can be made with it: it is the one that runs, and in a build all plugins are in a config file,
 * and made anew, since those that came with its call are at work.
 */
async function freshVite({ config, viteVersion }: Running): Promise<Vite | undefined> {
  if (config.command === "build" && (!config.configFile || (await givenPlugins(config)).length > 0)) {
    return undefined;
  }
  return findVite(config.root, viteVersion);
}

/** The config once more, as for a build of one environment. */
async function resolveFor(
  vite: Vite,
  inline: InlineConfig,
  running: ResolvedConfig,
  name?: string,
): Promise<ResolvedConfig> {
  const isServed = running.command === "serve";
  const plugins = isServed ? await lendPlugins(vite, running) : [];
  const config = await vite.resolveConfig(
    { ...inline, plugins },
    "build",
    modeOf(running),
    "production",
    false,
    (resolved) => {
      const options = resolved.environments[name ?? (resolved.build.ssr ? "ssr" : "client")];
      if (options !== undefined) Object.assign(resolved, { build: { ...resolved.build, ...options.build } });
    },
  );
  if (isServed) declareProduction(config);
  return config;
}

function withoutServer(inline: InlineConfig): InlineConfig {
  if (!inline.build?.ssr) return inline;
  const { ssr: _, ...build } = inline.build;
  return { ...inline, build };
}

/** The environments with entries of their own. */
async function namesOf(config: ResolvedConfig, { viteVersion }: Running): Promise<string[]> {
  const first = defaultOf(config);
  const others = Object.keys(config.environments).filter((name) => name !== first);
  let entries = entriesOf(config, first);
  const own = new Set(
    others.filter((name) => {
      const found = entriesOf(config, name);
      return found.length > 0 && !isDeepStrictEqual(found, entries);
    }),
  );
  if (config.command === "build" && mayMoveEntries(config.plugins)) {
    const meta = { ...META, viteVersion };
    entries = await movedEntries(config, first, meta);
    for (const name of others.filter((it) => !own.has(it))) {
      // oxlint-disable-next-line no-await-in-loop
      const found = await movedEntries(config, name, meta);
      // What a plugin does for every environment alike makes none of what nobody builds.
      if (found.some((entry) => !entries.includes(entry))) own.add(name);
    }
  }
  const names = [...(entries.length > 0 ? [first] : []), ...others.filter((name) => own.has(name))];
  return names.includes("client") ? ["client", ...names.filter((name) => name !== "client")] : names;
}

/** What a bundler says of itself. */
export const META = { rollupVersion: "4.40.0", watchMode: false };

/** Where the build of an environment begins when its plugins have had a say; what the config has, where that is not known. */
async function movedEntries(config: ResolvedConfig, name: string, meta: object): Promise<string[]> {
  try {
    const environment = await config.environments[name]?.build.createEnvironment(name, config);
    if (environment === undefined) return [];
    await environment.init();
    return await openEntries({ config, environment, plugins: environment.plugins }, name, meta);
  } catch {
    // Whatever it is, the build itself tells of it.
    return entriesOf(config, name);
  }
}

/** The environment that a build of the app is one of, where it is not said which. */
function defaultOf(config: ResolvedConfig): string {
  // What the page inherits from the top of the config.
  return config.environments["client"]?.build.ssr ? "ssr" : "client";
}

/** Vite's own plugins that make imports of patterns; in Vite 8's builds they are the bundler's, and not to be asked. */
function globsOf(plugins: readonly Plugin[]): Plugin[] {
  return plugins.filter(
    ({ name, transform }) =>
      ["vite:dynamic-import-vars", "vite:import-glob"].includes(name) && transform !== undefined,
  );
}
