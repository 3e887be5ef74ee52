import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { Failure, firstLine } from "./failure.js";

/** The committed contract of an app. */
export interface SnapshotFile {
  /** Absolute. */
  path: string;
  /** From the app's root, with `/`: how reports call it. */
  name: string;
}

/** The snapshot file of an app; nothing is read yet. */
export function locateSnapshot(root: string, path: string): SnapshotFile {
  const absolute = resolve(root, path);
  return { path: absolute, name: slashed(relative(root, absolute)) };
}

/**
 * The snapshot's text, if there is one.
 * @throws Failure where there is something that cannot be read.
 */
export function readSnapshot(snapshot: SnapshotFile): string | undefined {
  try {
    return readFileSync(snapshot.path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new Failure(`the snapshot ${snapshot.name} cannot be read: ${firstLine((error as Error).message)}`);
  }
}

/**
 * Writes the snapshot whole or not at all: beside it first, then in its place in one motion. An unchanged file is
 * left alone, so that whatever watches it has nothing to do.
 * @throws Failure where it cannot be written; what was there is still there then.
 */
export function writeSnapshot(snapshot: SnapshotFile, text: string): void {
  if (readSnapshot(snapshot) === text) return;
  const beside = `${snapshot.path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(snapshot.path), { recursive: true });
    writeFileSync(beside, text);
    renameSync(beside, snapshot.path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new Failure(
      `the snapshot ${snapshot.name} cannot be written: ${firstLine((error as Error).message)}`,
    );
  }
}

/** The real path of a file that may not exist, in a folder that may not either. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    try {
      return join(realpathSync(folder), ...missing);
    } catch {
      if (folder === dirname(folder)) return path;
      missing.unshift(basename(folder));
    }
  }
}

/** A path as reports and git spell it. */
export function slashed(path: string): string {
  return sep === "/" ? path : path.split(sep).join("/");
}
