import { describe, expect, it } from "vitest";
import { NotJsonError, copyJson, deepFreeze, jsonDeepEqual } from "./json.js";

describe("copyJson", () => {
  it("writes down negative zero as zero, as JSON does", () => {
    expect(copyJson({ a: [-0] })).toStrictEqual({ a: [0] });
  });

  it("names the place of what is not JSON", () => {
    const value = { rows: [{}, { at: new Date(0) }] };
    expect(() => copyJson(value)).toThrow(NotJsonError);
    expect(() => copyJson(value)).toThrow(expect.objectContaining({ path: "rows[1].at" }));
  });

  it("takes a hole in an array for undefined, and refuses it", () => {
    // oxlint-disable-next-line no-sparse-arrays -- the hole is what this is about
    expect(() => copyJson([1, , 3])).toThrow(expect.objectContaining({ path: "[1]" }));
  });

  it("does not ask an array's own iterator", () => {
    const items = Object.assign([1, 2], { [Symbol.iterator]: () => [9][Symbol.iterator]() });
    expect(copyJson(items)).toStrictEqual([1, 2]);
  });
});

describe("deepFreeze", () => {
  it("freezes all the way down", () => {
    const value = deepFreeze({ a: [{ b: 1 }] });
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true);
  });
});

describe("jsonDeepEqual", () => {
  it("ignores the order of members, and keeps that of items", () => {
    expect(jsonDeepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(jsonDeepEqual([1, 2], [2, 1])).toBe(false);
  });

  it("tells an absent member from any other, and kinds apart", () => {
    expect(jsonDeepEqual({ a: 1 }, { a: 1, b: 1 })).toBe(false);
    expect(jsonDeepEqual({ toString: 1 }, { a: 1 })).toBe(false);
    expect(jsonDeepEqual([], {})).toBe(false);
    expect(jsonDeepEqual({ 0: 1 }, [1])).toBe(false);
    expect(jsonDeepEqual(null, {})).toBe(false);
    expect(jsonDeepEqual(0, "0")).toBe(false);
    expect(jsonDeepEqual(undefined, undefined)).toBe(true);
    expect(jsonDeepEqual(undefined, null)).toBe(false);
  });
});
