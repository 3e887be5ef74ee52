/**
 * What the runtime costs a page: registering, looking, invoking, making an authority, and rendering React components;
 * how that grows, and what is left in memory.
 *
 * `node tests/bench/runtime.mjs --help` lists its options; `cargo xtask bench runtime` takes them behind a `--`. Medians over
 * the runs; nothing is asserted. With `AGENT_SURFACE_REFERENCE=<checkout>` the TypeScript reference is measured beside it, taking turns.
 */
import { cpus } from "node:os";
import { printTable } from "../demo/table.mjs";
import { firstCalls } from "./runtime/first-call.mjs";
import { operations, poke, populated, read } from "./runtime/operations.mjs";
import { manifestOf, ours, seal } from "./runtime/ours.mjs";
import { loadReference } from "./runtime/reference.mjs";
import { rerenderings } from "./runtime/rendering.mjs";
import { median, milliseconds, spread } from "./shared/numbers.mjs";
import { count, readOptions } from "./shared/options.mjs";

/** @import { System } from "./runtime/operations.mjs" */

const { runs, invocations } = readOptions("What the runtime costs a page.", {
  runs: count(30, "how often everything is measured"),
  invocations: count(1_000_000, "how often one registry is used while its memory is watched"),
});
const checkout = process.env["AGENT_SURFACE_REFERENCE"];

/** @type {System[]} */
const systems = [ours, ...(checkout ? [await loadReference(checkout)] : [])];

/** Milliseconds of each run, by system; the systems take turns. @param {(() => unknown)[]} works */
async function time(works) {
  const times = works.map(() => /** @type {number[]} */ ([]));
  for (let run = -5; run < runs; run++) {
    for (const [index, work] of works.entries()) {
      const start = performance.now();
      await work();
      if (run >= 0) times[index]?.push(performance.now() - start);
    }
  }
  return times;
}

/** @param {number} millis */
const micros = (millis) => `${(millis * 1000).toFixed(1)} µs`;

/** One row: each system's median, how much of the reference's it is, and the spread of ours. */
async function row(/** @type {string} */ name, /** @type {(() => unknown)[]} */ works, each = 1) {
  const times = await time(works);
  const medians = times.map((it) => median(it) / each);
  const [own = Number.NaN, reference] = medians;
  return [
    name,
    ...medians.map(micros),
    ...(reference === undefined ? [] : [`${((own / reference) * 100).toFixed(0)} %`]),
    spread(times[0]?.map((it) => it / each) ?? []),
  ];
}

console.log(`${cpus()[0]?.model ?? "an unknown processor"}, Node.js ${process.version}, ${runs} runs\n`);

const heads = [
  "operation",
  ...systems.map(({ name }) => name),
  ...(systems.length > 1 ? ["share"] : []),
  "runs from – to",
];
const rows = [];
for (const operation of operations) {
  rows.push(
    await row(
      operation.name,
      systems.map((system) => operation.prepare(system)),
      operation.each,
    ),
  );
}
for (const count of [10, 100, 1000]) {
  const manifest = manifestOf(Array.from({ length: count }, (_, index) => seal(contractOf(index))));
  const works = systems.map(
    ({ core }) =>
      () =>
        core.createCapabilityAuthority(manifest),
  );
  rows.push(await row(`createCapabilityAuthority, ${count} capabilities`, works));
}
printTable(heads, rows);

console.log("\nThe first call of the kernel, each in a process of its own\n");
const firsts = await firstCalls(runs);
const rowOf = (/** @type {string} */ name, /** @type {number[]} */ times) => [
  name,
  milliseconds(median(times)),
  spread(times),
];
printTable(
  ["time", "median", "from – to"],
  [
    rowOf(
      "that goes by",
      firsts.map(({ elapsed }) => elapsed),
    ),
    rowOf(
      "at work on the main thread",
      firsts.map(({ worked }) => worked),
    ),
  ],
);

console.log("\nGrowth with the number of registered components\n");
const growth = [];
for (const count of [10, 100, 1000, 10_000]) {
  const registry = populated(ours, count);
  const each = async (/** @type {() => unknown} */ work, repeats = 1) => {
    const [times = []] = await time([work]);
    return micros(median(times) / repeats);
  };
  const times100 = (/** @type {(registry: any) => Promise<unknown>} */ call) => async () => {
    for (let repeat = 0; repeat < 100; repeat++) await call(registry);
  };
  growth.push([
    String(count),
    await each(times100(poke), 100),
    await each(times100(read), 100),
    await each(() => registry.snapshot()),
  ]);
  registry.dispose();
}
printTable(["components", "action invoke", "observation invoke", "snapshot"], growth);

console.log("\nRendering a component of React again\n");
const { bare, bound } = await rerenderings(ours.core);
/** @param {() => void} render */
const rounds = (render) => () => {
  for (let repeat = 0; repeat < 200; repeat++) render();
};
const rendered = (await time([rounds(bare), rounds(bound)])).map((times) => median(times) / 200);
const [nothing = Number.NaN, ten = Number.NaN] = rendered;
printTable(
  ["capabilities", "each", "ratio"],
  [
    ["none", micros(nothing), "1.0"],
    ["10 bound", micros(ten), (ten / nothing).toFixed(1)],
  ],
);

const registry = populated(ours, 10);
const heap = [];
for (let done = 0; done <= invocations; done += 1) {
  if (done % Math.max(1, invocations / 4) === 0) {
    globalThis.gc?.();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    heap.push([
      String(done),
      `${(heapUsed / 2 ** 20).toFixed(1)} MB`,
      `${(arrayBuffers / 2 ** 20).toFixed(1)} MB`,
    ]);
  }
  await poke(registry);
}
console.log(
  `\nMemory while a registry is used${globalThis.gc ? "" : " (with node --expose-gc it is measured after a collection)"}\n`,
);
printTable(["invocations", "heap", "kernel and other buffers"], heap);

/** @param {number} index */
function contractOf(index) {
  const number = String(index).padStart(5, "0");
  return {
    capabilityId: `view:bench.table${number}.rows`,
    declarationId: `src/table${number}.ts#contract`,
    description: `The rows of table ${number}`,
    effect: "read",
    kind: "observation",
    origin: `src/table${number}.ts`,
    outputSchema: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          name: { type: "string", maxLength: 64 },
          status: { enum: ["online", "offline", "disabled"] },
        },
        required: ["id", "name", "status"],
        additionalProperties: false,
      },
      maxItems: 100,
    },
  };
}
