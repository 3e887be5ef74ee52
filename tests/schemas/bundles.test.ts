/** What ships of a schema: its validator, and the JSON that its converter came to. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundle, copyFixture, fixture, VITE_8, VITES } from "../fixtures/apps.js";

describe.each(VITES)("built by $name", (vite) => {
  it.each(["zod", "valibot", "arktype", "typebox"])(
    "the schemas of %s are literals in its bundle",
    async (app) => {
      const code = (await bundle(vite, fixture(app)))
        .filter(({ fileName }) => fileName.endsWith(".js"))
        .map(({ text }) => text)
        .join("\n");
      expect(code).toContain("Device ids to select");
      expect(code).not.toContain("@agent-surface/placeholder:");
      expect(code).not.toContain("@agent-surface/stand-in:");
    },
  );
});

/** An app over `zod/mini`. Zod's other entries have the converter in every schema, which can describe itself. */
const MINI = `import { defineAgentProcedureContract, fromStandardSchema } from "@agent-surface/core";
  import * as z from "zod/mini";
  const Search = z.object({ text: z.string().check(z.minLength(1)) });
  export const search = defineAgentProcedureContract({
    id: "domain:search", description: "Search", effect: "server-query",
    input: fromStandardSchema(Search, { jsonSchema: z.toJSONSchema(Search) }),
  });
  export { Search };`;

describe("a converter that nothing else uses", () => {
  it("of Valibot is gone from the chunk", async () => {
    expect(await codeOf(fixture("valibot"))).not.toContain("cannot be converted to JSON Schema");
  });

  it("of Zod is gone from the chunk, and is there where the app uses it", async () => {
    const root = copyFixture("zod", "app");
    const converter = "cannot be represented in JSON Schema";
    const main = `import { Search, search } from "./contracts"; globalThis.kept = [Search, search];`;
    writeFileSync(join(root, "src/contracts.ts"), MINI);
    writeFileSync(join(root, "src/main.ts"), main);
    expect((await codeOf(root)).includes(converter)).toBe(false);

    const use = `import { toJSONSchema } from "zod/mini"; globalThis.used = toJSONSchema(Search);`;
    writeFileSync(join(root, "src/main.ts"), main + use);
    expect((await codeOf(root)).includes(converter)).toBe(true);
  });
});

async function codeOf(root: string): Promise<string> {
  const files = await bundle(VITE_8, root);
  return files.map(({ text }) => text).join("\n");
}
