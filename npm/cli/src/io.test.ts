import { expect, it } from "vitest";
import { wantsColor, widthOf } from "./io.js";
import { Progress } from "./progress.js";

const terminal = { isTTY: true, columns: 72, write: () => true };
const pipe = { write: () => true };

it("colour is for a terminal whose user did not say no", () => {
  expect(wantsColor(terminal, {})).toBe(true);
  expect(wantsColor(pipe, {})).toBe(false);
  expect(wantsColor(terminal, { NO_COLOR: "1" })).toBe(false);
  expect(wantsColor(terminal, { NO_COLOR: "" })).toBe(true);
  expect(wantsColor(terminal, { CI: "true" })).toBe(false);
  expect(wantsColor(terminal, { TERM: "dumb" })).toBe(false);
});

it("lines are fitted to a terminal, and to nothing else", () => {
  expect(widthOf(terminal)).toBe(72);
  expect(widthOf(pipe)).toBeUndefined();
});

it("what takes time is told at a terminal and is gone when it is done, also where it failed", async () => {
  const written: string[] = [];
  const output = { isTTY: true, columns: 10, write: (text: string) => written.push(text) };
  await expect(new Progress(output).during("reading the modules", () => Promise.resolve(1))).resolves.toBe(1);
  expect(written).toEqual(["\r\u001b[2Kreading t", "\r\u001b[2K"]);
  await expect(new Progress(output).during("x", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(written.at(-1)).toBe("\r\u001b[2K");
});

it("a pipe hears nothing of what takes time", async () => {
  const output = { write: () => expect.unreachable() };
  await expect(new Progress(output).during("x", () => Promise.resolve(2))).resolves.toBe(2);
});
