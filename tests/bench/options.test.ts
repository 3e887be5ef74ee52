import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const BENCHMARKS = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs"));

/** Runs a benchmark as `cargo xtask bench` does. */
function run(benchmark: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, benchmark), ...args],
    {
      encoding: "utf8",
    },
  );
  return { status, stdout, stderr };
}

it.each(BENCHMARKS)("%s tells what it measures and takes, and measures nothing", (benchmark) => {
  const { status, stdout, stderr } = run(benchmark, "--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^${benchmark}: .*\\.\\n\\n(?:  --.*\\n)+$`));
});

it.each(BENCHMARKS)("%s refuses in one line what it does not take", (benchmark) => {
  expect(run(benchmark, "--colour")).toEqual(refusal(benchmark, "Unknown option '--colour'"));
});

it.each([
  ["cli.mjs", ["devices"], "Unexpected argument 'devices'"],
  ["cli.mjs", ["--help=yes"], "Option '--help' does not take an argument"],
  ["cli.mjs", ["--runs", "0"], "--runs takes a whole number from 1"],
  ["cli.mjs", ["--runs", "1.5"], "--runs takes a whole number from 1"],
  ["compile.mjs", ["--sizes", "200,none"], "--sizes takes whole numbers from 1 with commas between them"],
])("%s %j makes no sense and says why", (benchmark, args, says) => {
  expect(run(benchmark, ...args)).toEqual(refusal(benchmark, says));
});

function refusal(benchmark: string, says: string) {
  return { status: 2, stdout: "", stderr: `${benchmark}: ${says}; --help lists what there is\n` };
}
