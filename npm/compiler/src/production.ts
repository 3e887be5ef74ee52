import type { InlineConfig, ResolvedConfig } from "vite";

/**
 * What `vite build` would be told, as far as the config of a server, or of another build, says it. A contract is what ships: the dev server
 * and Vitest hand out the one of the production build, whatever mode they serve in.
 */
export function productionOf(config: ResolvedConfig): InlineConfig & { root: string; mode: string } {
  const { plugins: _, server: __, preview: ___, ...inline } = config.inlineConfig;
  return {
    ...inline,
    root: config.root,
    mode: modeOf(config),
    configFile: config.configFile ?? false,
    logLevel: "silent",
    build: { ...inline.build, watch: null },
  };
}

/**
 * The mode that was asked for by name; else that of a build. Vitest asks for `test` where its user asked for none, so
 * there it does not count.
 */
export function modeOf(config: ResolvedConfig): string {
  if (config.command === "build") return config.mode;
  const { mode } = config.inlineConfig;
  const isAsked = mode !== undefined && !(mode === "test" && isVitest(config));
  return isAsked ? mode : "production";
}

/** Whether Vitest is what serves. */
export function isVitest(config: ResolvedConfig): boolean {
  return config.plugins.some(({ name }) => name === "vitest");
}

/** Constants that tell a build from a server. */
const PRODUCTION: Readonly<Record<string, unknown>> = { DEV: false, PROD: true };

/**
 * Makes a config say that it is a production build's. Vite takes that from `NODE_ENV`, which the server has set for
 * the whole process by now; to change it would be to change it for every plugin that is at work.
 */
export function declareProduction(config: ResolvedConfig): void {
  Object.assign(config.env, PRODUCTION);
}

/** The constants of a production build among those that a bundler was told. */
export function productionDefines(defines: Readonly<Record<string, string>>): Record<string, string> {
  const nodeEnv = Object.keys(defines).filter((name) => name.endsWith("process.env.NODE_ENV"));
  return { ...defines, ...Object.fromEntries(nodeEnv.map((name) => [name, '"production"'])) };
}
