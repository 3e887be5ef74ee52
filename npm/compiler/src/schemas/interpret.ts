import type { Failure, Outcome, Tree } from "./program.js";

/** What a text begins with that stands in for one of the app's. */
const STAND_IN = "@agent-surface/stand-in:";

/** What went wrong in a program, and at which of its calls. */
class ProgramError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Anything of a library. */
type Value = any; // oxlint-disable-line typescript/no-explicit-any -- a library's values are of types unknown here

/** Runs a program over the namespaces that it imports, and says what its result is as JSON. */
export function interpret(text: string, namespaces: readonly object[]): Outcome {
  const [constants, result] = JSON.parse(text) as [Tree[], Tree];
  const interpreter = new Interpreter(namespaces);
  try {
    for (const constant of constants) interpreter.constants.push(interpreter.evaluate(constant));
    return { document: toJson(interpreter.evaluate(result)) };
  } catch (error) {
    if (error instanceof ProgramError) return { failure: error.failure };
    return { failure: { message: messageOf(error) } };
  }
}

class Interpreter {
  readonly constants: Value[] = [];
  readonly #namespaces: readonly object[];
  /** What every call came to, in the order in which they ended: what a call is made of comes before it. */
  readonly #results: [site: number, value: Value][] = [];

  constructor(namespaces: readonly object[]) {
    this.#namespaces = namespaces;
  }

  evaluate(tree: Tree | undefined): Value {
    if (!isNode(tree)) return tree;
    const [kind, ...parts] = tree;
    switch (kind) {
      case "import":
        return this.#namespaces[parts[0] as number];
      case "constant":
        return this.constants[parts[0] as number];
      case "member":
        return this.#member(this.evaluate(parts[0]), parts[1] as string);
      case "call":
        return this.#call(parts[0], parts[1] as Tree[], parts[2] as number);
      case "object":
        return this.#object(parts[0] as Tree[][]);
      case "array":
        return this.#items(parts[0] as Tree[][]);
      case "pattern":
        return new RegExp(parts[0] as string, parts[1] as string);
      case "number":
        return Number(parts[0]);
      case "undefined":
        return undefined;
      case "function":
        return standIn(parts[0] as number);
      case "text":
        return `${STAND_IN}${String(parts[0])}`;
      case "convert":
        return this.#convert(parts);
      default:
        throw new ProgramError({ message: `there is no node "${kind}"` });
    }
  }

  #member(object: Value, key: string): Value {
    if (object === undefined || object === null)
      throw new ProgramError({ message: `there is no "${key}" of ${String(object)}` });
    return object[key];
  }

  #call(callee: Tree | undefined, arguments_: Tree[], site: number): Value {
    const [owner, called] = this.#callee(callee);
    const given = this.#items(arguments_ as Tree[][]);
    const value = at(site, () => {
      if (typeof called !== "function") throw new TypeError("the library has no such function");
      // A library's functions need not inherit from Function: ArkType's do not.
      return Reflect.apply<unknown, Value[], Value>(called, owner, given);
    });
    this.#results.push([site, value]);
    return value;
  }

  /** A function, and the object that it is a method of. */
  #callee(callee: Tree | undefined): [owner: Value, called: Value] {
    if (!isNode(callee) || callee[0] !== "member") return [undefined, this.evaluate(callee)];
    const owner: Value = this.evaluate(callee[1]);
    return [owner, this.#member(owner, callee[2] as string)];
  }

  #object(parts: Tree[][]): Value {
    const object: Record<string, Value> = {};
    for (const part of parts) {
      if (part.length === 1) Object.assign(object, this.evaluate(part[0]));
      else {
        // Not an assignment: `__proto__` is a property like any other here.
        Object.defineProperty(object, part[0] as string, {
          value: this.evaluate(part[1]),
          configurable: true,
          enumerable: true,
          writable: true,
        });
      }
    }
    return object;
  }

  #items(items: Tree[][]): Value[] {
    return items.flatMap((item) =>
      item[0] === "..." && item.length === 2
        ? [...(this.evaluate(item[1]) as Value[])]
        : [this.evaluate(item[0])],
    );
  }

  /** The JSON Schema of a schema. Where there is none, the innermost part that has none is what is wrong. */
  #convert([how, converter, subject, options, side, site]: readonly Tree[]): Value {
    const [owner, convert] = converter === null ? [] : this.#callee(converter);
    const schema = this.evaluate(subject);
    const given = this.evaluate(options);
    const run = (value: Value) => {
      switch (how) {
        case "call":
          if (isOfZod3(value)) throw new TypeError(ZOD_3);
          return Reflect.apply(convert, owner, [value, withoutKept(given)]);
        case "method":
          return value.toJSONSchema({ ...given });
        case "sides":
          return sideOf(value, side as string).toJsonSchema(withoutPredicates(given));
        default:
          return standard(value, side as "input" | "output");
      }
    };
    try {
      return run(schema);
    } catch (error) {
      if (error instanceof ProgramError) throw error;
      const message = messageOf(error);
      const culprit = this.#results.find(([, value]) => failsAlike(() => run(value), message));
      throw new ProgramError({ message, site: culprit?.[0] ?? (site as number) });
    }
  }
}

