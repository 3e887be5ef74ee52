import { readdirSync } from "node:fs";
import { join } from "node:path";
import { hasConfig } from "./app.js";

/**
 * The folders with a Vite config at and below a root, in the order of their paths. Every package manager and build tool
 * has its own list of packages; where the configs are is the same for all of them.
 */
export function findConfigFolders(root: string): string[] {
  const found: string[] = [];
  const pending = [""];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const path = join(root, folder);
    if (hasConfig(path)) found.push(folder);
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      // A link would lead to a folder that is visited on its own, or out of the workspace.
      if (entry.isDirectory() && isVisited(entry.name)) {
        pending.push(folder === "" ? entry.name : `${folder}/${entry.name}`);
      }
    }
  }
  // In place, since `toSorted` wants a newer library than ES2022; by code unit, which no locale changes.
  found.sort((a, b) => (a < b ? -1 : 1));
  return found;
}

/** Packages, tools' own folders (`.git`, `.turbo`) and outputs hold no app of the workspace. */
function isVisited(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules" && name !== "dist";
}
