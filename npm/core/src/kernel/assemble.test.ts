import { expect, it } from "vitest";
import { PACKED } from "../generated/module.js";
import { assemble } from "./assemble.js";

/** With no single characters, and sixteen to begin with, each byte's code is its hexadecimal digits. */
const alphabet = "0123456789abcdef";
const hex = (bytes: string) => ({ first: "", code: bytes });

it("a module's streams become its functions again", () => {
  const module = assemble({
    alphabet,
    prefixes: 16,
    length: 20,
    before: 4,
    functions: 1,
    streams: [
      // What stands before and behind the function.
      hex("00617364eeff"),
      // `local.get`, `i32.add`, `i32.const`, `end`, `local.set`: length, bytes, operands, their stream.
      hex("01200104016a000501410105010b00050121010400"),
      // get, const, add, const, set, end.
      hex("000201020403"),
      // One group of two i32.
      hex("01027f"),
      // The second variable, and then the one that was used last.
      hex("0100"),
      hex("07"),
      hex("09"),
    ],
  });
  expect(Buffer.from(module).toString("hex")).toBe("006173640d01027f200141096a410721010beeff");
});

it("what was packed is WebAssembly", () => {
  const module = assemble(PACKED);
  expect(String.fromCharCode(...module.subarray(0, 4))).toBe("\0asm");
  expect(WebAssembly.validate(module)).toBe(true);
});
