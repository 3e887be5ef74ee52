import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { native } from "./native.js";

/** How many there were. */
let count = 0;

/** How many milliseconds a bundler is given to begin to watch what it built. */
const SETTLED = 200;

/** How often a bundler is told to build again until it does, and how many milliseconds lie between. */
const BEATS = { most: 200, apart: 50 };

/**
 * Hears the edits that a watching bundler does not: it begins to watch a file some time after it has read it. What comes
 * in between would be in no build until the next edit, and an environment that read the file later would not fit the
 * others. For such an edit the bundler builds once more; that is told to it by a file that it watches like any other.
 */
export class Vigil {
  /** What the bundler has watched since the last build, or longer. */
  #watched: ReadonlySet<string> = new Set();
  #files: ReadonlySet<string> = new Set();
  #began = 0;
  /** What nobody heard of, until the next build begins. */
  #missed = new Set<string>();
  #file: string | undefined;
  #later: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;

  /** Takes note that a build begins; returns the files of which nobody heard that they changed since the last one. */
  begin(): Iterable<string> {
    this.#rest();
    const missed = this.#missed;
    this.#missed = new Set();
    this.#watched = this.#files;
    this.#began = fileTime();
    return missed;
  }

  /** Takes note of the files that a build depends on; what it returns is for the bundler to watch besides. */
  keep(files: readonly string[]): string {
    this.#files = new Set(files);
    if (this.#file === undefined) {
      this.#file = join(scratch(), `again-${(count += 1)}`);
      this.#write();
    }
    return this.#file;
  }

  /**
   * Tells of the files that changed since the build began, and that nobody watched until now: at once, and once more when
   * the bundler has had the time to watch them.
   */
  tellMissed(act: (files: readonly string[]) => void): void {
    const tell = () => {
      const files = [...this.#files].filter((file) => !this.#watched.has(file));
      const missed = native().changedSince(this.#began, files);
      if (missed.length > 0) act(missed);
    };
    clearTimeout(this.#later);
    this.#later = setTimeout(tell, SETTLED).unref();
    tell();
  }

  /** Has the bundler build again for the sake of files; until it does, since this file, too, it may not watch yet. */
  buildAgain(files: readonly string[]): void {
    for (const file of files) this.#missed.add(file);
    if (this.#beating !== undefined || this.#file === undefined) return;
    let left = BEATS.most;
    const beat = () => {
      this.#write();
      left -= 1;
      if (left === 0) this.#rest();
    };
    this.#beating = setInterval(beat, BEATS.apart).unref();
    beat();
  }

  /** Ends, with the watcher. */
  end(): void {
    this.#rest();
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
    this.#file = undefined;
  }

  #rest(): void {
    clearTimeout(this.#later);
    clearInterval(this.#beating);
    this.#beating = undefined;
  }

  #write(): void {
    if (this.#file !== undefined) writeFileSync(this.#file, String(performance.now()));
  }
}

/** Now, by the clock that files go by: the kernel's ticks, which are behind any other. */
export function fileTime(): number {
  const probe = join(scratch(), "now");
  writeFileSync(probe, "");
  return statSync(probe).ctimeMs;
}

let folder: string | undefined;

/** A folder of this process. */
function scratch(): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), "agent-surface-watch-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return folder;
}
