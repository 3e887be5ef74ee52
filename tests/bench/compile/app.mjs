/**
 * A made-up app of any size, always the same for the same size: modules of about sixty lines, a third of them with
 * JSX, in a tree of imports with one cross link each. Every tenth, or as many as are wanted, declares a contract with two
 * observations and three actions, and puts it to use: one that is shaken out of the bundle costs nothing there, and is
 * warned of.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

const MODULES_PER_FOLDER = 200;
/** Of so many modules one has a contract, unless somebody wants otherwise. */
export const MODULES_PER_CONTRACT = 10;
const ROWS = 8;
const LINES = 58;
const ACTIONS = ["setFilter", "selectRows", "sortBy"];

/**
 * Writes an app of `size` modules into a folder, of which one in `modulesPerContract` has a contract.
 * @param {string} root
 * @param {number} size
 */
export async function generateApp(root, size, modulesPerContract = MODULES_PER_CONTRACT) {
  const hasContract = (/** @type {number} */ index) => index % modulesPerContract === modulesPerContract - 1;
  const files = Array.from({ length: size }, (_, index) => [
    pathOf(index),
    moduleText(index, size, hasContract(index)),
  ]);
  const contracts = files.filter((_, index) => hasContract(index)).length;
  files.push(
    ["src/h.ts", H],
    ["src/surfaces.ts", SURFACES],
    ["src/main.ts", MAIN],
    ["vite.config.mjs", CONFIG],
    ["index.html", '<!doctype html>\n<script type="module" src="/src/main.ts"></script>\n'],
    ["package.json", `${JSON.stringify({ name: "synthetic", private: true, type: "module" })}\n`],
  );
  const folders = new Set(files.map(([path = ""]) => dirname(join(root, path))));
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const [path = "", text = ""] of files) await writeFile(join(root, path), text);
  return { contracts };
}

/** What JSX becomes. */
const H = `export const h = (type: unknown, props: unknown, ...children: unknown[]) => ({ type, props, children });
`;

/** What contracts are handed to: it stands for the components that bind them. */
const SURFACES = `const surfaces: unknown[] = [];

export function show(contract: unknown): void {
  surfaces.push(contract);
}
`;

const MAIN = `import authority from "virtual:agent-surface-contract";
import { sum0, value0 } from "./d0/m0";

Object.assign(globalThis, { app: [authority, sum0(1), value0] });
`;

/** For the dev server; there is no React to import: a function of the app's own takes its place. */
const CONFIG = `import { agentSurface } from "@agent-surface/compiler";
export default { oxc: { jsx: { runtime: "classic", pragma: "h" } }, plugins: [agentSurface()] };
`;

/** The first module with a contract, where every tenth has one. */
export const CONTRACT_MODULE = `src/d0/m${MODULES_PER_CONTRACT - 1}.tsx`;

/** One that has none. */
export const OTHER_MODULE = "src/d0/m1.ts";

/** @param {number} index */
const isView = (index) => index % 3 === 0;

/** @param {number} index */
const folderOf = (index) => `src/d${Math.floor(index / MODULES_PER_FOLDER)}`;

/** @param {number} index */
const pathOf = (index) => `${folderOf(index)}/m${index}.${isView(index) ? "tsx" : "ts"}`;

/**
 * How a module is imported from another's folder: without an ending, as people write it.
 * @param {number} from
 * @param {number} to
 */
function specifierOf(from, to) {
  const path = posix.relative(folderOf(from), pathOf(to)).replace(/\.tsx?$/, "");
  return path.startsWith(".") ? path : `./${path}`;
}

/**
 * The modules that a module imports: its two children in the tree, and one of all that follow it.
 * @param {number} index
 * @param {number} size
 */
function importsOf(index, size) {
  const imports = new Set([2 * index + 1, 2 * index + 2].filter((child) => child < size));
  const following = size - index - 1;
  if (following > 0) imports.add(index + 1 + (scatter(index) % following));
  return [...imports];
}

/** A number that looks like any other, the same for the same index. @param {number} index */
function scatter(index) {
  const mixed = Math.imul(index + 1, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/**
 * @param {number} index
 * @param {number} size
 * @param {boolean} hasContract
 */
function moduleText(index, size, hasContract) {
  const imports = importsOf(index, size);
  const group = `g${index % 17}`;
  const lines = [
    ...(hasContract
      ? [
          'import { actionContract, defineAgentComponentContract, fromJsonSchema, observationContract } from "@agent-surface/core";',
          'import { show } from "../surfaces";',
        ]
      : []),
    ...(isView(index) ? ['import { h } from "../h";'] : []),
    ...imports.map((other) => `import { value${other}, sum${other} } from "${specifierOf(index, other)}";`),
    "",
    `export interface Row${index} { id: string; name: string; amount: number; tags: string[] }`,
    "",
    `const rows${index}: Row${index}[] = [`,
    ...Array.from({ length: ROWS }, (_, row) => {
      const amount = (index * 7 + row * 13) % 997;
      return `  { id: "r${index}_${row}", name: "Row ${row} of ${index}", amount: ${amount}, tags: ["t${row}", "${group}"] },`;
    }),
    "];",
    "",
    ...(hasContract ? [contractText(index)] : []),
    `export function sum${index}(depth: number): number {`,
    "  let total = 0;",
    `  for (const row of rows${index}) {`,
    `    total += row.tags.includes("${group}") ? row.amount * depth : -row.amount;`,
    "  }",
    ...imports.map(
      (other) => `  if (depth > 0 && value${other}.length > 0) total += sum${other}(depth - 1);`,
    ),
    "  return total;",
    "}",
    "",
    `export const value${index}: string = rows${index}.map((row) => \`\${row.id}:\${row.name}\`).join(",");`,
    "",
    ...(isView(index) ? [viewText(index)] : []),
  ];
  for (let line = lines.length; line < LINES; line++) {
    lines.push(`export const k${index}_${line} = ${(line * index) % 1009};`);
  }
  return `${lines.join("\n")}\n`;
}

/** @param {number} index */
function viewText(index) {
  return `export function View${index}(props: { title: string }) {
  return (
    <section aria-label={props.title}>
      <ul>{rows${index}.map((row) => <li key={row.id}>{row.name}</li>)}</ul>
    </section>
  );
}`;
}

/** @param {number} index */
function contractText(index) {
  const actions = ACTIONS.map(
    (name) => `    ${name}: actionContract({
      description: "${name} on panel ${index}",
      input: ${objectSchema('value: { type: "string", maxLength: 64 }', ["value"])},
      effect: "local-state",
    }),`,
  );
  return `export const contract${index} = defineAgentComponentContract({
  type: "synth.m${index}",
  description: "Synthetic panel number ${index}",
  observations: {
    readState: observationContract({
      description: "Rows of panel ${index}",
      output: ${objectSchema('ids: { type: "array", items: { type: "string" } }, total: { type: "number" }', ["ids", "total"])},
    }),
    readFilter: observationContract({
      description: "Filter of panel ${index}",
      output: ${objectSchema('status: { enum: ["all", "on", "off"] }', ["status"])},
    }),
  },
  actions: {
${actions.join("\n")}
  },
});

show(contract${index});
`;
}

/**
 * @param {string} properties
 * @param {string[]} required
 */
function objectSchema(properties, required) {
  return `fromJsonSchema({ type: "object", properties: { ${properties} }, required: ${JSON.stringify(required)}, additionalProperties: false })`;
}
