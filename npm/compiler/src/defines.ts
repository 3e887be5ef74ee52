import type { Environment } from "vite";

/** A constant that the bundler puts in the place of a name. */
export interface Define {
  /** A name or a path; `import.meta.env.*` stands for the members that have no constant of their own. */
  name: string;
  /** What replaces it, as JavaScript. */
  text: string;
  /** An environment of the same build in which something else replaces it. */
  differsIn?: string;
}

/**
 * The constants of an environment. Vite 8 and Rolldown hand them to the bundler as an option, `native`; Vite 7
 * has a plugin of its own put them in, whose table is made here as that plugin makes it. Rollup has none.
 */
export function definesOf(native: Record<string, string> | undefined, environment?: Environment): Define[] {
  const table = native ?? (environment === undefined ? {} : viteDefines(environment.config));
  return Object.entries(table).map(([name, text]) => {
    const differsIn = environment && findDifference(name, text, environment);
    return { name, text, ...(differsIn === undefined ? {} : { differsIn }) };
  });
}

/** What an environment's own part of Vite's config is, as far as constants go. */
type Config = Environment["config"];

const IMPORT_META_ENV = "import.meta.env.";

/** As `vite:define` of Vite 7 puts it together. */
function viteDefines(config: Config): Record<string, string> {
  const table: Record<string, string> = {};
  const isServer = config.consumer === "server";
  if (!config.keepProcessEnv && !config.build.lib) {
    const mode = JSON.stringify(process.env["NODE_ENV"] || config.mode);
    for (const owner of ["", "global.", "globalThis."]) {
      table[`${owner}process.env`] = "{}";
      table[`${owner}process.env.NODE_ENV`] = mode;
    }
  }
  table["import.meta.hot"] = "undefined";
  const members: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.env)) members[name] = JSON.stringify(value);
  members["SSR"] = String(isServer);
  for (const [name, value] of Object.entries(config.define ?? {})) {
    if (name.startsWith(IMPORT_META_ENV)) members[name.slice(IMPORT_META_ENV.length)] = textOf(value);
    else table[name] = textOf(value);
  }
  for (const [name, text] of Object.entries(members)) table[IMPORT_META_ENV + name] = text;
  const whole = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}: ${text}`);
  table["import.meta.env"] = `{${whole.join(", ")}}`;
  table["import.meta.env.*"] = "undefined";
  return table;
}

/** Vite takes a text as it is, and anything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
}

/** Another environment of the build in which something else replaces the name, if there is one. */
function findDifference(name: string, text: string, { config, name: own }: Environment): string | undefined {
  // Whether or not this build has a server: what it is for is to differ.
  if (name === `${IMPORT_META_ENV}SSR`) return config.consumer === "server" ? "client" : "ssr";
  const others = Object.entries(config.environments).filter(([other]) => other !== own);
  return others.find(([, { define }]) => {
    const theirs: unknown = define?.[name];
    return theirs !== undefined && textOf(theirs) !== text;
  })?.[0];
}
