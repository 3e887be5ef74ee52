import type { JsonValue } from "./types.js";

/** How deep JSON may nest; `MAX_DEPTH` of crates/json, which refuses what is deeper anyway. */
const MAX_DEPTH = 128;

/** A value that is not JSON, and where it stands in what was given. */
export class NotJsonError extends Error {
  /** As JavaScript reaches the place: `rows[2].id`; empty for the value itself. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = "NotJsonError";
    this.path = path;
  }
}

/**
 * A copy in plain objects and arrays, made by reading each property once, so that what is checked afterwards is
 * what is used. Members that are `undefined` are left out, as JSON leaves them out.
 *
 * @throws NotJsonError for whatever JSON has no word for; nothing is converted to fit.
 */
export function copyJson(value: unknown): JsonValue {
  return copy(value, "", 0);
}

/**
 * A value as JSON text, read as {@link copyJson} reads it.
 *
 * @throws NotJsonError
 */
export function writeJson(value: unknown): string {
  return JSON.stringify(copyJson(value));
}

function copy(value: unknown, path: string, depth: number): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (!Number.isFinite(value)) throw new NotJsonError(path, `${value} is not a number of JSON`);
      // Adding zero turns -0 into 0, as writing it down would.
      return value + 0;
    case "object":
      if (value === null) return null;
      if (depth >= MAX_DEPTH) throw new NotJsonError(path, "nested too deep, or in a circle");
      if (Array.isArray(value)) return copyArray(value, path, depth);
      if (isPlain(value)) return copyObject(value, path, depth);
      throw new NotJsonError(path, "an object with a class of its own is not a JSON value");
    default:
      throw new NotJsonError(path, `${typeof value} is not a JSON value`);
  }
}

function copyArray(items: readonly unknown[], path: string, depth: number): JsonValue[] {
  // By index: holes are `undefined`, and an iterator of the array's own has no say.
  return Array.from({ length: items.length }, (_, index) =>
    copy(items[index], `${path}[${index}]`, depth + 1),
  );
}

function copyObject(object: object, path: string, depth: number): JsonValue {
  const members: [string, JsonValue][] = [];
  for (const key of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[key];
    if (value !== undefined) members.push([key, copy(value, memberPath(path, key), depth + 1)]);
  }
  // Defines members and does not assign them: "__proto__" is a name like any other.
  return Object.fromEntries(members);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // The prototype of another realm's objects is not ours, but it has none above it either.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The path of a member of the object at `path`. */
export function memberPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** Freezes a value of JSON, and all that is in it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}

/** Whether two values are the same JSON: arrays in order, objects in any order. */
export function jsonDeepEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, i) => jsonDeepEqual(item, b[i]))
    );
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && jsonDeepEqual(a[key], b[key]))
  );
}
