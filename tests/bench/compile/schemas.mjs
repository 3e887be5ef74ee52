/**
 * `node schemas.mjs COUNT` watches an app with so many schemas of Zod and prints a {@link Measured}: for its first build, for
 * one after an edit of a module that has none, and for one after an edit of one schema.
 *
 * @typedef {object} Measured
 * @property {number} asked How many schemas the compiler asked for.
 * @property {number} took Milliseconds until they were answered: a worker's start, the library's, and the evaluation.
 */
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { agentSurface } from "@agent-surface/compiler";
import { native } from "../../../npm/compiler/dist/native.js";

const NODE_MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** @type {Measured} */
let measured = { asked: 0, took: 0 };

/** Notes the time between the question for schemas and the answer. */
function watchSchemas() {
  const session = native().Session.prototype;
  let started = 0;
  wrap(session, "close", (close) => {
    const result = /** @type {import("../../../npm/compiler/dist/binding.js").Close} */ (close());
    const asked = result.kind === "ask" ? result.questions.filter(({ kind }) => kind === "schema").length : 0;
    if (asked > 0) started = performance.now();
    measured.asked += asked;
    return result;
  });
  wrap(session, "answer", (answer, answers) => {
    const told = /** @type {import("../../../npm/compiler/dist/binding.js").Answer[]} */ (answers);
    if (told.some(({ kind }) => kind === "schema")) measured.took += performance.now() - started;
    return answer();
  });
}

/**
 * Puts a function around a method; it gets the call, and the method's first argument.
 * @param {object} prototype
 * @param {string} name
 * @param {(call: () => unknown, given: unknown) => unknown} around
 */
function wrap(prototype, name, around) {
  const method = Reflect.get(prototype, name);
  /** @this {unknown} @param {unknown[]} given */
  const value = function (...given) {
    return around(() => Reflect.apply(method, this, given), given[0]);
  };
  Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
}

/**
 * A module with one contract over one schema.
 * @param {number} at
 * @param {string} text What tells it from what it was before.
 */
function contractModule(at, text) {
  return `import { defineAgentProcedureContract, fromStandardSchema } from "@agent-surface/core";
import { z } from "zod";
const Rows = z.object({
  ids: z.array(z.string()).min(1).max(${at + 1}).describe("${text}"),
  mode: z.enum(["replace", "add", "remove"]).default("replace"),
  below: z.int().min(1).max(100).optional(),
});
export const contract = defineAgentProcedureContract({
  id: "domain:rows.p${at}", description: "Select rows", effect: "server-query",
  input: fromStandardSchema(Rows, { jsonSchema: z.toJSONSchema(Rows) }),
});
`;
}

const count = Number(process.argv[2]);
const root = await realpath(await mkdtemp(join(tmpdir(), "agent-surface-bench-")));
await symlink(NODE_MODULES, join(root, "node_modules"), "dir");
await mkdir(join(root, "src"));
const names = Array.from({ length: count }, (_, at) => `contract${at}`);
const imports = names.map((name) => `import { contract as ${name} } from "./${name}.js";\n`);
/** @type {Record<string, string>} */
const files = {
  "package.json": '{ "name": "app", "private": true, "type": "module" }',
  "src/main.js": `import authority from "virtual:agent-surface-contract";\n${imports.join("")}console.log(authority, ${names.join()});\n`,
};
for (const [at, name] of names.entries()) files[`src/${name}.js`] = contractModule(at, "Rows");
for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);

watchSchemas();
const watcher = /** @type {import("node:events").EventEmitter & { close(): Promise<void> }} */ (
  /** @type {unknown} */ (
    await build({
      root,
      configFile: false,
      logLevel: "silent",
      plugins: [agentSurface()],
      build: { watch: {}, rollupOptions: { input: join(root, "src/main.js") } },
    })
  )
);
const builds = new EventTarget();
watcher.on("event", (/** @type {{ code: string, error?: unknown }} */ { code, error }) => {
  if (code === "ERROR") throw error;
  if (code === "END") builds.dispatchEvent(new Event("end"));
});

/**
 * What the next build asks for.
 * @param {() => Promise<void>} begin
 */
async function nextBuild(begin) {
  measured = { asked: 0, took: 0 };
  const ended = once(builds, "end");
  await begin();
  await ended;
  return measured;
}

/**
 * Puts a new text in a file's place at once: a watcher would read what is half written.
 * @param {string} path
 * @param {string} text
 */
async function replace(path, text) {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

const first = await nextBuild(async () => undefined);
const main = join(root, "src/main.js");
const other = await nextBuild(async () =>
  replace(main, `${await readFile(main, "utf8")}console.log("an edit");\n`),
);
const edited = await nextBuild(() =>
  replace(join(root, "src/contract0.js"), contractModule(0, "Other rows")),
);
await watcher.close();
await rm(root, { recursive: true, force: true });
console.log(JSON.stringify([first, other, edited]));
process.exit();
