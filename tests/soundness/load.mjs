/**
 * `node load.mjs FOLDER` loads a bundle as a page would, in a stand-in for one, and prints what its contract macros
 * were called with, and what was thrown. Scripts of the page come first, in its order, then every chunk that
 * none of them loaded: a lazy one holds contracts too.
 *
 * The bundle calls `$record(macro, definition, proof)`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Window } from "happy-dom";

/**
 * A call of a macro: the definition as it was then, and once everything had been loaded.
 * @typedef {{ called: string, definition: unknown, later: unknown, proof: unknown }} Call
 */

const [folder = ""] = process.argv.slice(2);

/** @type {{ called: string, text: string, definition: unknown, proof: unknown }[]} */
const calls = [];

/**
 * What a definition says: of a schema, its document. Anything that JSON can't carry is text that says so.
 * @param {unknown} definition
 */
function textOf(definition) {
  return JSON.stringify(definition, (_, value) => {
    if (typeof value === "object" && value !== null && "jsonSchema" in value && "parse" in value)
      return value.jsonSchema;
    if (
      ["function", "symbol", "bigint"].includes(typeof value) ||
      (typeof value === "number" && !isFinite(value))
    )
      return `not JSON: ${String(value)}`;
    return value;
  });
}

/** @type {(called: string, definition: unknown, proof: unknown) => void} */
function record(called, definition, proof) {
  calls.push({ called, text: textOf(definition), definition, proof });
}

/** @param {string} html */
function openPage(html) {
  const window = new Window({ url: "http://localhost/" });
  window.document.write(html);
  for (const name of Object.getOwnPropertyNames(window)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, {
        configurable: true,
        writable: true,
        value: Reflect.get(window, name),
      });
  }
  // What a page takes from its window without naming it.
  Object.assign(globalThis, { window: globalThis, self: globalThis, document: window.document });
  return [...window.document.querySelectorAll("script[src]")].map(
    (script) => script.getAttribute("src") ?? "",
  );
}

const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
// What a server loads has no page.
const scripts = openPage(
  files.includes("index.html") ? readFileSync(join(folder, "index.html"), "utf8") : "",
);
const chunks = files.filter((file) => /\.m?js$/.test(file)).toSorted();
Object.assign(globalThis, { $record: record });

/** @type {string | null} */
let error = null;
for (const chunk of [...scripts, ...chunks]) {
  try {
    await import(pathToFileURL(join(folder, chunk)).href);
  } catch (thrown) {
    error ??= thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
}

/** @type {Call[]} */
const told = calls.map(({ called, text, definition, proof }) => ({
  called,
  definition: JSON.parse(text),
  later: JSON.parse(textOf(definition)),
  proof: proof ?? null,
}));
// The stand-in keeps timers that nobody waits for.
process.stdout.write(JSON.stringify({ calls: told, error }), () => process.exit());
