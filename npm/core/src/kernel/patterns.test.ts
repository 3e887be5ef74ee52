import { expect, it, vi } from "vitest";
import { PatternCache } from "./patterns.js";

it("a pattern matches anywhere, by code points", () => {
  const patterns = new PatternCache();
  expect(patterns.matches("b", "abc")).toBe(1);
  expect(patterns.matches("^.$", "😀")).toBe(1);
  expect(patterns.matches("^b", "abc")).toBe(0);
});

it("what is no pattern with the u flag is none", () => {
  const patterns = new PatternCache();
  expect(patterns.matches("(", "")).toBe(-1);
  expect(patterns.matches("\\-", "-")).toBe(-1);
  expect(patterns.matches("(", "")).toBe(-1);
});

it("an engine that gives up on a text has not found the pattern", () => {
  const patterns = new PatternCache();
  const test = vi.spyOn(RegExp.prototype, "test").mockImplementationOnce(() => {
    throw new Error("too much recursion");
  });
  expect(patterns.matches("a", "a")).toBe(0);
  expect(patterns.matches("a", "a")).toBe(1);
  test.mockRestore();
});
