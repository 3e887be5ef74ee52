/** Dependencies that contribute contracts, as the command line sees them. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { canonicalJson, sha256 } from "@agent-surface/compiler";
import { workspace } from "../fixtures/apps.js";
import { Repository } from "./repository.js";

/** What the library's own build would emit, for a library without capabilities of its own but this one. */
const CHARTS = {
  "package.json":
    '{ "name": "@acme/charts", "type": "module", "main": "index.js", "agentSurface": { "contract": "contract.json" } }\n',
  "index.js": "export const charts = 1;\n",
};

/** A contract file with one procedure, as a build seals it. */
function contractFile(): string {
  const entry = {
    declarationId: "src/charts.ts#export",
    capabilityId: "domain:charts.export",
    kind: "procedure",
    description: "Export a chart",
    effect: "external-side-effect",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    origin: "src/charts.ts",
  };
  const payload = {
    formatVersion: 5,
    compilerVersion: "0.17.0",
    targets: ["web-production"],
    capabilities: [{ ...entry, contractHash: sha256(canonicalJson(entry)), targets: ["web-production"] }],
    externalContracts: [],
    completeness: { status: "proven" },
  };
  return `${JSON.stringify({ ...payload, hash: sha256(canonicalJson(payload)) }, null, 2)}\n`;
}

/** The counter with the library installed and imported. */
function repository(): Repository {
  const it = new Repository({ "": "counter" });
  for (const [path, text] of Object.entries({ ...CHARTS, "contract.json": contractFile() })) {
    it.write(`node_modules/@acme/charts/${path}`, text);
  }
  mkdirSync(join(it.root, "node_modules/@agent-surface"));
  for (const name of ["core", "compiler"]) {
    symlinkSync(workspace(`npm/${name}`), join(it.root, "node_modules/@agent-surface", name), "dir");
  }
  it.write("src/main.ts", `import "@acme/charts";\n${it.read("src/main.ts")}`);
  return it;
}

it("an approval that is given with --allow is one: inspect, snapshot and check go by it", async () => {
  const project = repository();
  const refused = await project.run(["inspect"]);
  expect(refused.code).toBe(2);
  const [, digest = ""] = /"digest": "([0-9a-f]{64})"/.exec(refused.stderr) ?? [];
  expect(digest).toBe(sha256(contractFile()));
  expect(refused.stderr).toContain("unapproved-contract");

  const allow = ["--allow", `@acme/charts=${digest}`];
  const shown = await project.run(["inspect", ...allow]);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("FROM DEPENDENCIES");
  expect(shown.stdout).toContain("@acme/charts · sidecar node_modules/@acme/charts/contract.json");
  expect(shown.stdout).toContain("domain:charts.export");

  expect((await project.run(["snapshot", ...allow])).code).toBe(0);
  expect(JSON.parse(project.read(".agent-surface/contract.json"))).toMatchObject({
    externalContracts: [{ package: "@acme/charts", contractDigest: digest }],
  });
  expect((await project.run(["check", ...allow])).code).toBe(0);
  expect((await project.run(["check"])).code).toBe(2);
});

it("an approval of something else is told with both digests", async () => {
  const other = "0".repeat(64);
  const { code, stderr } = await repository().run(["check", "--allow", `@acme/charts=${other}`]);
  expect(code).toBe(2);
  expect(stderr).toContain(other);
  expect(stderr).toContain(sha256(contractFile()));
});
