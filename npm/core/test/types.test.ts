import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Compiles what apps write against the built package, strictly, and with its declarations checked as well. */
function compile(...options: string[]): string {
  return compileFiles(["inference.ts", "inference-runtime.ts"], ...options);
}

function compileFiles(files: readonly string[], ...options: string[]): string {
  const strict = [
    "--strict",
    "--noEmit",
    "--ignoreConfig",
    "--types",
    "",
    "--target",
    "ES2022",
    "--lib",
    "ES2022,DOM",
  ];
  const tsc = here("../../../node_modules/typescript/bin/tsc");
  return execFileSync(process.execPath, [tsc, ...strict, ...options, ...files.map(here)], {
    encoding: "utf8",
  });
}

it.each([
  ["a bundler's app", ["--module", "ESNext", "--moduleResolution", "Bundler"]],
  ["Node", ["--module", "NodeNext", "--moduleResolution", "NodeNext", "--exactOptionalPropertyTypes"]],
])(
  "an app's contracts, handlers and registry have the types they are documented with, for %s",
  (_, options) => {
    expect(compile(...options)).toBe("");
  },
);

it("handlers get the types of the schemas that the libraries were given", () => {
  // The libraries' own declarations are theirs to check.
  const options = ["--module", "ESNext", "--moduleResolution", "Bundler", "--skipLibCheck"];
  expect(compileFiles(["inference-schemas.ts"], ...options)).toBe("");
});
