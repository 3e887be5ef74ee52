import { join } from "node:path";
import { rolldown } from "rolldown";
import { build as build8, createBuilder, type InlineConfig } from "vite";
import { build as build7 } from "vite7";
import { describe, expect, it } from "vitest";
import { agentSurface, type ContractError } from "@agent-surface/compiler";
import { makeApp } from "./app.js";
import { run, type OutputFile } from "./bundlers.js";

/** What an app is built with: constants, and the files that say others. */
const LIMITS = { max: 5, list: [1, 2] };
const DEFINE = {
  __NAME__: '"ACME"',
  __LIMITS__: LIMITS,
  "config.place": '"lobby"',
  __CALL__: "location.host",
};
const FILES = { ".env": "VITE_FLOOR=3\nSECRET=no\n", ".env.staging": "VITE_FLOOR=4\n" };

/** Expressions that a build puts constants into. */
const EXPRESSIONS = [
  "__NAME__",
  "`by ${__NAME__}`",
  "__LIMITS__.max",
  '__LIMITS__["list"][1]',
  "config.place",
  'config["place"]',
  "config?.place",
  "typeof __NAME__",
  "import.meta.env.MODE",
  "import.meta.env?.MODE",
  'import.meta.env["MODE"]',
  'import.meta.env["MO" + "DE"]',
  "import.meta.env.BASE_URL",
  "import.meta.env.DEV",
  "import.meta.env.PROD",
  "import.meta.env.VITE_FLOOR",
  'import.meta.env.SECRET ?? "not told"',
  "process.env.NODE_ENV",
  'process.env["NODE_ENV"]',
  'process.env.SECRET ?? "not told"',
];

/** A module that exports each expression's value as it runs, and a contract that carries all of them. */
const source = (expressions: readonly string[], before = ""): string =>
  `import { defineAgentComponentContract, fromJsonSchema, observationContract } from "@agent-surface/core";
${before}
export const values = [${expressions.join(", ")}];
export const contract = defineAgentComponentContract({ type: "demo.constants", description: "It", observations: {
  it: observationContract({ description: "It", output: fromJsonSchema({ enum: [${expressions.join(", ")}] }) }) } });
`;

/** The two majors differ in types that play no part here. */
const VITES = [
  { name: "Vite 8", build: build8 },
  { name: "Vite 7", build: build7 as unknown as typeof build8 },
];

const filesOf = (output: readonly unknown[]): OutputFile[] =>
  (output as { fileName: string; code?: string; source?: string }[]).map(
    ({ fileName, code, source: text }) => ({
      fileName,
      text: code ?? text ?? "",
    }),
  );

/** What the contract of a bundle carries, and what its module exports when it runs. */
async function compare(root: string, files: OutputFile[], chunk: string) {
  const { values } = (await run(root, files, chunk)) as { values: unknown[] };
  const contract = files.find(({ fileName }) => fileName.endsWith(".contract.json"));
  const manifest = JSON.parse(contract?.text ?? "{}") as {
    capabilities: { outputSchema: { enum: unknown[] } }[];
  };
  return { ran: values, proven: manifest.capabilities[0]?.outputSchema.enum };
}

/** The problems of a build that must fail. */
async function problemsOf(build: Promise<unknown>): Promise<string[]> {
  const failure: unknown = await build.then(
    () => expect.unreachable("the build passed"),
    (error: unknown) => error,
  );
  const { errors } = failure as { errors?: ContractError[] };
  return (errors?.[0] ?? (failure as ContractError)).diagnostics.map(
    ({ code, message }) => `${code}: ${message}`,
  );
}

/** The config of an app with one entry, by Vite. */
const config = (root: string, more: InlineConfig = {}): InlineConfig => ({
  root,
  configFile: false,
  logLevel: "silent",
  define: DEFINE,
  plugins: [agentSurface()],
  ...more,
  build: {
    write: false,
    minify: false,
    target: "esnext",
    ...more.build,
    rollupOptions: {
      input: join(root, "src/main.ts"),
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "app.js" },
    },
  },
});

describe.each(VITES)("with $name", ({ build }) => {
  const problems = (expression: string, more?: InlineConfig) =>
    problemsOf(build(config(makeApp({ "src/main.ts": source([expression]) }), more)));

  it.each(["production", "staging"])(
    "in mode %s a contract carries what the built module computes",
    async (mode) => {
      const root = makeApp({ ...FILES, "src/main.ts": source(EXPRESSIONS) });
      const output = await build(config(root, { mode }));
      const files = filesOf("output" in output ? output.output : []);
      const { ran, proven } = await compare(root, files, "app.js");
      expect(proven).toEqual(ran);
      expect(proven?.[EXPRESSIONS.indexOf("import.meta.env.VITE_FLOOR")]).toBe(
        mode === "staging" ? "4" : "3",
      );
    },
  );

  it("a name of the module's own is no constant of the build", async () => {
    const before = 'const __NAME__ = "own"; const config = { place: "own" };';
    const root = makeApp({ "src/main.ts": source(["__NAME__", "config.place"], before) });
    const output = await build(config(root));
    const { ran, proven } = await compare(root, filesOf("output" in output ? output.output : []), "app.js");
    expect(ran).toEqual(["own", "own"]);
    expect(proven).toEqual(ran);
  });

  it("a constant that is no JSON is an error, and so is what a server has otherwise", async () => {
    expect(await problems("__CALL__")).toEqual([
      expect.stringMatching(/dynamic-value.*`__CALL__` is replaced by `location.host`/),
    ]);
    expect(await problems("import.meta.env.SSR")).toEqual([expect.stringContaining("varying-value")]);
    expect(await problems("import.meta.env.SSR", { build: { ssr: true } })).toEqual([
      expect.stringContaining("varying-value"),
    ]);
    expect(await problems("process.env.NODE_ENV", { build: { ssr: true } })).toEqual([
      expect.stringContaining("`process` is not declared"),
    ]);
  });
});

it("a constant that two environments of a build have otherwise is an error in both", async () => {
  const root = makeApp({ "src/main.ts": source(["__SIDE__"]) });
  const environment = (side: string) => ({
    define: { __SIDE__: JSON.stringify(side) },
    build: { write: false, rollupOptions: { input: join(root, "src/main.ts") } },
  });
  const builder = await createBuilder({
    root,
    configFile: false,
    logLevel: "silent",
    plugins: [agentSurface()],
    environments: { client: environment("page"), ssr: environment("server") },
  });
  for (const { name, other } of [
    { name: "client", other: "ssr" },
    { name: "ssr", other: "client" },
  ]) {
    const built = builder.environments[name];
    if (built === undefined) throw new Error(`there is no ${name}`);
    expect(await problemsOf(builder.build(built))).toEqual([
      `agent-surface(varying-value): \`__SIDE__\` has another value in the environment \`${other}\``,
    ]);
  }
});

it("with Rolldown alone a contract carries the constants of its own option", async () => {
  const expressions = ["__NAME__", "config.place", "config?.place", '__LIMITS__["list"][1]'];
  const root = makeApp({ "src/main.ts": source(expressions) });
  const bundle = await rolldown({
    cwd: root,
    logLevel: "silent",
    input: join(root, "src/main.ts"),
    plugins: [agentSurface()],
    transform: { define: { ...DEFINE, __LIMITS__: JSON.stringify(LIMITS) } },
  });
  const { output } = await bundle.generate({ entryFileNames: "app.js" });
  const { ran, proven } = await compare(root, filesOf(output), "app.js");
  expect(ran).toEqual(["ACME", "lobby", "lobby", 2]);
  expect(proven).toEqual(ran);
});
