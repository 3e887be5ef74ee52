import { rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch } from "../fixtures/apps.js";
import { Repository, type Run } from "./repository.js";

const SNAPSHOT = ".agent-surface/contract.json";

/** The counter app with a committed snapshot. */
async function counter(): Promise<Repository> {
  const repository = new Repository({ "": "counter" });
  await repository.run(["snapshot"]);
  repository.commit("Commit the contract");
  return repository;
}

/** What a command says that could not be carried out: one line on stderr, nothing on stdout, exit code 2. */
function lineOf({ code, stdout, stderr }: Run): string {
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^agent-surface: [^\n]+\n$/);
  return stderr;
}

describe("a command that cannot be carried out says why in one line, ends with 2 and writes nothing:", () => {
  it("a folder that is no Vite project", async () => {
    const repository = await counter();
    repository.git("rm", "--quiet", "vite.config.ts");
    expect(lineOf(await repository.run(["snapshot"]))).toMatch(
      /repository is not a Vite project.*--root or --config/,
    );
    expect(lineOf(await repository.run(["check", "--root", "nowhere"]))).toMatch(/no folder nowhere/);
    expect(lineOf(await repository.run(["check", "--config", "other.ts"]))).toMatch(
      /no Vite config other\.ts/,
    );
  });

  it("a config that throws", async () => {
    const repository = await counter();
    repository.write("vite.config.ts", 'throw new Error("no \\u001b[31mlicence\\nfor this");\n');
    repository.git("rm", "--quiet", SNAPSHOT);
    repository.commit("Throw");
    expect(lineOf(await repository.run(["snapshot"]))).toMatch(
      /the Vite config of repository cannot be loaded: .*no licence/,
    );
    expect(repository.changed()).toEqual([]);
  });

  it("a config without the plugin", async () => {
    const repository = await counter();
    repository.write("vite.config.ts", "export default {};\n");
    expect(lineOf(await repository.run(["snapshot"]))).toMatch(/no agentSurface\(\) in the plugins/);
  });

  it("a config with the plugin twice", async () => {
    const repository = await counter();
    repository.replace("vite.config.ts", "agentSurface()", "agentSurface(), agentSurface()");
    expect(lineOf(await repository.run(["check"]))).toMatch(/agentSurface\(\) is in the plugins 2 times/);
  });

  it("a module that is not there", async () => {
    const repository = await counter();
    repository.write("src/main.ts", 'import "./missing";\n');
    expect(lineOf(await repository.run(["snapshot"]))).toMatch(
      /the modules of repository cannot be built: .*missing/,
    );
  });

  it("a machine without git", async () => {
    const repository = await counter();
    expect(lineOf(repository.spawn(["check", "--base", "main"], { PATH: scratch() }))).toMatch(
      /needs git, and there is none/,
    );
  });

  it("a folder that is in no git repository", async () => {
    const repository = await counter();
    rmSync(join(repository.root, ".git"), { recursive: true });
    expect(lineOf(await repository.run(["check", "--base", "main"]))).toMatch(/needs a git repository/);
  });

  it("a base that git does not know, and one that is an option", async () => {
    const repository = await counter();
    expect(lineOf(await repository.run(["check", "--base", "origin/main"]))).toMatch(
      /git knows no `origin\/main`; fetch it/,
    );
    expect(lineOf(await repository.run(["check", "--base=--help"]))).toMatch(/git knows no `--help`/);
  });

  it("a snapshot that git cannot hand out", async () => {
    const repository = await counter();
    const blob = repository.git("rev-parse", `HEAD:${SNAPSHOT}`).trim();
    rmSync(join(repository.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(lineOf(await repository.run(["check", "--base", "main"]))).toMatch(
      /git cannot read \S+contract\.json at main/,
    );
  });

  it("a snapshot that was edited by hand, here or at the base", async () => {
    const repository = await counter();
    repository.replace(SNAPSHOT, "Add one", "Add two");
    expect(lineOf(await repository.run(["check"]))).toMatch(
      /contract\.json was edited by hand.*agent-surface snapshot/,
    );
    repository.commit("Edit by hand");
    await repository.run(["snapshot"]);
    expect(lineOf(await repository.run(["check", "--base", "HEAD"]))).toMatch(
      /contract\.json at HEAD was edited by hand/,
    );
  });

  it("a snapshot with a conflict in it", async () => {
    const repository = await counter();
    const snapshot = repository.read(SNAPSHOT);
    repository.write(SNAPSHOT, `<<<<<<< HEAD\n${snapshot}=======\n${snapshot}>>>>>>> main\n`);
    expect(lineOf(await repository.run(["inspect"]))).toMatch(
      /contract\.json has conflicts of a merge in it: .*agent-surface snapshot/,
    );
    // That mends it: what is there is not read.
    expect((await repository.run(["snapshot"])).code).toBe(0);
    expect(repository.read(SNAPSHOT)).toBe(snapshot);
    repository.write(SNAPSHOT, snapshot.slice(1));
    expect(lineOf(await repository.run(["inspect"]))).toMatch(/contract\.json is not JSON: .* at byte/);
  });

  it("a snapshot outside of the repository", async () => {
    const repository = await counter();
    const elsewhere = join(scratch(), "contract.json");
    expect((await repository.run(["snapshot", "--snapshot", elsewhere])).code).toBe(0);
    const check = (path: string) => repository.run(["check", "--base", "main", "--snapshot", path]);
    expect(lineOf(await check(elsewhere))).toMatch(/is outside of the repository/);
    // Nor by a link that leads there.
    symlinkSync(join(elsewhere, ".."), join(repository.root, "linked"), "dir");
    expect(lineOf(await check("linked/contract.json"))).toMatch(/is outside of the repository/);
  });

  it("a snapshot of a newer format", async () => {
    const repository = await counter();
    repository.replace(SNAPSHOT, '"formatVersion": 5', '"formatVersion": 6');
    expect(lineOf(await repository.run(["check"]))).toMatch(
      /format version 6, and this version of agent-surface reads 5/,
    );
  });

  it("a snapshot that cannot be read", async () => {
    const repository = await counter();
    rmSync(join(repository.root, SNAPSHOT));
    repository.write(`${SNAPSHOT}/file`, "");
    expect(lineOf(await repository.run(["check"]))).toMatch(
      /snapshot \S+contract\.json cannot be read: EISDIR/,
    );
  });

  it("a snapshot that cannot be written", async () => {
    const repository = await counter();
    repository.git("rm", "-r", "--quiet", ".agent-surface");
    repository.write(".agent-surface", "a file where a folder must be\n");
    expect(lineOf(await repository.run(["snapshot"]))).toMatch(/contract\.json cannot be (?:read|written)/);
    expect(repository.read(".agent-surface")).toBe("a file where a folder must be\n");
  });

  it("a capability that the app does not have", async () => {
    const repository = await counter();
    expect(lineOf(await repository.run(["explain", "view:demo.increment"]))).toMatch(
      /did you mean view:demo\.counter\.increment\?/,
    );
  });
});

it("a contract that is not proven is refused with the compiler's whole report", async () => {
  const repository = await counter();
  repository.replace("src/counter.ts", '"Add one, as a press of the button does"', "location.hash");
  const before = repository.read(SNAPSHOT);
  for (const command of ["inspect", "snapshot", "check"]) {
    // oxlint-disable-next-line no-await-in-loop
    const { code, stdout, stderr } = await repository.run([command]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^agent-surface found 1 contract problem\.\n[^]*agent-surface\(dynamic-value\)/);
    expect(stderr).toMatch(/src\/counter\.ts:\d+:\d+/);
    expect(stderr).toContain("help:");
  }
  expect(repository.read(SNAPSHOT)).toBe(before);
});

it("a snapshot is replaced in one motion, and left alone where it is current", async () => {
  const repository = await counter();
  const identity = () => statSync(join(repository.root, SNAPSHOT)).ino;
  const before = identity();
  expect((await repository.run(["snapshot"])).code).toBe(0);
  expect(identity()).toBe(before);
  repository.replace("src/counter.ts", "Add one", "Add two");
  expect((await repository.run(["snapshot"])).code).toBe(0);
  expect(identity()).not.toBe(before);
  expect(repository.changed()).toEqual([SNAPSHOT, "src/counter.ts"]);
});
