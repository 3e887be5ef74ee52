// Runs programs for `crates/soundness` and tells what their contract macros were called with.
//
// A line of stdin is a program, `{ entry, world, hold?, modules: { [id]: { code, links } } }`; a line of stdout is what
// became of it. Modules are linked by Node itself, so that the order of evaluation, live bindings and cycles are
// the language's own and not a bundler's.

/// <reference lib="es2023.array" />
/// <reference lib="es2024.string" />

import { createInterface } from "node:readline";
import vm from "node:vm";

/**
 * A program's module, as the host hands it over.
 * @typedef {{ code: string, links: Record<string, string> }} Linked
 *
 * A question of the host's.
 * @typedef {{ entry: string, world: number, hold?: string, modules: Record<string, Linked> }} Program
 *
 * A call of a macro. The definition is kept in canonical JSON as it was, and alive.
 * @typedef {{ called: string, definition: string, live: any, proof: any, validators: string[], author: any }} Call
 */

/**
 * What the program in hand has called so far.
 * @type {Call[]}
 */
let records = [];

/** Which of two worlds the program runs in: whatever `env` answers differs between them. */
let world = 0;

/** Contexts are replaced from time to time: V8 keeps something of every module it compiled in one. */
const RUNS_IN_A_CONTEXT = 2000;

/**
 * How `$hold` keeps the objects of the program in hand: not at all, `as made`, `read as made`, `filled read as made`,
 * `still` or `filled still`.
 * @type {string | undefined}
 */
let held;

/** Objects as they were made, by the objects that the program goes on with. */
let made = new WeakMap();

/**
 * Ignores every change. Freezing goes through: it changes no value, and programs may see it.
 * @type {ProxyHandler<object>}
 */
const STILL = {
  set: () => true,
  deleteProperty: () => true,
  setPrototypeOf: () => true,
  defineProperty: (target, key, descriptor) =>
    !Object.hasOwn(target, key) ||
    descriptor.configurable !== false ||
    Reflect.defineProperty(target, key, {
      configurable: false,
      ...(descriptor.writable === false && { writable: false }),
    }),
};

/**
 * What each literal of a held program goes through, and each schema.
 * @template {object} T
 * @param {T} value
 * @returns {T}
 */
function hold(value) {
  if (held?.endsWith("as made")) {
    const copy = Array.isArray(value)
      ? value.slice()
      : Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
    made.set(value, copy);
  }
  return held === "still" || (held === "filled still" && isFilled(value))
    ? /** @type {T} */ (new Proxy(value, STILL))
    : value;
}

/**
 * Whether an object or list has anything in it.
 * @param {object} value
 */
const isFilled = (value) => Reflect.ownKeys(value).length > Number(Array.isArray(value));

/**
 * What a member is read of.
 * @param {any} value
 */
function readable(value) {
  const asMade = made.get(value);
  const isRead = held === "read as made" || (held === "filled read as made" && asMade && isFilled(asMade));
  return isRead ? (asMade ?? value) : value;
}

class Schema {
  /**
   * @param {any} jsonSchema
   * @param {(value: unknown) => unknown} [validator]
   */
  constructor(jsonSchema, validator) {
    this.jsonSchema = jsonSchema;
    this.validator = validator;
  }
  /** @param {unknown} value */
  parse(value) {
    return this.validator === undefined ? value : this.validator(value);
  }
}

class Contract {
  /** @param {number} record */
  constructor(record) {
    this.record = record;
  }
  bind() {
    return this;
  }
}

/** Marks what JSON cannot carry. No text of a program begins with it. */
const NOT_JSON = "\u0000not JSON: ";

/**
 * A value in canonical JSON (RFC 8785), with the document where a schema stands.
 * @param {any} value
 * @param {string} at the pointer to the value
 * @param {string[]} validators takes the pointers to the schemas whose validator is code
 * @returns {string}
 */
