import { expect, it } from "vitest";
import { PACKED } from "../generated/module.js";
import { unpack } from "./unpack.js";

it("a code of one character or two gives each byte back", () => {
  // One prefix, three singles: "a", "b" and "c" stand for 5, 6 and 7, "-" and a character for the next four.
  const bytes = unpack({
    length: 6,
    prefixes: 1,
    alphabet: "-abc",
    bytes: "0506070809ff0a",
    code: "abc---a-b",
  });
  expect([...bytes]).toEqual([5, 6, 7, 8, 9, 255]);
});

it("what was packed is WebAssembly", () => {
  const module = unpack(PACKED);
  expect(String.fromCharCode(...module.subarray(0, 4))).toBe("\0asm");
  expect(WebAssembly.validate(module)).toBe(true);
});
