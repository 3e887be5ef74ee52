/** Apps that are there for as long as they are measured. */
import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { generateApp } from "./app.mjs";

const NODE_MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/**
 * Calls `use` with an empty folder.
 * @template T
 * @param {(root: string) => Promise<T>} use
 * @returns {Promise<T>}
 */
export async function inFolder(use) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "agent-surface-bench-")));
  try {
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/**
 * Calls `use` with the folder of an app of `size` modules, and with how many of them have a contract.
 * @template T
 * @param {number} size
 * @param {(root: string, contracts: number) => Promise<T>} use
 * @param {number} [modulesPerContract]
 * @returns {Promise<T>}
 */
export function inGeneratedApp(size, use, modulesPerContract) {
  return inFolder(async (root) => {
    const { contracts } = await generateApp(root, size, modulesPerContract);
    await symlink(NODE_MODULES, join(root, "node_modules"), "dir");
    return use(root, contracts);
  });
}
