import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { run } from "@agent-surface/cli";

const root = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

it("the published schema is the one that reports are held against", () => {
  const published = readFileSync(root("npm/cli/report.schema.json"), "utf8");
  expect(published).toBe(readFileSync(root("crates/review/report.schema.json"), "utf8"));
});

it("the package has all that its command needs", () => {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root("npm/cli"),
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(text) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const path of ["bin/agent-surface.js", "dist/index.js", "dist/index.d.ts", "report.schema.json"]) {
    expect(paths).toContain(path);
  }
  expect(paths.filter((path) => path.includes("test"))).toEqual([]);
  // What npm links as a command has to be one.
  expect(statSync(root("npm/cli/bin/agent-surface.js")).mode & 0o111).not.toBe(0);
});

it("--help tells every command and every option", async () => {
  const written: string[] = [];
  const output = { write: (text: string) => written.push(text) };
  const io = { cwd: root("."), env: {}, stdout: output, stderr: output };
  expect(await run(["--help"], io)).toBe(0);
  const help = written.join("");
  const source = readFileSync(root("npm/cli/src/options.ts"), "utf8");
  const table = /const OPTIONS = \{([^]*?)\n\} as const/.exec(source)?.[1] ?? "";
  const options = [...table.matchAll(/^ {2}(\w+): \{/gm)].map(([, name]) => name);
  expect(options.length).toBeGreaterThan(10);
  // `--output` is another name of `--snapshot`.
  for (const option of options.filter((name) => name !== "output")) expect(help).toContain(`--${option}`);
  for (const command of ["inspect", "snapshot", "check", "explain"])
    expect(help).toContain(`agent-surface ${command}`);
  expect(help.split("\n").every((line) => line.length <= 120)).toBe(true);
});
