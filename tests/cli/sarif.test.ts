import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import Draft4 from "ajv-draft-04";
import addFormats from "ajv-formats";
import { expect, it } from "vitest";
import { workspace } from "../fixtures/apps.js";
import { Repository } from "./repository.js";

const require = createRequire(import.meta.url);

/**
 * The JSON schema of SARIF 2.1.0 as OASIS has it, draft 4. Microsoft's matchers for SARIF carry it; they are written for
 * another test runner, so the schema alone is taken.
 */
const SCHEMA = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as object;

// The schema has a pattern that is none for Unicode.
const ajv = new Draft4.default({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(SCHEMA);

/** What the schema has to say against a report, and how many results that has. */
function judge(text: string): { errors: string[]; results: number } {
  const log = JSON.parse(text) as { runs: { results: object[] }[] };
  validate(log);
  const errors = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  return { errors, results: log.runs.flatMap(({ results }) => results).length };
}

it("the schema refuses what is no SARIF", () => {
  expect(judge('{ "version": "2.1.0", "runs": [{ "results": [{}] }] }').errors).toEqual([
    "/runs/0: must have required property 'tool'",
    "/runs/0/results/0: must have required property 'message'",
  ]);
});

it("every command's report is valid SARIF, with drift, a stale snapshot, warnings and an app that fails", async () => {
  const repository = new Repository({ "apps/counter": "counter", "apps/Geräte #1": "devices" });
  await repository.run(["snapshot", "--workspace"]);
  repository.commit("Commit the contracts");
  const devices = "apps/Geräte #1/src/agent/contracts.ts";
  repository.replace(devices, 'confirmation: "required"', 'confirmation: "optional"');
  repository.replace("apps/counter/index.html", "<body>", '<body>\n<form toolname="book"></form>');
  const sarif = async (...args: string[]) =>
    judge((await repository.run([...args, "--format", "sarif"])).stdout);
  const counter = ["--root", "apps/counter"];
  const console = ["--root", "apps/Geräte #1", "--base", "main"];
  expect(await sarif("check", ...counter)).toEqual({ errors: [], results: 1 });
  expect(await sarif("snapshot", ...counter)).toEqual({ errors: [], results: 1 });
  // The snapshot, its row against the source, and for a mere look the same against the base.
  expect(await sarif("check", ...console)).toEqual({ errors: [], results: 2 });
  expect(await sarif("inspect", ...console)).toEqual({ errors: [], results: 3 });
  expect(await sarif("explain", "domain:devices.disable", ...console)).toEqual({ errors: [], results: 3 });
  repository.write("apps/broken/vite.config.ts", 'throw new Error("no\\u001b[31m\\n::error::");\n');
  expect(await sarif("check", "--workspace")).toEqual({ errors: [], results: 4 });
});

it("the recorded report of drift is valid SARIF too", () => {
  for (const name of ["sarif", "warnings_sarif"]) {
    const path = workspace(`crates/review/tests/snapshots/renderings__${name}.snap`);
    const [, , report = ""] = readFileSync(path, "utf8").split(/^---$/m);
    expect(judge(report)).toEqual({ errors: [], results: expect.any(Number) });
  }
});
