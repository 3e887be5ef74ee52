// Runs programs for `crates/soundness` and tells what their contract macros were called with.
//
// A line of stdin is a program, `{ entry, world, hold?, modules: { [id]: { code, links } } }`; a line of stdout is what
// became of it. Modules are linked by Node itself, so that the order of evaluation, live bindings and cycles are
// the language's own and not a bundler's.

import { createInterface } from "node:readline";
import vm from "node:vm";

/** What the program in hand has called so far. */
let records = [];

/** Which of two worlds the program runs in: whatever `env` answers differs between them. */
let world = 0;

/** Contexts are replaced from time to time: V8 keeps something of every module it compiled in one. */
const RUNS_IN_A_CONTEXT = 2000;

/** How `$hold` keeps the objects of the program in hand: not at all, `as made`, `still` or `filled still`. */
let held;

/** Objects as they were made, by the objects that the program goes on with. */
let made = new WeakMap();

/** Ignores every change. Freezing goes through: it changes no value, and programs may see it. */
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

/** What each literal of a held program goes through, and each schema. */
function hold(value) {
  if (held === "as made") {
    const copy = Array.isArray(value)
      ? value.slice()
      : Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value));
    made.set(value, copy);
  }
  const isFilled = Reflect.ownKeys(value).length > Number(Array.isArray(value));
  return held === "still" || (held === "filled still" && isFilled) ? new Proxy(value, STILL) : value;
}

class Schema {
  constructor(jsonSchema, validator) {
    this.jsonSchema = jsonSchema;
    this.validator = validator;
  }
  parse(value) {
    return this.validator === undefined ? value : this.validator(value);
  }
}

class Contract {
  constructor(record) {
    this.record = record;
  }
  bind() {
    return this;
  }
}

/** Marks what JSON cannot carry. No text of a program begins with it. */
const NOT_JSON = "\u0000not JSON: ";

/** A value in canonical JSON (RFC 8785), with the document where a schema stands. */
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

function macro(called) {
  return (definition, proof, author) => {
    const validators = [];
    const text = canonical(definition, "", validators);
    records.push({ called, definition: text, live: definition, proof, validators, author });
    return new Contract(records.length - 1);
  };
}

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

/** Two of them, so that what holds objects is nowhere near a run that is only watched. */
const contexts = { plain: undefined, held: undefined };
let runs = 0;

function contextForRun() {
  if (++runs % RUNS_IN_A_CONTEXT === 0) contexts.plain = contexts.held = undefined;
  const kind = held === undefined ? "plain" : "held";
  if (contexts[kind] === undefined) {
    contexts[kind] = vm.createContext({
      console: { log() {} },
      structuredClone,
      $hold: hold,
      env: (name) => ANSWERS[world][name] ?? ANSWERS[world].text,
    });
    if (kind === "held") holdParsed(contexts[kind]);
  }
  return contexts[kind];
}

/** What `JSON.parse` makes is a literal too. */
function holdParsed(context) {
  const json = vm.runInContext("JSON", context);
  const { parse } = json;
  json.parse = (text, reviver) =>
    parse(text, function (key, value) {
      const revived = reviver === undefined ? value : reviver.call(this, key, value);
      return typeof revived === "object" && revived !== null ? hold(revived) : revived;
    });
}

/** What is known only at run time, in each world. */
const ANSWERS = [
  { text: "one", number: 1, flag: true, list: ["one"], object: { a: "one" }, nothing: undefined },
  { text: "other", number: 2, flag: false, list: [], object: { a: "other" }, nothing: "something" },
];

async function load(program) {
  const context = contextForRun();
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
  const moduleOf = (id) => {
    if (id.endsWith("/@agent-surface/core/dist/index.js")) return stub;
    let module = modules.get(id);
    if (module === undefined) {
      const { code } = program.modules[id];
      module = new vm.SourceTextModule(code, { context, identifier: id });
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
  await entry.link((specifier, importer) => moduleOf(program.modules[importer.identifier].links[specifier]));
  await entry.evaluate();
  return modules;
}

/** Contracts that exports lead to, by the name a declaration there would have. */
function contractsIn(modules) {
  const reached = [];
  const visit = (value, name, depth) => {
    if (value instanceof Contract) reached.push([name, value.record]);
    else if (typeof value === "object" && value !== null && depth < 4 && !Array.isArray(value))
      for (const key of Object.keys(value)) visit(value[key], `${name}.${key}`, depth + 1);
  };
  for (const [id, { namespace }] of modules) {
    for (const name of Object.keys(namespace)) {
      try {
        visit(namespace[name], `${id.slice("/app/".length)}#${name}`, 0);
      } catch {
        // A getter of the program's.
      }
    }
  }
  return reached;
}

/** Calls what the modules export under a name that begins with `late`, as an app does when it is used. */
function runLate(modules) {
  for (const { namespace } of modules.values()) {
    for (const name of Object.keys(namespace)) {
      if (!name.startsWith("late")) continue;
      try {
        namespace[name]();
      } catch {
        // What an app does late may fail; the contract is what it is.
      }
    }
  }
}

async function run(program) {
  records = [];
  world = program.world;
  held = program.hold;
  made = new WeakMap();
  const answer = { records: [], reached: [], error: null };
  let modules;
  try {
    modules = await load(program);
  } catch (error) {
    answer.error = String(error);
  }
  if (modules !== undefined) {
    answer.reached = contractsIn(modules);
    runLate(modules);
  }
  answer.records = records.map(({ called, definition, live, proof, validators, author }) => ({
    called,
    definition,
    later: canonical(live),
    proof: proof === undefined ? null : canonical(proof),
    validators: author === undefined ? validators : validatorsIn(author, proof),
  }));
  return answer;
}

/** The pointers of a proof that really lead to a validator in the author's object. */
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