function canonical(value, at = "", validators = []) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.isWellFormed() ? value : NOT_JSON + "a lone surrogate");
    case "boolean":
      return String(value);
    case "number":
      return Number.isFinite(value) ? JSON.stringify(value) : JSON.stringify(NOT_JSON + value);
    case "object":
      break;
    default:
      return JSON.stringify(NOT_JSON + typeof value);
  }
  if (value === null) return "null";
  value = made.get(value) ?? value;
  if (value instanceof Schema) {
    if (value.validator !== undefined) validators.push(at);
    return canonical(value.jsonSchema, at, validators);
  }
  if (at.length > 2000) return JSON.stringify(NOT_JSON + "too deep");
  if (Array.isArray(value)) {
    const items = Array.from(value, (item, index) => canonical(item, `${at}/${index}`, validators));
    return `[${items.join(",")}]`;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return JSON.stringify(NOT_JSON + "an object of a class");
  if (Object.getOwnPropertySymbols(value).length > 0) return JSON.stringify(NOT_JSON + "a symbol");
  const members = [];
  // The default order is by UTF-16 code units.
  for (const key of Object.keys(value).toSorted()) {
    if (value[key] === undefined) continue;
    const token = key.replaceAll("~", "~0").replaceAll("/", "~1");
    const name = key.isWellFormed() ? key : NOT_JSON + "a lone surrogate";
    members.push(`${JSON.stringify(name)}:${canonical(value[key], `${at}/${token}`, validators)}`);
  }
  return `{${members.join(",")}}`;
}

/** @param {string} called */
function macro(called) {
  /** @type {(definition: any, proof?: any, author?: any) => Contract} */
  return (definition, proof, author) => {
    /** @type {string[]} */
    const validators = [];
    const text = canonical(definition, "", validators);
    records.push({ called, definition: text, live: definition, proof, validators, author });
    return new Contract(records.length - 1);
  };
}

/** @type {Record<string, (...given: any[]) => unknown>} */
const core = {
  defineAgentComponentContract: macro("defineAgentComponentContract"),
  defineAgentProcedureContract: macro("defineAgentProcedureContract"),
  defineExternalAgentToolContract: macro("defineExternalAgentToolContract"),
  observationContract: (contract) => contract,
  actionContract: (contract) => contract,
  fromJsonSchema: (document) => hold(new Schema(document)),
  fromStandardSchema: (validator, options) => hold(new Schema(options.jsonSchema, () => validator)),
};

/** An empty schema that the program can't change for the next one. */
const emptyObjectSchema = () =>
  hold(
    new Schema(Object.freeze({ type: "object", properties: Object.freeze({}), additionalProperties: false })),
  );

/**
 * Two of them, so that what holds objects is nowhere near a run that is only watched.
 * @type {{ plain?: vm.Context | undefined, held?: vm.Context | undefined }}
 */
const contexts = {};
let runs = 0;

function contextForRun() {
  if (++runs % RUNS_IN_A_CONTEXT === 0) {
    contexts.plain = undefined;
    contexts.held = undefined;
  }
  const kind = held === undefined ? "plain" : "held";
  let context = contexts[kind];
  if (context === undefined) {
    context = vm.createContext({
      console: { log() {} },
      structuredClone,
      $hold: hold,
      $read: readable,
      /** @param {any} value */
      $made: (value) => made.get(value) ?? value,
      /** @param {string} name */
      env: (name) => ANSWERS[world]?.[name] ?? ANSWERS[world]?.["text"],
    });
    // What a program assigns here would be there for the next one.
    vm.runInContext(
      'Object.defineProperty(globalThis, "globalThis", { value: globalThis, writable: false })',
      context,
    );
    if (kind === "held") holdParsed(context);
    contexts[kind] = context;
  }
  return context;
}

/**
 * What `JSON.parse` makes is a literal too.
 * @param {vm.Context} context
 */
function holdParsed(context) {
  const json = vm.runInContext("JSON", context);
  const { parse } = json;
  /** @type {typeof JSON.parse} */
  json.parse = (text, reviver) =>
    parse(
      text,
      /** @type {(this: any, key: string, value: any) => any} */ function (key, value) {
        const revived = reviver === undefined ? value : reviver.call(this, key, value);
        return typeof revived === "object" && revived !== null ? hold(revived) : revived;
      },
    );
}

/**
 * What is known only at run time, in each world.
 * @type {Record<string, unknown>[]}
 */
const ANSWERS = [
  { text: "one", number: 1, flag: true, list: ["one"], object: { a: "one" }, nothing: undefined },
  { text: "other", number: 2, flag: false, list: [], object: { a: "other" }, nothing: "something" },
];

/**
 * Loads a program.
 * @param {Program} program
 * @returns {Promise<Map<string, vm.Module>>} its modules
 */
