import { spawnSync } from "node:child_process";
import { isAbsolute, relative } from "node:path";
import { Failure, firstLine } from "./failure.js";
import { realPath, slashed, type SnapshotFile } from "./snapshot.js";

/** The largest contract that is read from a commit, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The snapshot as it is in a commit. */
export interface Base {
  /** The commit, as the user wrote it. */
  reference: string;
  /** The file's text; none where the commit has no such file, as before the change that adds it. */
  contract?: string;
}

/**
 * The snapshot as it is in a commit.
 * @throws Failure where git, the repository or the commit is not there.
 */
export function readBase(root: string, reference: string, snapshot: SnapshotFile): Base {
  const top = git(root, ["rev-parse", "--show-toplevel"]);
  if (!top.ok) throw new Failure(`--base needs a git repository, and ${root} is in none`);
  const path = relative(realPath(top.text.trimEnd()), realPath(snapshot.path));
  if (path.startsWith("..") || isAbsolute(path)) {
    throw new Failure(`the snapshot ${snapshot.name} is outside of the repository, so no commit has it`);
  }
  // With everything after it no option, whatever the ref is called.
  const commit = git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${reference}^{commit}`]);
  if (!commit.ok) {
    throw new Failure(
      `git knows no \`${reference}\`; fetch it first (in CI a checkout often has one commit only)`,
    );
  }
  const tree = commit.text.trim();
  // A listing tells a file that is not there from one that git cannot hand out, of a partial clone for example.
  const listing = git(root, [
    "--literal-pathspecs",
    "ls-tree",
    "--full-tree",
    "-z",
    tree,
    "--",
    slashed(path),
  ]);
  if (listing.ok && listing.text === "") return { reference };
  const file = git(root, ["show", `${tree}:${slashed(path)}`]);
  if (!file.ok) throw new Failure(`git cannot read ${snapshot.name} at ${reference}`);
  return { reference, contract: file.text };
}

/** The path of a folder from the top of its repository; empty where it is that, or in none. */
export function prefixOf(folder: string): string {
  const prefix = gitOrNothing(folder, ["rev-parse", "--show-prefix"]);
  return prefix.trim().replace(/\/$/, "");
}

function gitOrNothing(cwd: string, args: string[]): string {
  const { status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8" });
  return status === 0 ? stdout : "";
}

function git(cwd: string, args: string[]): { ok: boolean; text: string } {
  const { error, status, stdout } = spawnSync("git", args, { cwd, encoding: "utf8", maxBuffer: MAX_BYTES });
  if (error !== undefined) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new Failure(
      isMissing
        ? "--base needs git, and there is none on the PATH"
        : `git failed: ${firstLine(error.message)}`,
    );
  }
  return { ok: status === 0, text: stdout };
}
