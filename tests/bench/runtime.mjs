/**
 * What contracts cost a page: making an authority, and validating a value.
 *
 * `node tests/bench/runtime.mjs [--runs 30]`, or `cargo xtask bench runtime`. Medians over the runs; nothing is
 * asserted.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { computeManifestHash, sha256, canonicalJson } from "@agent-surface/compiler";
import { createCapabilityAuthority, fromJsonSchema } from "@agent-surface/core";
import { printTable } from "../demo/table.mjs";
import { median, spread } from "./shared/numbers.mjs";

const { values } = parseArgs({ options: { runs: { type: "string", default: "30" } } });
const runs = Number(values.runs);

const row = {
  type: "object",
  properties: {
    id: { type: "string" },
    name: { type: "string", maxLength: 64 },
    status: { enum: ["online", "offline", "disabled"] },
  },
  required: ["id", "name", "status"],
  additionalProperties: false,
};

/** A manifest of `count` observations of a table, as the compiler would make it. @param {number} count */
function manifestOf(count) {
  const capabilities = Array.from({ length: count }, (_, index) => {
    const contract = {
      capabilityId: `view:bench.table${index}.rows`,
      declarationId: `src/table${String(index).padStart(5, "0")}.ts#contract`,
      description: `The rows of table ${index}`,
      effect: "read",
      kind: "observation",
      origin: `src/table${String(index).padStart(5, "0")}.ts`,
      outputSchema: { type: "array", items: row, maxItems: 100 },
    };
    return { ...contract, contractHash: sha256(canonicalJson(contract)), targets: ["web-production"] };
  });
  const payload = {
    formatVersion: 5,
    compilerVersion: "0.17.0",
    targets: ["web-production"],
    capabilities,
    externalContracts: [],
    completeness: { status: "proven" },
  };
  const unsealed = /** @type {any} */ (payload);
  return { ...unsealed, hash: computeManifestHash(unsealed) };
}

/** Milliseconds of each run. @param {() => unknown} work */
function time(work) {
  for (let warmUp = 0; warmUp < 3; warmUp++) work();
  return Array.from({ length: runs }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
}

/** @param {string} what @param {number[]} times @param {number} [each] How many operations a run has. */
function line(what, times, each = 1) {
  return [what, `${((median(times) * 1000) / each).toFixed(1)} µs`, spread(times)];
}

console.log(`${cpus()[0]?.model ?? "an unknown processor"}, Node.js ${process.version}, ${runs} runs\n`);
const rows = [1, 10, 100, 1000].map((count) => {
  const manifest = manifestOf(count);
  return line(
    `createCapabilityAuthority, ${count} capabilities`,
    time(() => createCapabilityAuthority(manifest)),
  );
});
const schema = fromJsonSchema({ type: "array", items: row, maxItems: 100 });
for (const count of [1, 100]) {
  const value = Array.from({ length: count }, (_, index) => ({
    id: `dev_${index}`,
    name: `Device ${index}`,
    status: "online",
  }));
  rows.push(
    line(
      `fromJsonSchema(…).parse, ${count} rows`,
      time(() => {
        for (let repeat = 0; repeat < 100; repeat++) schema.parse(value);
      }),
      100,
    ),
  );
}
printTable(["operation", "median", "runs from – to"], rows);