async function load(program) {
  const context = contextForRun();
  /** @type {Map<string, vm.SourceTextModule>} */
  const modules = new Map();
  const names = [...Object.keys(core), "emptyObjectSchema"];
  const stub = new vm.SyntheticModule(
    names,
    function () {
      for (const [name, value] of Object.entries(core)) this.setExport(name, value);
      this.setExport("emptyObjectSchema", emptyObjectSchema());
    },
    { context },
  );
  /** @param {string} id */
  const moduleOf = (id) => {
    if (id.endsWith("/@agent-surface/core/dist/index.js")) return stub;
    let module = modules.get(id);
    if (module === undefined) {
      const linked = program.modules[id];
      if (linked === undefined) throw new Error(`there is no ${id}`);
      module = new vm.SourceTextModule(linked.code, { context, identifier: id });
      modules.set(id, module);
    }
    return module;
  };
  // Before anything is linked, so that what does not parse is thrown here and not in the midst of Node's linking.
  for (const [id, { code, links }] of Object.entries(program.modules)) {
    moduleOf(id);
    for (const specifier of moduleOf(id).dependencySpecifiers)
      if (links[specifier] === undefined) throw new Error(`${specifier} leads nowhere from ${id}: ${code}`);
  }
  const entry = moduleOf(program.entry);
  await entry.link((specifier, importer) =>
    moduleOf(program.modules[importer.identifier]?.links[specifier] ?? specifier),
  );
  await entry.evaluate();
  return modules;
}

/**
 * Contracts that exports lead to, by the name a declaration there would have.
 * @param {Map<string, vm.Module>} modules
 */
function contractsIn(modules) {
  /** @type {[string, number][]} */
  const reached = [];
  /** @type {(value: any, name: string, depth: number) => void} */
  const visit = (value, name, depth) => {
    if (value instanceof Contract) reached.push([name, value.record]);
    else if (typeof value === "object" && value !== null && depth < 4 && !Array.isArray(value))
      for (const key of Object.keys(value)) visit(value[key], `${name}.${key}`, depth + 1);
  };
  for (const [id, { namespace }] of modules) {
    for (const name of Object.keys(namespace)) {
      try {
        visit(memberOf(namespace, name), `${id.slice("/app/".length)}#${name}`, 0);
      } catch {
        // A getter of the program's.
      }
    }
  }
  return reached;
}

/**
 * A namespace is typed as an object without members.
 * @param {any} namespace
 * @param {string} name
 */
const memberOf = (namespace, name) => namespace[name];

/**
 * Calls what the modules export under a name that begins with `late`, as an app does when it is used.
 * @param {Map<string, vm.Module>} modules
 */
function runLate(modules) {
  for (const { namespace } of modules.values()) {
    for (const name of Object.keys(namespace)) {
      if (!name.startsWith("late")) continue;
      try {
        memberOf(namespace, name)();
      } catch {
        // What an app does late may fail; the contract is what it is.
      }
    }
  }
}

/**
 * Runs a program.
 * @param {Program} program
 */
async function run(program) {
  records = [];
  world = program.world;
  held = program.hold;
  made = new WeakMap();
  /** @type {[string, number][]} */
  let reached = [];
  /** @type {string | null} */
  let error = null;
  let modules;
  try {
    modules = await load(program);
  } catch (thrown) {
    error = String(thrown);
  }
  if (modules !== undefined) {
    reached = contractsIn(modules);
    runLate(modules);
  }
  const calls = records.map(({ called, definition, live, proof, validators, author }) => ({
    called,
    definition,
    later: canonical(live),
    proof: proof === undefined ? null : canonical(proof),
    validators: author === undefined ? validators : validatorsIn(author, proof),
  }));
  return { records: calls, reached, error };
}

/**
 * The pointers of a proof that really lead to a validator in the author's object.
 * @param {any} author
 * @param {{ validators?: string[] }} proof
 */
function validatorsIn(author, proof) {
  return (proof.validators ?? []).filter((pointer) => {
    let value = author;
    for (const token of pointer.split("/").slice(1))
      value = value?.[token.replaceAll("~1", "/").replaceAll("~0", "~")];
    return value instanceof Schema && value.validator !== undefined;
  });
}

// A promise that a program leaves behind is its own affair.
process.on("unhandledRejection", () => {});

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity }))
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line)))}\n`);
