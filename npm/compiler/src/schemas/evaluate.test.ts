import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import type { SchemaQuestion } from "../binding.js";
import { evaluateSchemas, prepareSchemas } from "./evaluate.js";
import { workersStarted } from "./thread.js";

/** As it is published. */
const EVALUATE = new URL("../../dist/schemas/evaluate.js", import.meta.url).href;

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
  let calls = 0;
  export const count = () => ({ calls: calls += 1 });
`;

/** A folder with the library in it. */
function install(text = LIBRARY): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-surface-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "package.json"), '{ "name": "library", "version": "1.2.3", "type": "module" }');
  writeFileSync(join(folder, "index.js"), text);
  return folder;
}

/** A call of one of its functions, as the compiler asks for it. */
function calls(...functions: string[]): SchemaQuestion[] {
  return callsIn(install(), ...functions);
}

function callsIn(folder: string, ...functions: string[]): SchemaQuestion[] {
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

it("what one batch does to a library, the next one does not see, whether or not its worker was started ahead", async () => {
  const questions = calls("count");
  const before = workersStarted();
  for (const goesOn of [true, true, false]) {
    const [answer] = await evaluateSchemas(questions, { goesOn });
    expect(answer?.document).toBe('{"calls":1}');
  }
  expect(workersStarted() - before).toBe(3);
});

it("a worker that was started ahead is the one that evaluates, and is started once", async () => {
  const questions = calls("describe");
  const imports = questions.flatMap((question) => question.imports);
  const before = workersStarted();
  prepareSchemas(imports);
  prepareSchemas(imports);
  const [answer] = await evaluateSchemas(questions);
  expect(answer?.document).toBe('{"type":"string"}');
  expect(workersStarted() - before).toBe(1);
});

it("a library that was installed anew since a worker loaded it is loaded again", async () => {
  const folder = install();
  const questions = callsIn(folder, "describe");
  await evaluateSchemas(questions, { goesOn: true });
  writeFileSync(
    join(folder, "index.js"),
    'export const describe = () => ({ type: "number", title: "new" });',
  );
  const [answer] = await evaluateSchemas(questions);
  expect(answer?.document).toBe('{"type":"number","title":"new"}');
});

it("a worker that ended before it was needed is no reason to fail", async () => {
  const folder = install("process.exit(3);");
  const questions = callsIn(folder, "describe");
  prepareSchemas(questions.flatMap((question) => question.imports));
  expect((await evaluateSchemas(questions))[0]?.failure?.message).toMatch("ended with code 3");
  writeFileSync(join(folder, "index.js"), LIBRARY);
  expect((await evaluateSchemas(questions))[0]?.document).toBe('{"type":"string"}');
});

it("a worker that nobody asks anything does not keep its process from ending", async () => {
  const [question] = calls("describe");
  const script = `import { prepareSchemas } from ${JSON.stringify(EVALUATE)};
    prepareSchemas(${JSON.stringify(question?.imports)});
    console.log("started");`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(stdout).toBe("started\n");
});

it("without an expression no worker is started", async () => {
  const before = workersStarted();
  expect(await evaluateSchemas([])).toEqual([]);
  expect(workersStarted()).toBe(before);
});

it.each([
  ["zod/mini", "`zod/mini`; pass `{ jsonSchema: z.toJSONSchema(schema) }`"],
  ["zod/v4-mini", "pass `{ jsonSchema: z.toJSONSchema(schema) }`"],
  ["zod/v3", "Zod 3 makes no JSON Schema; take Zod 4"],
])(
  "a schema of %s that is to describe itself is refused with what to write instead",
  async (specifier, says) => {
    const schema = ["call", ["member", ["import", 0], "string"], [], 0];
    const convert = ["convert", "standard", null, schema, ["object", []], "input", 1];
    const [answer] = await evaluateSchemas([question(JSON.stringify([[], convert]), specifier)]);
    expect(answer?.failure?.message).toContain(says);
  },
);

it.each(["zod", "zod/v4", "zod/mini", "zod/v4-mini"])(
  "%s converts its schemas, and none of Zod 3",
  async (specifier) => {
    const [own, old] = await evaluateSchemas([
      question(convert(0), specifier),
      question(convert(1), specifier, "zod/v3"),
    ]);
    expect(JSON.parse(own?.document ?? "null")).toMatchObject({ type: "string" });
    expect(old?.failure?.message).toContain("Zod 3 makes no JSON Schema");
  },
);

/** `toJSONSchema(string())`, with the functions of two imports. */
function convert(at: number): string {
  const converter = ["member", ["import", 0], "toJSONSchema"];
  const schema = ["call", ["member", ["import", at], "string"], [], 0];
  const options = ["object", [["io", "input"]]];
  return JSON.stringify([[], ["convert", "call", converter, schema, options, "input", 1]]);
}

/** A program over modules that are installed here. */
function question(program: string, ...specifiers: string[]): SchemaQuestion {
  const importer = fileURLToPath(import.meta.url);
  return {
    kind: "schema",
    key: program,
    program,
    imports: specifiers.map((specifier) => ({ specifier, importer })),
  };
}
