/** The manifest of a server that has no compiler installed. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const PACKAGES = fileURLToPath(new URL("../..", import.meta.url));
const INSTALLED = fileURLToPath(new URL("../../../node_modules", import.meta.url));

const SERVER = `
  import { os } from "@orpc/server";
  import { scope } from "arktype";
  import { z } from "zod";
  import { createOrpcAgentManifest } from "@agent-surface/orpc/manifest";
  const make = (input) =>
    createOrpcAgentManifest({
      find: os.meta({ agent: { effect: "server-query", description: "Find" } }).input(input).handler(() => null),
    }).then(({ tools }) => tools.find.inputSchema, ({ message }) => message);
  const branch = (kind) => z.object({ kind: z.literal(kind) });
  const { tree, leaf } = scope({ tree: { "children?": "tree[]" }, leaf: { kind: "'a'" } }).export();
  const inputs = [branch("a"), z.discriminatedUnion("kind", [branch("a"), branch("b")]), leaf, tree];
  console.log(JSON.stringify(await Promise.all(inputs.map(make))));
`;

it("without the compiler a manifest is the same, and what would have to be restated is refused", async () => {
  const root = mkdtempSync(join(tmpdir(), "agent-surface-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const modules = join(root, "node_modules");
  mkdirSync(join(modules, "@agent-surface"), { recursive: true });
  // A copy, since a link would lead back to where the compiler is.
  cpSync(join(PACKAGES, "orpc/package.json"), join(modules, "@agent-surface/orpc/package.json"));
  cpSync(join(PACKAGES, "orpc/dist"), join(modules, "@agent-surface/orpc/dist"), { recursive: true });
  symlinkSync(join(PACKAGES, "core"), join(modules, "@agent-surface/core"), "dir");
  for (const name of ["@orpc", "zod", "arktype"])
    symlinkSync(join(INSTALLED, name), join(modules, name), "dir");
  writeFileSync(join(root, "server.mjs"), SERVER);
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "server.mjs")]);
  const [plain, union, leaf, tree] = JSON.parse(stdout) as [object, string, object, string];
  expect(plain).toEqual({
    type: "object",
    properties: { kind: { type: "string", const: "a" } },
    required: ["kind"],
  });
  expect(union).toContain("`oneOf` is not supported");
  expect(leaf).toMatchObject({ type: "object", required: ["kind"] });
  expect(tree).toMatch(
    /ArkType names the definition `[a-z]+\d+` by a count .* install @agent-surface\/compiler/,
  );
});
