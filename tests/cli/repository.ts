import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "@agent-surface/cli";
import { fixture, linkPackages, scratch, workspace } from "../fixtures/apps.js";

/** Without what git tells its hooks: a test that one starts must not work on the repository that is committed to. */
const ENV = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));

/** What a run of `agent-surface` came to. */
export interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

/** A temporary git repository with apps of the checkout in it. */
export class Repository {
  readonly root: string;

  /** Copies fixtures into a new repository, each to its folder; a folder of `""` is the repository itself. */
  constructor(apps: Record<string, string>) {
    const parent = scratch();
    linkPackages(parent);
    this.root = join(parent, "repository");
    for (const [folder, name] of Object.entries(apps)) {
      cpSync(fixture(name), join(this.root, folder), {
        recursive: true,
        filter: (path) => !/[\\/](?:node_modules|dist|\.agent-surface)$/.test(path),
      });
    }
    this.git("init", "--quiet", "--initial-branch=main");
    this.commit("Begin");
  }

  /** Runs git with a name, whatever the machine's own config has; returns what it prints. */
  git(...args: string[]): string {
    const config = ["user.name=Tester", "user.email=tester@example.com", "commit.gpgsign=false"];
    const settings = config.flatMap((setting) => ["-c", setting]);
    return execFileSync("git", [...settings, ...args], { cwd: this.root, encoding: "utf8", env: ENV });
  }

  /** Commits all there is. */
  commit(message: string): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message", message);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  /** Replaces a text that a file must have. */
  replace(path: string, before: string, after: string): void {
    const text = this.read(path);
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    this.write(path, text.replace(before, after));
  }

  /** What `git status` knows of that is not committed. */
  changed(): string[] {
    const lines = this.git("status", "--porcelain", "--untracked-files=all").split("\n");
    return lines.filter((line) => line !== "").map((line) => line.slice(3));
  }

  /** Runs `agent-surface` in a folder of the repository, in this process: that loads Vite once, and not each time. */
  async run(args: readonly string[], folder = ""): Promise<Run> {
    const written = { stdout: "", stderr: "" };
    const output = (name: keyof typeof written) => ({
      write: (text: string) => {
        written[name] += text;
      },
    });
    const io = { cwd: join(this.root, folder), env: {}, stdout: output("stdout"), stderr: output("stderr") };
    return { code: await run(args, io), ...written };
  }

  /** Runs `agent-surface` in a process of its own, as it is installed; no terminal is there. */
  spawn(args: readonly string[], env: NodeJS.ProcessEnv = {}): Run {
    const bin = workspace("npm/cli/bin/agent-surface.js");
    const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
      cwd: this.root,
      encoding: "utf8",
      env: { ...ENV, ...env },
    });
    return { code: status ?? -1, stdout, stderr };
  }
}
