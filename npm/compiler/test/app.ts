import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const CORE = fileURLToPath(new URL("../../core", import.meta.url));
const PACKAGES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** Text of files by their path within an app. */
export type Files = Record<string, string>;

/**
 * A folder with the given files and `@agent-surface/core` installed, for as long as the test runs. Its path is
 * a real one, as bundlers report it.
 */
export function makeApp(files: Files): string {
  const root = createApp(files);
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** The same for several tests; whoever makes it removes it. */
export function createApp(files: Files): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agent-surface-")));
  writeFiles(root, { "package.json": '{ "name": "app", "private": true, "type": "module" }', ...files });
  mkdirSync(join(root, "node_modules/@agent-surface"), { recursive: true });
  symlinkSync(CORE, join(root, "node_modules/@agent-surface/core"), "dir");
  return root;
}

/** Installs packages of the workspace in an app. */
export function installPackages(root: string, names: readonly string[]): void {
  for (const name of names) symlinkSync(join(PACKAGES, name), join(root, "node_modules", name), "dir");
}

/** Installs a Vite in an app: that of the workspace's package with this name. */
export function installVite(root: string, name = "vite"): void {
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(join(PACKAGES, name), join(root, "node_modules/vite"), "dir");
}

/** Writes files into a folder, making the folders between. */
export function writeFiles(root: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** A module with one contract of one action, `view:<type>.press`. */
export function contractModule(type: string, name = "contract"): string {
  return `import { actionContract, defineAgentComponentContract, emptyObjectSchema } from "@agent-surface/core";

export const ${name} = defineAgentComponentContract({
  type: "${type}",
  description: "A thing to press",
  actions: { press: actionContract({ description: "Press it", input: emptyObjectSchema, effect: "local-state" }) },
});
`;
}

/** An entry that exports its authority, and a contract from a module of its own. JavaScript, for every bundler. */
export const PRESSABLE: Files = {
  "src/main.js": `export { default as authority, manifest } from "virtual:agent-surface-contract";
export { contract } from "./contract.js";
`,
  "src/contract.js": contractModule("demo.button"),
};
