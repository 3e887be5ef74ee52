import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SchemaQuestion } from "../binding.js";
import { evaluateSchemas, workersStarted } from "./evaluate.js";

/** A library of which every function describes itself in its own way. */
const LIBRARY = `
  export const describe = () => ({ type: "string" });
  export const hang = () => { for (;;); };
  export const leave = () => process.exit(3);
  export const look = () => ({
    env: Object.keys(process.env),
    args: process.argv.slice(2),
    zone: new Date(2026, 6, 1).getTimezoneOffset(),
    now: Date.now(),
    language: new Intl.NumberFormat().resolvedOptions().locale,
    number: (1234.5).toLocaleString(),
    chance: Math.random(),
  });
`;

/** A call of one of its functions, as the compiler asks for it. */
function calls(...functions: string[]): SchemaQuestion[] {
  const folder = mkdtempSync(join(tmpdir(), "agent-surface-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "name": "library", "version": "1.2.3", "type": "module" }');
  writeFileSync(join(folder, "index.js"), LIBRARY);
  return functions.map((name) => ({
    kind: "schema",
    key: name,
    imports: [{ specifier: "library", importer: join(folder, "app.js"), id: join(folder, "index.js") }],
    program: JSON.stringify([[], ["call", ["member", ["import", 0], name], [], 0]]),
  }));
}

const LIBRARIES = [{ name: "library", version: "1.2.3" }];

it("an expression that does not end is given up when its time is over", async () => {
  expect(await evaluateSchemas(calls("hang"), { limit: 1 })).toEqual([
    {
      kind: "schema",
      key: "hang",
      failure: { message: "it takes longer than 0.001 seconds, and was given up" },
      libraries: LIBRARIES,
    },
  ]);
});

it("an expression that ends its worker fails alone, and the others are evaluated without it", async () => {
  const before = workersStarted();
  const answers = await evaluateSchemas(calls("describe", "leave", "describe"));
  expect(answers.map(({ document, failure }) => document ?? failure?.message)).toEqual([
    '{"type":"string"}',
    "the worker that evaluates it ended with code 3",
    '{"type":"string"}',
  ]);
  expect(workersStarted() - before).toBe(2);
});

it("an expression finds no environment, no arguments, no clock, no place and no chance", async () => {
  const [answer] = await evaluateSchemas(calls("look"));
  expect(JSON.parse(answer?.document ?? "null")).toEqual({
    env: [],
    args: [],
    zone: 0,
    now: 0,
    language: "en-US",
    number: "1,234.5",
    chance: 0.5,
  });
});

it("without an expression no worker is started", async () => {
  const before = workersStarted();
  expect(await evaluateSchemas([])).toEqual([]);
  expect(workersStarted()).toBe(before);
});
