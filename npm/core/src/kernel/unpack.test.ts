import { expect, it } from "vitest";
import { unpack } from "./unpack.js";

const code = { alphabet: "-abc", prefixes: 1 };

it("a code of one character or two gives each byte back", () => {
  // One prefix, three singles: "a", "b" and "c" stand for the first three bytes, "-" and a character for the next.
  const bytes = unpack(code, { first: "05ff07", code: "abc---a-b" });
  expect([...bytes]).toEqual([5, 255, 7, 0, 1, 2]);
});

it("bytes that nobody chose are in their order", () => {
  expect([...unpack(code, { first: "", code: "cba--" })]).toEqual([2, 1, 0, 3]);
});
