/** Schemas that nobody wrote: what a build proves of them is what the library says when it is asked at run time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { CapabilityContractManifest, JsonValue } from "@agent-surface/core";
import type * as Zod from "zod";
import { contractOf, copyFixture, VITE_8 } from "../fixtures/apps.js";
import { zodSchemas } from "./zod-schemas.js";

/** Contracts of one app; one build proves all of them. */
const COUNT = 80;

/** One procedure for each schema, which takes it and gives it back. */
function contractsOf(schemas: readonly string[]): string {
  const procedures = schemas.map(
    (_, at) => `export const p${at} = defineAgentProcedureContract({
      id: "domain:generated.p${at}", description: "Generated", effect: "server-query",
      input: fromStandardSchema(S${at}, { jsonSchema: z.toJSONSchema(S${at}) }),
      output: fromStandardSchema(S${at}),
    });`,
  );
  return `import { defineAgentProcedureContract, fromStandardSchema } from "@agent-surface/core";
    import { z } from "zod";
    ${[...schemas, ...procedures].join("\n")}`;
}

/** What the contract restates, by `docs/schema-libraries.md`; kept apart from the compiler's own code. */
function restate(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map(restate);
  if (typeof json !== "object" || json === null) return json;
  const members = Object.entries(json).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === "$schema" || key === "propertyNames") return [];
    if (key === "format" && "pattern" in json && (value === "ipv4" || value === "time")) return [];
    if (key === "additionalProperties" && JSON.stringify(value) === "{}") return [[key, true]];
    return [[key === "oneOf" ? "anyOf" : key, restate(value)]];
  });
  return Object.fromEntries(members);
}

it.each([1, 2, 3])("the schemas of seed %i are in the contract what Zod says they are", async (seed) => {
  const schemas = zodSchemas(seed, COUNT);
  const root = copyFixture("zod", "app");
  writeFileSync(join(root, "src/contracts.ts"), contractsOf(schemas));
  writeFileSync(
    join(root, "src/main.ts"),
    `import authority from "virtual:agent-surface-contract"; import * as contracts from "./contracts"; globalThis.kept = [authority, contracts];`,
  );
  const { capabilities } = JSON.parse(await contractOf(VITE_8, root)) as CapabilityContractManifest;

  writeFileSync(join(root, "schemas.mjs"), `import { z } from "zod";\nexport { z };\n${schemas.join("\n")}`);
  const { z, ...made } = (await import(pathToFileURL(join(root, "schemas.mjs")).href)) as {
    z: typeof Zod;
  } & Record<string, Zod.ZodType>;
  const said = schemas.map((text, at) => {
    const side = (io: "input" | "output") =>
      restate(z.toJSONSchema(made[`S${at}`] as Zod.ZodType, { io }) as JsonValue);
    return { at, text, input: side("input"), output: side("output") };
  });
  const proven = schemas.map((text, at) => {
    const entry = capabilities.find(({ capabilityId }) => capabilityId === `domain:generated.p${at}`);
    return { at, text, input: entry?.inputSchema, output: entry?.outputSchema };
  });
  expect(proven).toEqual(said);
});
