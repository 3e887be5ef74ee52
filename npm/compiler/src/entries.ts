import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import type { Environment, Plugin, ResolvedConfig } from "vite";
import { isForeign, Unmirrored } from "./mirror.js";

/** What a bundler takes for where a build begins. */
export type Input = string | readonly string[] | Readonly<Record<string, string>>;

/** What an environment's config says of where its build begins, in Vite's own order of precedence. */
export function inputOf(config: ResolvedConfig, name: string): Input | undefined {
  const options = config.environments[name];
  if (options === undefined) return undefined;
  const { build, consumer } = options;
  const { input: own } = options as { input?: Input };
  const { lib, ssr } = build;
  const { rollupOptions } = build;
  // A server that was asked for on the command line leaves the page's entries as they are.
  const isPage = name === "client" && Boolean(config.inlineConfig.build?.ssr);
  const named =
    typeof ssr === "string" && !lib && !isPage
      ? ssr
      : (rollupOptions.input ?? (lib ? lib.entry : undefined) ?? own);
  if (named !== undefined) return named;
  const page = resolve(config.root, "index.html");
  return consumer === "client" && (!ssr || isPage) && existsSync(page) ? page : undefined;
}

/** Where the build of an environment begins, as its config has it. */
export function entriesOf(config: ResolvedConfig, name: string): string[] {
  return entriesIn(inputOf(config, name), config, name);
}

function entriesIn(input: Input | undefined, config: ResolvedConfig, name: string): string[] {
  if (input === undefined) return [];
  const isServer = config.environments[name]?.consumer === "server";
  const names = typeof input === "string" ? [input] : Object.values(input);
  return names
    .filter((entry) => !isServer || !entry.endsWith(".html"))
    .map((entry) => placeIn(config, entry));
}

/** An entry's path, where it is one from the root. */
export function placeIn({ root }: Pick<ResolvedConfig, "root">, entry: string): string {
  const path = isAbsolute(entry) ? entry : resolve(root, entry);
  return existsSync(path) ? path : entry;
}

/** Whether a plugin may have builds begin elsewhere than the config says. */
export function mayMoveEntries(plugins: readonly Plugin[]): boolean {
  return plugins.some((plugin) => plugin.options !== undefined && isForeign(plugin));
}

/** What of a bundler's options decides over a module graph, besides where it begins. */
const DECISIVE = [
  "external",
  "resolve",
  "transform",
  "moduleTypes",
  "plugins",
  "jsx",
  "tsconfig",
  "platform",
];

/**
 * Where the build of an environment begins once its plugins have said what they want of the bundler's options.
 * @throws Unmirrored where a plugin wants something that only the bundler itself can do.
 */
export async function openEntries(
  {
    config,
    environment,
    plugins,
  }: { config: ResolvedConfig; environment: Environment; plugins: readonly Plugin[] },
  name: string,
  meta: object,
): Promise<string[]> {
  const input = inputOf(config, name);
  const hooks = inOrder(plugins.filter((it) => it.options !== undefined && isForeign(it)));
  let options: Record<string, unknown> = {
    ...environment.config.build.rollupOptions,
    input: typeof input === "object" ? copyOf(input) : input,
    plugins: [...plugins],
  };
  for (const plugin of hooks) {
    const before = { ...options, plugins: [...(options["plugins"] as Plugin[])] };
    const context = { environment, meta, warn: nothing, info: nothing, debug: nothing, error: raise };
    // oxlint-disable-next-line no-await-in-loop
    options = ((await handlerOf(plugin).call(context, options)) ?? options) as typeof options;
    const other = DECISIVE.find((key) => !isSame(options[key], before[key as keyof typeof before]));
    if (other !== undefined) {
      throw new Unmirrored(
        `the plugin ${plugin.name} changes \`${other}\` when the bundler asks for its options`,
      );
    }
  }
  return entriesIn(options["input"] as Input | undefined, config, name);
}

function handlerOf({ options: hook }: Plugin): (options: object) => unknown {
  return (typeof hook === "function" ? hook : hook?.handler) as (options: object) => unknown;
}

/** Plugins in the order in which their hooks for options are called. */
function inOrder(plugins: readonly Plugin[]): Plugin[] {
  const at = (order: unknown) => plugins.filter(({ options: hook }) => orderOf(hook) === order);
  return [...at("pre"), ...at(undefined), ...at("post")];
}

function orderOf(hook: Plugin["options"]): unknown {
  return typeof hook === "function" ? undefined : (hook?.order ?? undefined);
}

/** One that a plugin may change. */
function copyOf(input: Exclude<Input, string>): Input {
  return isList(input) ? [...input] : { ...input };
}

function isList(input: Exclude<Input, string>): input is readonly string[] {
  return Array.isArray(input);
}

function isSame(one: unknown, other: unknown): boolean {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((it, index) => it === other[index]);
}

function raise(error: unknown): never {
  throw error instanceof Error ? error : new Error(String((error as { message?: string }).message ?? error));
}

function nothing(): void {}
