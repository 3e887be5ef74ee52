/**
 * The devices fixture as an app of a usual kind: most of its modules are its dependencies'. Beside what it depends on
 * anyway, React among them, it gets packages that are made up here: ES modules as compilers write them, in folders with
 * a barrel each, of which the app uses something.
 */
import { cp, mkdir, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));
const FIXTURE = fileURLToPath(new URL("../../../fixtures/devices", import.meta.url));

const MODULES_PER_PACKAGE = 25;
const FUNCTIONS_PER_MODULE = 4;

/**
 * Writes the fixture into a folder, with so many modules of dependencies more.
 * @param {string} root
 * @param {number} size A multiple of {@link MODULES_PER_PACKAGE}.
 */
export async function copyDevices(root, size) {
  await cp(FIXTURE, root, {
    recursive: true,
    filter: (path) => !path.startsWith(join(FIXTURE, "node_modules")),
  });
  /** @type {{ dependencies: Record<string, string>, devDependencies: Record<string, string> }} */
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
    const link = join(root, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(join(NODE_MODULES, name)), link, "dir");
  }
  const packages = Array.from({ length: size / MODULES_PER_PACKAGE }, (_, index) => index);
  for (const index of packages) await writePackage(join(root, "node_modules", nameOf(index)), index);
  await writeFile(join(root, "src/libraries.ts"), usesOf(packages));
  const main = join(root, "src/main.ts");
  await writeFile(main, `import "./libraries";\n${await readFile(main, "utf8")}`);
}

/** @param {number} index */
const nameOf = (index) => `library-${index}`;

/** What the app does with the packages. @param {readonly number[]} packages */
function usesOf(packages) {
  const imports = packages.map((index) => `import { compute${index}_0 } from "${nameOf(index)}";\n`);
  const calls = packages.map((index) => `compute${index}_0("${index}", {}).length`);
  return `${imports.join("")}\nObject.assign(globalThis, { libraries: [${calls.join(", ")}] });\n`;
}

/**
 * @param {string} folder
 * @param {number} index
 */
async function writePackage(folder, index) {
  const manifest = {
    name: nameOf(index),
    version: "1.0.0",
    type: "module",
    sideEffects: false,
    exports: { ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
  };
  await mkdir(join(folder, "dist"), { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const others = Array.from({ length: MODULES_PER_PACKAGE - 1 }, (_, at) => at);
  const barrel = others.map((at) => `export * from "./part${at}.js";\n`).join("");
  await writeFile(join(folder, "dist/index.js"), barrel);
  for (const at of others) await writeFile(join(folder, `dist/part${at}.js`), partText(index, at));
}

/**
 * A module of some sixty lines, as a compiler leaves it.
 * @param {number} index
 * @param {number} at
 */
function partText(index, at) {
  const lines = [];
  const parent = at === 0 ? undefined : (at - 1) >> 1;
  if (parent !== undefined) lines.push(`import { compute${index}_${parent} } from "./part${parent}.js";`);
  // Packages depend on packages.
  if (at === 1 && index > 0) lines.push(`import { Store${index - 1}_2 } from "${nameOf(index - 1)}";`);
  lines.push(
    "const hasOwn = Object.prototype.hasOwnProperty;",
    `const defaults${at} = { limit: ${at * 10}, order: "ascending", keys: ["id", "name", "part${at}"] };`,
    `export class Store${index}_${at}${at === 1 && index > 0 ? ` extends Store${index - 1}_2` : ""} {`,
    "  #entries = new Map();",
    "  set(key, value) {",
    "    const before = this.#entries.get(key);",
    "    if (before !== value) this.#entries.set(key, value);",
    "    return this;",
    "  }",
    "  get size() {",
    "    return this.#entries.size;",
    "  }",
    "}",
  );
  for (let number = 0; number < FUNCTIONS_PER_MODULE; number++) {
    lines.push(
      `function step${at}_${number}(input, options) {`,
      `  const { limit = defaults${at}.limit, order = defaults${at}.order } = options ?? {};`,
      "  const result = [];",
      "  for (const [key, value] of Object.entries(input)) {",
      "    if (!hasOwn.call(input, key) || result.length >= limit) continue;",
      `    result.push(order === "ascending" ? \`\${key}=\${value}\` : { key, value, at: ${number} });`,
      "  }",
      `  return result.length > ${number} ? result.slice(${number}) : result;`,
      "}",
    );
  }
  const steps = Array.from(
    { length: FUNCTIONS_PER_MODULE },
    (_, number) => `...step${at}_${number}(input, options)`,
  );
  lines.push(
    `export function compute${index}_${at}(name, input, options = defaults${at}) {`,
    `  const parts = [name, ${steps.join(", ")}];`,
    ...(parent === undefined ? [] : [`  parts.push(...compute${index}_${parent}(name, input, options));`]),
    "  return parts;",
    "}",
  );
  return `${lines.join("\n")}\n`;
}
