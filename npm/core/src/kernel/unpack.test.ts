import { expect, it } from "vitest";
import { PACKED } from "../generated/module.js";
import { unpack } from "./unpack.js";

it("what was packed is WebAssembly", () => {
  const module = unpack(PACKED);
  expect(module).toHaveLength(PACKED.length);
  expect(String.fromCharCode(...module.subarray(0, 4))).toBe("\0asm");
  expect(WebAssembly.validate(module)).toBe(true);
});

it("a text that was cut is no WebAssembly", () => {
  const { length, text } = PACKED;
  expect(WebAssembly.validate(unpack({ ...PACKED, text: text.slice(0, length / 2) }))).toBe(false);
});
