import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The requirements that concern the core and what is bound to it, by area: the numbers that are in force. */
const REQUIREMENTS: Readonly<Record<string, readonly number[]>> = {
  ID: [1, 2, 3, 4],
  SCHEMA: [1, 2, 3],
  CONTRACT: [1, 2, 3, 4],
  AUTHORITY: [1, 2, 3, 4],
  EXPOSURE: [1],
  LIFE: [1, 2, 3, 4, 5],
  VER: [1],
  EVT: [1],
  SNAP: [1, 2, 3],
  AVAIL: [1, 2],
  POLICY: [1, 2, 3, 4],
  INVOKE: [1, 2, 3, 4, 5],
  IDENT: [1, 2, 3, 4, 5, 6],
  STALE: [1, 2],
  CONC: [1, 2, 10, 11, 12],
  OBS: [1, 2, 3],
  NAV: [1, 2, 3, 4],
  SER: [1],
  ERR: [1],
  CONFIRM: [1, 2, 3, 4, 5, 6],
  OBSV: [1, 2],
  BOUND: [1, 2],
  BIND: [1, 2, 3, 4],
  ADAPTER: [1, 2, 4, 5],
  TOPO: [1, 2, 3],
  CACHE: [1, 2, 3, 4],
  META: [1, 2, 3, 4, 5, 6, 7, 8],
  WIRE: [4, 5, 6, 7],
  EXPLAIN: [1, 2, 3, 4],
  CLOSURE: [1, 2, 3, 4],
  ARTIFACT: [1, 2, 3],
};

/** Where tests name the requirement that they prove. */
const FOLDERS = ["crates", "npm", "tests"];

/** A test that names requirements. */
interface Test {
  readonly ids: readonly string[];
  readonly sentence: string;
  readonly file: string;
}

/** Every requirement's id, in the order of the table. */
export function requirements(): string[] {
  return Object.entries(REQUIREMENTS).flatMap(([area, numbers]) =>
    numbers.map((number) => `AS-${area}-${String(number).padStart(3, "0")}`),
  );
}

/** The tests that prove each requirement. */
export function testsByRequirement(root: string): Map<string, Test[]> {
  const tests = FOLDERS.flatMap((folder) => sources(root, folder)).flatMap((file) => testsOf(root, file));
  return new Map(requirements().map((id) => [id, tests.filter((test) => test.ids.includes(id))]));
}

/** The table as Markdown. */
export function table(byRequirement: ReadonlyMap<string, readonly Test[]>): string {
  const rows = [...byRequirement].flatMap(([id, tests]) =>
    tests.map(({ sentence, file }, index) => `| ${index === 0 ? id : ""} | ${sentence} | \`${file}\` |`),
  );
  return [
    "# Conformance",
    "",
    "What the core has to satisfy, by the ids under which the requirements are known, and the tests that prove it. This",
    "page is made from the tests' names by `tests/conformance`, which also holds that no requirement is without one:",
    "`npx vitest run tests/conformance -u` writes it anew.",
    "",
    "| requirement | test | file |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

function sources(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !["node_modules", "dist", "target", "generated"].includes(name))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return sources(root, path);
      return /\.rs$|\.test\.tsx?$/.test(path) ? [path] : [];
    })
    .toSorted();
}

function testsOf(root: string, file: string): Test[] {
  const text = readFileSync(join(root, file), "utf8");
  return file.endsWith(".rs") ? rustTests(text, file) : vitestTests(text, file);
}

/** `fn as_evt_001_events_come_in_order()` */
function rustTests(text: string, file: string): Test[] {
  return Array.from(text.matchAll(/\bfn (as_[a-z]+_\d{3})_(\w+)\(/g), ([, id = "", name = ""]) => ({
    ids: [id.toUpperCase().replaceAll("_", "-")],
    sentence: name.replaceAll("_", " "),
    file,
  }));
}

/** `it("AS-EVT-001 events come in order", …)` */
function vitestTests(text: string, file: string): Test[] {
  return Array.from(text.matchAll(/"((?:AS-[A-Z]+-\d{3} )+)([^"]*)"/g), ([, ids = "", sentence = ""]) => ({
    ids: ids.trim().split(" "),
    sentence: sentence.replaceAll("|", "\\|"),
    file,
  }));
}
