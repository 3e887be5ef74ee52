import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { native } from "./native.js";
import { fileTime, Vigil } from "./vigil.js";

/** The addon's, by the times that this process reads of files. */
const changedSince = (time: number, files: string[]) => native().changedSince(time, files);

/** A folder with some files. */
function makeFolder(...names: string[]): { folder: string; paths: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "agent-surface-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = names.map((name) => join(folder, name));
  for (const path of paths) writeFileSync(path, "");
  return { folder, paths };
}

/** Waits for the kernel's clock to tick, without which two times are one. */
function tick(): number {
  const now = fileTime();
  for (;;) {
    const next = fileTime();
    if (next > now) return next;
  }
}

describe("files that changed since a time", () => {
  it("are those that were written to, whatever they say of it themselves, and those that went", () => {
    const { folder, paths } = makeFolder("kept", "written", "gone");
    mkdirSync(join(folder, "other"));
    writeFileSync(join(folder, "other/left"), "");
    const time = tick();
    const [kept = "", written = "", gone = ""] = paths;
    expect(changedSince(time, paths)).toEqual([]);
    writeFileSync(written, "more");
    utimesSync(written, 0, 0);
    rmSync(gone);
    const unseen = [join(folder, "other/virtual"), "/nowhere/at/all", "/\0virtual"];
    expect(changedSince(time, [kept, written, gone, join(folder, "other/left"), ...unseen])).toEqual([
      written,
      gone,
    ]);
  });
});

describe("a vigil", () => {
  it("tells of what changed while a build was at work, but for what was watched before", () => {
    const { paths } = makeFolder("old", "new");
    const [old = "", fresh = ""] = paths;
    const vigil = new Vigil();
    const told: string[] = [];
    const tell = () => vigil.tellMissed((files) => told.push(...files));
    tick();
    vigil.begin();
    vigil.keep([old]);
    tell();
    expect(told).toEqual([]);
    tick();
    vigil.begin();
    for (const path of paths) writeFileSync(path, "edited");
    vigil.keep(paths);
    tell();
    expect(told).toEqual([fresh]);
    vigil.buildAgain(told);
    expect([...vigil.begin()]).toEqual([fresh]);
    expect([...vigil.begin()]).toEqual([]);
    vigil.end();
  });

  it("has a file changed that the bundler watches, to have it build again", () => {
    const vigil = new Vigil();
    vigil.begin();
    const file = vigil.keep([]);
    const time = tick();
    expect(changedSince(time, [file])).toEqual([]);
    vigil.buildAgain(["it"]);
    expect(changedSince(time, [file])).toEqual([file]);
    vigil.end();
  });
});
