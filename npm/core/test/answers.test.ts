import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { instantiate as script } from "../src/generated/module.wasm2js.js";
import type { Instantiate } from "../src/kernel/module.js";
import { instantiate as wasm } from "../src/kernel/wasm.js";
import { play } from "./schedule.js";

/** What the desk was asked and what it answered; that folder's `answers.rs` asks the same crates natively. */
const recorded = fileURLToPath(new URL("../../../crates/wasm-binding/tests/answers.jsonl", import.meta.url));

/** A kernel whose every call is written down, one JSON list a line. */
function recording(instantiate: Instantiate, lines: string[]): Instantiate {
  return (env) => {
    let text = "";
    let numbers: number[] = [];
    const exports = instantiate({
      ...env,
      reply(address, length) {
        text = read(address, length);
        env.reply(address, length);
      },
      reply_numbers(address, length) {
        numbers = [...new Int32Array(exports.memory.buffer, address >>> 0, length)];
        env.reply_numbers(address, length);
      },
    });
    const read = (address: number, length: number) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(
        new Uint8Array(exports.memory.buffer, address >>> 0, length),
      );
    return {
      ...exports,
      answer(call, handle, key, now, length) {
        [text, numbers] = ["", []];
        const asked = read(exports.scratch(0), length);
        const number = exports.answer(call, handle, key, now, length);
        lines.push(JSON.stringify([call, handle, key, now, asked, number, text, numbers]));
        return number;
      },
    };
  };
}

function record(instantiate: Instantiate): string {
  const lines: string[] = [];
  for (const seed of [1, 2, 3, 4]) play(recording(instantiate, lines), seed, 300);
  return `${lines.join("\n")}\n`;
}

it("the kernel answers a thousand calls as it did when they were recorded, and as it does natively", async () => {
  const answers = record(wasm);
  expect(answers.split("\n").length).toBeGreaterThan(1000);
  await expect(answers).toMatchFileSnapshot(recorded);
});

it("the kernel as plain JavaScript gives the same answers, byte for byte", () => {
  expect(record(script) === record(wasm)).toBe(true);
});
