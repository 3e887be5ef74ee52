import { isDeepStrictEqual } from "node:util";
import type { Alias, EnvironmentOptions, Plugin, ResolvedConfig, UserConfig } from "vite";
import { isVitest } from "./production.js";
import type { Vite } from "./vite.js";

/**
 * The plugins that came with the call that started a server, for a production config of the same app. Vite makes those of
 * a config file anew; of these there is but one instance each, and it serves. Told of a production config it would go on
 * serving as if it built, so it is not told of one: what it said to the server's config, it says to the other one too.
 * What does not serve, being for builds only, is told everything.
 */
export async function lendPlugins(vite: Vite, serving: ResolvedConfig): Promise<Plugin[]> {
  const given = await givenPlugins(serving);
  const atWork = given.filter((plugin) => serving.plugins.includes(plugin));
  const isOfTest = isVitest(serving);
  const speaks =
    !isOfTest &&
    atWork.some(
      ({ config, configEnvironment, configResolved }) => config ?? configEnvironment ?? configResolved,
    );
  const said = speaks ? saidBy(serving, await ownConfig(vite, serving)) : undefined;
  return [
    ...given.map((plugin) => (atWork.includes(plugin) ? withoutConfig(plugin) : plugin)),
    ...(said === undefined ? [] : [{ name: "agent-surface:said", config: () => said }]),
  ];
}

/** The plugins that came with the call that began it, but for ours and Vitest's. */
export async function givenPlugins({ inlineConfig }: ResolvedConfig): Promise<Plugin[]> {
  const all = await flatten(inlineConfig.plugins);
  return all.filter(({ name }) => !/^(?:vitest\b|agent-surface:)/.test(name));
}

/** Vite takes lists of lists, promises of either, and what is falsy for nothing. */
async function flatten(plugins: unknown): Promise<Plugin[]> {
  const plugin = await plugins;
  if (Array.isArray(plugin)) return (await Promise.all(plugin.map(flatten))).flat();
  return plugin ? [plugin as Plugin] : [];
}

function withoutConfig(plugin: Plugin): Plugin {
  const { config: _, configEnvironment: __, configResolved: ___, ...rest } = plugin;
  return rest;
}

/** What the server was told by its user, before any plugin. */
async function ownConfig(vite: Vite, { configFile, root, inlineConfig, mode }: ResolvedConfig) {
  const env = { command: "serve", mode } as const;
  const loaded = configFile ? await vite.loadConfigFromFile(env, configFile, root, "silent") : null;
  const { plugins: _, ...rest } = inlineConfig;
  return loaded === null ? rest : vite.mergeConfig(loaded.config, rest);
}

/** What plugins added to a config, of all that decides over a module graph. */
function saidBy(serving: ResolvedConfig, own: UserConfig): UserConfig {
  const how = own.resolve ?? {};
  const aliases = aliasesOf(own).map(keyOf);
  const options = "rolldownOptions" in serving.build ? "rolldownOptions" : "rollupOptions";
  const { input, external } = serving.build.rollupOptions;
  const before = (own.build as Record<string, typeof serving.build.rollupOptions> | undefined) ?? {};
  const ownOptions = before["rolldownOptions"] ?? before["rollupOptions"];
  return {
    define: Object.fromEntries(
      Object.entries(serving.define ?? {}).filter(([name, value]) => own.define?.[name] !== value),
    ),
    resolve: {
      alias: serving.resolve.alias.filter((alias) => !isVites(alias) && !aliases.includes(keyOf(alias))),
      conditions: added(serving.resolve.conditions, how.conditions),
      mainFields: added(serving.resolve.mainFields, how.mainFields),
      extensions: added(serving.resolve.extensions, how.extensions),
      dedupe: added(serving.resolve.dedupe, how.dedupe),
    },
    build: {
      ...(serving.build.lib !== false && own.build?.lib === undefined && { lib: serving.build.lib }),
      [options]: {
        ...(ownOptions?.input === undefined && input !== undefined && { input }),
        ...(ownOptions?.external === undefined && external !== undefined && { external }),
      },
    },
    environments: environmentsSaid(serving, own, options),
  };
}

/** The environments that plugins gave an entry. */
function environmentsSaid(
  serving: ResolvedConfig,
  own: UserConfig,
  options: "rolldownOptions" | "rollupOptions",
): Record<string, EnvironmentOptions> {
  const said: Record<string, EnvironmentOptions> = {};
  for (const [name, { build, consumer, resolve }] of Object.entries(serving.environments)) {
    const before = own.environments?.[name];
    const { input } = build.rollupOptions;
    const ofUser = [before?.build?.rollupOptions?.input, serving.build.rollupOptions.input];
    if (input === undefined || ofUser.some((it) => isDeepStrictEqual(it, input))) continue;
    const { noExternal, external } = resolve;
    said[name] = {
      consumer,
      build: { [options]: { input } },
      resolve: {
        conditions: added(resolve.conditions, before?.resolve?.conditions),
        ...(before?.resolve?.noExternal === undefined && { noExternal }),
        ...(before?.resolve?.external === undefined && { external }),
      },
    };
  }
  return said;
}

function added(all: readonly string[], own: readonly string[] = []): string[] {
  return all.filter((name) => !own.includes(name));
}

function aliasesOf({ resolve }: UserConfig): readonly Pick<Alias, "find" | "replacement">[] {
  const alias = resolve?.alias ?? [];
  if (Array.isArray(alias)) return alias as Alias[];
  return Object.entries(alias as Record<string, string>).map(([find, replacement]) => ({
    find,
    replacement,
  }));
}

/** Vite takes the slash off an alias of a folder. */
function keyOf({ find, replacement }: Pick<Alias, "find" | "replacement">): string {
  return `${String(find).replace(/\/$/, "")}\n${replacement.replace(/\/$/, "")}`;
}

/** Whether it is one of Vite's own, for its client. */
export function isVites({ find }: Pick<Alias, "find">): boolean {
  return String(find).includes("@vite");
}
