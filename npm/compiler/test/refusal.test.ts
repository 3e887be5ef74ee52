import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { agentSurface, compileCapabilityContract, ContractError } from "@agent-surface/compiler";
import { installVite, makeApp } from "./app.js";
import { BUNDLERS, ROLLDOWN, ROLLUP, VITE_7, VITE_8, type Bundler } from "./bundlers.js";
import { SERVERS } from "./served.js";

/** A declaration whose description only the page knows. */
const dynamic = (type: string): string => `import { defineAgentComponentContract } from "@agent-surface/core";

export const contract = defineAgentComponentContract({ type: "${type}", description: document.title });
`;

/** Two modules with an error each. */
const REFUSED = {
  "index.html": '<script type="module" src="/src/main.js"></script>\n',
  "src/main.js": `import "./first.js";\nimport "./second.js";\n`,
  "src/first.js": dynamic("demo.first"),
  "src/second.js": dynamic("demo.second"),
};

const require = createRequire(import.meta.url);
const binary = (name: string, path: string): string =>
  join(dirname(require.resolve(`${name}/package.json`)), path);

/** Each bundler's own command line, with what it needs to know. */
const COMMANDS: ReadonlyArray<[Bundler, string[]]> = [
  [VITE_8, [binary("vite", "bin/vite.js"), "build"]],
  [VITE_7, [binary("vite7", "bin/vite.js"), "build"]],
  [ROLLDOWN, [binary("rolldown", "bin/cli.mjs"), "-c"]],
  [ROLLUP, [binary("rollup", "dist/bin/rollup"), "-c"]],
];

const CONFIG = `import { createRequire } from "node:module";
import { agentSurface } from ${JSON.stringify(import.meta.resolve("@agent-surface/compiler"))};
const packages = { name: "packages", resolveId: (id, from) => /^@agent/.test(id) ? createRequire(from).resolve(id) : null };
export default { input: "src/main.js", output: { dir: "dist" }, plugins: [packages, agentSurface()] };
`;

describe.each(COMMANDS.map(([bundler, command]) => ({ name: bundler.name, command })))(
  "on the command line of $name",
  ({ name, command }) => {
    it("a refused build prints every error, each once", async () => {
      const file = name.startsWith("Vite") ? "vite.config.js" : `${name.toLowerCase()}.config.js`;
      const root = makeApp({ ...REFUSED, [file]: CONFIG });
      const failure = await promisify(execFile)(process.execPath, command, { cwd: root }).then(
        () => expect.unreachable("the build passed"),
        (error: { stdout: string; stderr: string; code: number }) => error,
      );
      const printed = stripVTControlCharacters(failure.stdout + failure.stderr);
      expect(failure.code).toBe(1);
      expect(printed.split("document.title").length - 1).toBe(2);
      expect(printed).toContain("src/first.js:3");
      expect(printed).toContain("src/second.js:3");
    });
  },
);

describe.each(BUNDLERS)("from $name", (bundler) => {
  it("a refused build is told with its diagnostics and the place of the first error", async () => {
    const root = makeApp(REFUSED);
    const failure: unknown = await bundler.bundle({ root, plugins: [agentSurface()] }).then(
      () => expect.unreachable("the build passed"),
      (error: unknown) => error,
    );
    const { errors } = failure as { errors?: unknown[] };
    const refusal = (errors?.[0] ?? failure) as ContractError;
    expect(refusal).toBeInstanceOf(ContractError);
    expect(refusal.diagnostics.map(({ id, line }) => [id, line])).toEqual([
      [join(root, "src/first.js"), 3],
      [join(root, "src/second.js"), 3],
    ]);
    expect(refusal.report).toMatch(
      /^agent-surface found 2 contract problems\.\n[^]*second\.js:3[^]*such constants\.$/,
    );
    expect(refusal.loc).toMatchObject({ file: join(root, "src/first.js"), line: 3 });
  });
});

it.each(SERVERS)("without a build, by $name, the report is the message and nothing else", async (major) => {
  const root = makeApp({ ...REFUSED, "vite.config.mjs": "export default {};\n" });
  installVite(root, major.package);
  const refusal = await compileCapabilityContract({ root }).then(
    () => expect.unreachable("the contract was proven"),
    (error: ContractError) => error,
  );
  expect(refusal.message).toBe(refusal.report);
  expect(refusal.message).toMatch(/^agent-surface found 2 contract problems\.\n/);
});
