import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recorded, workspace } from "../fixtures/apps.js";
import { Repository } from "./repository.js";

/** A monorepo with two apps, and a Vite project that has no contract to declare. */
function monorepo(): Repository {
  const repository = new Repository({ "apps/counter": "counter", "apps/console": "devices" });
  repository.write("tools/docs/vite.config.ts", "export default {};\n");
  repository.commit("Add docs");
  return repository;
}

describe("a workspace", () => {
  it("is every app that has the plugin, in one table", async () => {
    const repository = monorepo();
    expect((await repository.run(["snapshot", "--workspace"])).code).toBe(0);
    expect(repository.changed()).toEqual([
      "apps/console/.agent-surface/contract.json",
      "apps/counter/.agent-surface/contract.json",
    ]);
    repository.commit("Commit the contracts");
    const { code, stdout } = await repository.run(["check", "--workspace", "--base", "main"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^apps\/console +12 +current +0 +0 +pass$/m);
    expect(stdout).toMatch(/^apps\/counter +2 +current +0 +0 +pass$/m);
    expect(stdout).toContain("2 apps · 14 capabilities");
  });

  it("fails where one app does, and goes on where one cannot be read", async () => {
    const repository = monorepo();
    await repository.run(["snapshot", "--workspace"]);
    repository.replace(
      "apps/console/src/agent/contracts.ts",
      'confirmation: "required"',
      'confirmation: "optional"',
    );
    const stale = await repository.run(["check", "--workspace", "--format", "github"]);
    expect(stale.code).toBe(1);
    expect(stale.stdout).toContain("::warning file=apps/console/src/agent/contracts.ts,line=");

    repository.write("apps/counter/vite.config.ts", 'throw new Error("no");\n');
    const broken = await repository.run(["check", "--workspace", "--json"]);
    expect(broken.code).toBe(2);
    const { apps } = JSON.parse(broken.stdout) as {
      apps: { path: string; error?: string; report?: object }[];
    };
    expect(apps.map(({ path }) => path)).toEqual(["apps/console", "apps/counter"]);
    expect(apps[0]?.report).toBeDefined();
    expect(apps[1]?.error).toMatch(/cannot be loaded: .*no/);
  });

  it("has each app built by the Vite that the app has", async () => {
    const repository = new Repository({ "apps/new": "counter", "apps/old": "counter" });
    mkdirSync(join(repository.root, "apps/old/node_modules"));
    symlinkSync(workspace("node_modules/vite7"), join(repository.root, "apps/old/node_modules/vite"), "dir");
    for (const [app, major] of [
      ["new", 8],
      ["old", 7],
    ] as const) {
      const refusing = `{ name: "refusing", buildStart() {
        if (!this.meta.viteVersion.startsWith("${major}.")) throw new Error("built by " + this.meta.viteVersion);
      } }`;
      repository.replace(`apps/${app}/vite.config.ts`, "agentSurface()", `agentSurface(), ${refusing}`);
    }
    const { code, stdout, stderr } = await repository.run(["snapshot", "--workspace"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("2 apps · 4 capabilities");
    expect(repository.read("apps/old/.agent-surface/contract.json")).toBe(recorded("counter_contract"));
  });

  it("without an app is a mistake", async () => {
    const repository = monorepo();
    const { code, stderr } = await repository.run(["check", "--workspace", "--root", "tools"]);
    expect(code).toBe(2);
    expect(stderr).toContain("no app below tools has agentSurface()");
  });
});

/** The `turbo.json` that the documentation tells people to write. */
function documentedTurbo(): string {
  const [, json] = /^```json\n([^]*?)^```$/m.exec(readFileSync(workspace("docs/cli.md"), "utf8")) ?? [];
  if (json === undefined || !json.includes('"surface"')) throw new Error("docs/cli.md has no turbo.json");
  return json;
}

it("Turborepo runs the check once and repeats its output from its cache", async () => {
  const repository = new Repository({ "apps/counter": "counter", "apps/console": "devices" });
  const npm = { name: "monorepo", private: true, packageManager: "npm@11.0.0", workspaces: ["apps/*"] };
  repository.write("package.json", JSON.stringify(npm));
  repository.write("turbo.json", documentedTurbo());
  repository.write(".gitignore", ".turbo\n");
  for (const app of ["counter", "console"]) {
    const path = `apps/${app}/package.json`;
    const manifest = JSON.parse(repository.read(path)) as { scripts: Record<string, string> };
    manifest.scripts["surface"] = "agent-surface check";
    repository.write(path, JSON.stringify(manifest));
  }
  await repository.run(["snapshot", "--workspace"]);
  repository.commit("Commit the contracts");

  const [first, second] = [turbo(repository), turbo(repository)];
  expect(first).toMatch(/Cached: +0 cached, 2 total/);
  expect(first).toContain("CHECK · PASS");
  expect(second).toMatch(/Cached: +2 cached, 2 total/);
  expect(reportsIn(second)).toEqual(reportsIn(first));

  repository.replace("apps/counter/src/counter.ts", "Add one", "Add two");
  const { status, stdout } = runTurbo(repository);
  expect(status).not.toBe(0);
  expect(stdout).toContain("CHECK · FAIL");
});

function runTurbo(repository: Repository): { status: number | null; stdout: string; stderr: string } {
  const bin = workspace("node_modules/turbo/bin/turbo");
  return spawnSync(process.execPath, [bin, "run", "surface", "--output-logs=full"], {
    cwd: repository.root,
    encoding: "utf8",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", DO_NOT_TRACK: "1" },
  });
}

function turbo(repository: Repository): string {
  const { status, stdout, stderr } = runTurbo(repository);
  if (status !== 0) throw new Error(`turbo ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** What the tasks printed, by task; how they take turns is Turborepo's affair. */
function reportsIn(log: string): Record<string, string[]> {
  const reports: Record<string, string[]> = {};
  for (const line of log.split("\n")) {
    const [, task, text] = /^(\S+:surface): (.*)$/.exec(line) ?? [];
    if (task !== undefined && text !== undefined && !text.startsWith("cache "))
      (reports[task] ??= []).push(text);
  }
  return reports;
}