function isNode(tree: Tree | undefined): tree is readonly [string, ...Tree[]] {
  return Array.isArray(tree);
}

/** Calls a library, and says which call it was where the library throws. */
function at<T>(site: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof ProgramError) throw error;
    throw new ProgramError({ message: messageOf(error), site });
  }
}

/** Whether a part has no JSON Schema for the same reason as the whole. */
function failsAlike(run: () => unknown, message: string): boolean {
  try {
    run();
    return false;
  } catch (error) {
    return messageOf(error) === message;
  }
}

/** What stands in for a function of the app. A library may hold it, and must not need what it returns. */
function standIn(number: number): () => never {
  return () => {
    throw new ProgramError({ message: "a function of the app is called", standIn: number });
  };
}

/** An ArkType schema for one side of another. */
function sideOf(schema: Value, side: string): Value {
  return side === "output" ? schema.out : schema.in;
}

/**
 * What of Valibot the validator keeps, and JSON Schema has no word for: checks that only a function can make, what is for
 * TypeScript alone, and what tidies a text up.
 */
const KEPT_BY_VALIDATOR = [
  "check",
  "raw_check",
  "partial_check",
  "check_items",
  "every_item",
  "some_item",
  "brand",
  "flavor",
  "readonly",
  "trim",
  "trim_start",
  "trim_end",
  "to_lower_case",
  "to_upper_case",
  "normalize",
];

/** The options of a converter; Valibot's is told what to leave to the validator. */
function withoutKept(options: { typeMode?: unknown; ignoreActions?: readonly string[] }): object {
  if (options.typeMode === undefined) return { ...options };
  return { ...options, ignoreActions: [...KEPT_BY_VALIDATOR, ...(options.ignoreActions ?? [])] };
}

/**
 * ArkType has no JSON Schema for what a predicate narrows, unless it is told to leave the predicate to the validator. Of
 * whatever else it has none for it says so in a form for programs.
 */
function withoutPredicates(options: { fallback?: object }): object {
  const fallback: Value = options.fallback;
  if (typeof fallback === "function") return { ...options };
  return {
    ...options,
    fallback: { predicate: ({ base }: Unrepresentable) => base, default: refuse, ...fallback },
  };
}

/** What ArkType asks about where JSON Schema has no word for something. */
interface Unrepresentable {
  code: string;
  base: unknown;
  domain?: string;
  proto?: { name: string };
}

function refuse({ code, domain, proto }: Unrepresentable): never {
  throw new TypeError(`JSON Schema has no word for \`${proto?.name ?? domain ?? code}\``);
}

/** What a schema says of itself, by the Standard JSON Schema interface. */
function standard(schema: Value, side: "input" | "output"): unknown {
  const convert: unknown = schema?.["~standard"]?.jsonSchema?.[side];
  if (typeof convert !== "function") throw new TypeError(whyNotStandard(schema));
  // By itself ArkType says that anything will do where it has no JSON Schema.
  if (schema["~standard"].vendor === "arktype") sideOf(schema, side).toJsonSchema(withoutPredicates({}));
  return convert({ target: "draft-2020-12" });
}

const ZOD_3 = "Zod 3 makes no JSON Schema; take Zod 4, which is `zod/v4` where zod 3.25 is installed";

function isOfZod3(schema: Value): boolean {
  return schema?.["~standard"]?.vendor === "zod" && !("_zod" in schema);
}

/** Why a schema does not describe itself, and what makes its JSON Schema. */
function whyNotStandard(schema: Value): string {
  if (isOfZod3(schema)) return ZOD_3;
  const vendor: unknown = schema?.["~standard"]?.vendor;
  if (vendor === "zod") {
    return "it does not describe itself, as with `zod/mini`; pass `{ jsonSchema: z.toJSONSchema(schema) }`";
  }
  if (vendor === "valibot") {
    return "it does not describe itself; pass `{ jsonSchema: toJsonSchema(schema) }` with @valibot/to-json-schema";
  }
  return "it does not implement Standard JSON Schema; pass the JSON Schema as the option `jsonSchema`";
}

function toJson(result: unknown): string {
  const text: string | undefined = JSON.stringify(result);
  if (text === undefined) throw new TypeError(`a ${typeof result} is no JSON Schema`);
  return text;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.trim().replaceAll(/\s+/g, " ");
}
