import { join } from "node:path";
import { createBuilder as createBuilder8, type InlineConfig, type PluginOption, type Rollup } from "vite";
import { createBuilder as createBuilder7 } from "vite7";
import { CONTRACT_FILE } from "@agent-surface/compiler";
import { contractModule, makeApp, type Files } from "./app.js";

/** What makes builders of several environments. */
export type CreateBuilder = typeof createBuilder8;

/** The majors of Vite whose builders are tested. */
export const BUILDERS: readonly { name: string; package: string; createBuilder: CreateBuilder }[] = [
  { name: "Vite 8", package: "vite", createBuilder: createBuilder8 },
  // The two majors differ in types that play no part here.
  { name: "Vite 7", package: "vite7", createBuilder: createBuilder7 as unknown as CreateBuilder },
];

/** An entry that hands out its authority, and what else it has. */
export const entry = (more: string): string =>
  `export { manifest } from "virtual:agent-surface-contract";\n${more}`;

/** A page and a server, of which each has a contract that the other has not, and both have one. */
export const PAGE_AND_SERVER: Files = {
  "src/client.js": entry(`export * from "./shared.js";\nexport * from "./page.js";\n`),
  "src/server.js": entry(`export * from "./shared.js";\nexport * from "./job.js";\n`),
  "src/shared.js": contractModule("demo.shared", "shared"),
  "src/page.js": contractModule("demo.page", "page"),
  "src/job.js": contractModule("demo.job", "job"),
};

/** The capabilities of it all. */
export const ALL = ["view:demo.job.press", "view:demo.page.press", "view:demo.shared.press"];

/** How an app of several environments is to be built. */
export interface Request {
  root: string;
  plugins: PluginOption[];
  /** Entries by their environments. Default: a client's and a server's. */
  entries?: Record<string, string>;
  config?: InlineConfig;
}

/** A config with an entry for each environment. */
export function configOf({ root, plugins, entries = {}, config = {} }: Request): InlineConfig {
  const named = Object.keys(entries).length > 0 ? entries : { client: "src/client.js", ssr: "src/server.js" };
  const environments = Object.fromEntries(
    Object.entries(named).map(([name, path]) => [
      name,
      { build: { rollupOptions: { input: path.includes(":") ? path : join(root, path) } } },
    ]),
  );
  return {
    root,
    configFile: false,
    logLevel: "silent",
    ...config,
    plugins,
    build: {
      write: false,
      minify: false,
      // The core is large, and nothing of these bundles is run.
      rollupOptions: { preserveEntrySignatures: "strict", external: ["@agent-surface/core"] },
      ...config.build,
    },
    environments: { ...environments, ...config.environments },
  };
}

/** What an environment's build came to. */
export interface Bundle {
  /** The ids of what its authority admits. */
  capabilities: string[];
  /** The contract file, if it wrote one. */
  contract: string | undefined;
}

/** What became of a bundle's output. */
export function describeBundle(result: unknown): Bundle {
  const { output } = [result].flat()[0] as Rollup.RollupOutput;
  const asset = output.find(({ fileName }) => fileName === CONTRACT_FILE);
  const code = output.map((file) => (file.type === "chunk" ? file.code : "")).join("\n");
  const literals = [
    ...code.matchAll(/JSON\.parse\(("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)\)/g),
  ];
  const texts = literals.map(([, literal = ""]) =>
    literal.startsWith('"') ? (JSON.parse(literal) as string) : literal.slice(1, -1),
  );
  const text = texts.find((it) => it.includes('"formatVersion"'));
  const manifest = JSON.parse(text ?? '{ "capabilities": [] }') as {
    capabilities: { capabilityId: string }[];
  };
  return {
    capabilities: manifest.capabilities.map(({ capabilityId }) => capabilityId),
    contract: asset?.type === "asset" ? String(asset.source) : undefined,
  };
}

/** The ids of what a contract file grants. */
export function capabilitiesOf(contract: string | undefined): string[] {
  const { capabilities } = JSON.parse(contract ?? '{"capabilities":[]}') as {
    capabilities: { capabilityId: string }[];
  };
  return capabilities.map(({ capabilityId }) => capabilityId);
}

/** Builds environments one after the other, or at once. */
export async function buildAll(
  createBuilder: CreateBuilder,
  config: InlineConfig,
  { names, atOnce = false }: { names?: readonly string[]; atOnce?: boolean } = {},
): Promise<Record<string, Bundle>> {
  const builder = await createBuilder(config);
  const bundles: Record<string, Bundle> = {};
  const build = async (name: string) => {
    const environment = builder.environments[name];
    if (environment === undefined) throw new Error(`there is no environment ${name}`);
    bundles[name] = describeBundle(await builder.build(environment));
  };
  const all = names ?? Object.keys(builder.environments);
  if (atOnce) await Promise.all(all.map(build));
  else
    for (const name of all) {
      // oxlint-disable-next-line no-await-in-loop
      await build(name);
    }
  return bundles;
}

/** {@link PAGE_AND_SERVER}, with some files otherwise. */
export function makePageAndServer(files: Files = {}): string {
  return makeApp({ ...PAGE_AND_SERVER, ...files });
}

/** A report without its frames' lines and breaks. */
export function plain(report: unknown): string {
  return (report instanceof Error ? report.message : String(report)).replaceAll(/[\s│]+/g, " ");
}
