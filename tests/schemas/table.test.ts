/** The tables of `docs/schema-libraries.md`: what comes of what users of the libraries write, on either side. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { compileCapabilityContract, type ContractError } from "@agent-surface/compiler";
import { copyFixture, workspace } from "../fixtures/apps.js";

/** How an object of one library becomes a contract's schema, by the library's heading. */
const LIBRARIES: Record<string, { imports: string; schema: (written: string) => string }> = {
  Zod: {
    imports: 'import { z } from "zod";',
    schema: (written) => standard(`z.object({ a: ${written} })`, (it) => `z.toJSONSchema(${it})`),
  },
  "Zod Mini": {
    imports: 'import * as z from "zod/mini";',
    schema: (written) => standard(`z.object({ a: ${written} })`, (it) => `z.toJSONSchema(${it})`),
  },
  Valibot: {
    imports: 'import * as v from "valibot"; import { toJsonSchema } from "@valibot/to-json-schema";',
    schema: (written) => standard(`v.object({ a: ${written} })`, (it) => `toJsonSchema(${it})`),
  },
  ArkType: {
    imports: 'import { scope, type } from "arktype";',
    schema: (written) => `fromStandardSchema(type({ ${written} }))`,
  },
  TypeBox: {
    imports: 'import { Type } from "typebox";',
    schema: (written) => `fromJsonSchema(Type.Object({ a: ${written} }))`,
  },
};

function standard(schema: string, convert: (schema: string) => string): string {
  return `fromStandardSchema(${schema}, { jsonSchema: ${convert(schema)} })`;
}

const SIDES = ["input", "output"] as const;

/** One side of what somebody writes. */
interface Cell {
  library: string;
  written: string;
  side: (typeof SIDES)[number];
  /** As the table says it: JSON in backquotes, or "refused" and words of the reason. */
  told: string;
}

/** The cells of the tables below the heading. */
function readCells(): Cell[] {
  const text = readFileSync(workspace("docs/schema-libraries.md"), "utf8");
  const [, tables = ""] = text.split("## What comes of what\n");
  const cells: Cell[] = [];
  let library = "";
  for (const line of tables.split("\n")) {
    if (line.startsWith("## ")) break;
    if (line.startsWith("### ")) library = line.slice(4);
    const [, written, ...told] = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
    if (written?.startsWith("`") !== true) continue;
    for (const [at, side] of SIDES.entries()) {
      const own = told[at] === "the same" ? told[0] : told[at];
      cells.push({ library, written: written.slice(1, -1), side, told: own ?? "" });
    }
  }
  return cells;
}

/** An app with one contract in a module of its own for each cell. */
function appOf(cells: readonly Cell[]): string {
  const root = copyFixture("zod", "app");
  const modules = cells.map(({ library, written, side }, at): [path: string, text: string] => {
    const { imports, schema } = LIBRARIES[library] as (typeof LIBRARIES)[string];
    const input = side === "input" ? schema(written) : "emptyObjectSchema";
    const output = side === "output" ? `output: ${schema(written)},` : "";
    return [
      `src/cell${at}.ts`,
      `import { defineAgentProcedureContract, emptyObjectSchema, fromJsonSchema, fromStandardSchema } from "@agent-surface/core";
       ${imports}
       export const contract = defineAgentProcedureContract({
         id: "domain:cells.c${at}", description: "A cell", effect: "server-query", input: ${input}, ${output}
       });`,
    ];
  });
  const names = cells.map((_, at) => `c${at}`);
  const main = `import authority from "virtual:agent-surface-contract";
    ${names.map((name, at) => `import { contract as ${name} } from "./cell${at}";`).join("\n")}
    globalThis.kept = [authority, ${names.join()}];`;
  for (const [path, text] of [...modules, ["src/main.ts", main]] as const)
    writeFileSync(join(root, path), text);
  return root;
}

const cells = readCells();
const isRefused = ({ told }: Cell) => told.startsWith("refused");

it("there is a table for every library", () => {
  expect([...new Set(cells.map(({ library }) => library))]).toEqual(Object.keys(LIBRARIES));
});

it("what is described is described as the tables say", async () => {
  const described = cells.filter((cell) => !isRefused(cell));
  const { capabilities } = await compileCapabilityContract({ root: appOf(described) });
  const found = described.map(({ library, written, side }, at) => {
    const entry = capabilities.find(({ capabilityId }) => capabilityId === `domain:cells.c${at}`);
    return { library, written, side, told: tell(entry?.[`${side}Schema`]) };
  });
  expect(found).toEqual(described);
});

it("what is refused is refused where it stands, with the reason that the tables give", async () => {
  const refused = cells.filter(isRefused);
  const error: unknown = await compileCapabilityContract({ root: appOf(refused) }).catch((it: unknown) => it);
  expect(error).toHaveProperty("diagnostics");
  const { diagnostics } = error as ContractError;
  const found = refused.map((cell, at) => {
    const messages = diagnostics
      .filter(({ id }) => id?.endsWith(`/cell${at}.ts`))
      .map(({ message, help }) => `${message} ${help ?? ""}`);
    const reason = cell.told.replace(/^refused: /, "");
    return { ...cell, told: messages.some((it) => it.includes(reason)) ? cell.told : messages.join("\n") };
  });
  expect(found).toEqual(refused);
});

interface Described {
  $ref?: string;
  properties?: Record<string, object>;
  required?: string[];
  $defs?: Record<string, Described>;
}

/** The schema of the property, whether it may be left out, and the definitions that it needs. */
function tell({ $defs, ...schema }: Described = {}): string {
  const { properties, required } = $defs?.[schema.$ref?.replace("#/$defs/", "") ?? ""] ?? schema;
  const optional = required?.includes("a") === true ? "" : ", or nothing";
  const property = JSON.stringify(properties?.["a"]);
  const definitions = property.includes("$ref") ? `, with \`${JSON.stringify($defs)}\`` : "";
  return `\`${property}\`${optional}${definitions}`;
}
