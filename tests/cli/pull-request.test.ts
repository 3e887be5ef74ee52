import { describe, expect, it } from "vitest";
import { recorded } from "../fixtures/apps.js";
import { Repository, type Run } from "./repository.js";

const SNAPSHOT = ".agent-surface/contract.json";

/** The part of a JSON report that these tests look at. */
interface Report {
  status: string;
  integrity: { status: string; changes: Change[] };
  pullRequest: { baseStatus: string; changes: Change[]; selected: number };
}

interface Change {
  capabilityId: string;
  kind: string;
  field: string;
  classification: string;
  location?: { file: string; line: number };
  differences?: { pointer: string }[];
}

function reportOf({ stdout }: Run): Report {
  return JSON.parse(stdout) as Report;
}

function rows(changes: readonly Change[]): string[] {
  return changes.map(({ classification, kind, capabilityId, field }) =>
    [classification, kind, capabilityId, field].join(" "),
  );
}

/** The devices app with a committed snapshot on `main`, and a branch for a pull request. */
async function openPullRequest(): Promise<Repository> {
  const repository = new Repository({ "": "devices" });
  expect((await repository.run(["snapshot"])).code).toBe(0);
  repository.commit("Commit the contract");
  repository.git("checkout", "--quiet", "-b", "change");
  return repository;
}

/** Asks less of who disables devices, and takes more of them. */
function widen(repository: Repository): void {
  repository.replace("src/agent/contracts.ts", 'confirmation: "required"', 'confirmation: "optional"');
  repository.replace("src/agent/schemas.ts", "maxItems: 50", "maxItems: 10_000");
}

const WIDENED = [
  "widening changed domain:devices.disable confirmation",
  "widening changed domain:devices.disable inputSchema",
  "widening changed view:devices.table.selectRows inputSchema",
];

describe("a pull request that widens a contract", () => {
  it("fails its check, first for the stale snapshot, then for the drift alone, and passes where the policy allows", async () => {
    const repository = await openPullRequest();
    expect(repository.read(SNAPSHOT)).toBe(recorded("devices_contract"));
    const untouched = await repository.run(["check", "--base", "main"]);
    expect(untouched).toMatchObject({ code: 0 });
    expect(untouched.stdout).toContain("CHECK · PASS");

    widen(repository);
    const stale = await repository.run(["check", "--base", "main", "--format", "json"]);
    expect(stale.code).toBe(1);
    expect(reportOf(stale)).toMatchObject({ status: "fail", integrity: { status: "stale" } });
    expect(rows(reportOf(stale).integrity.changes)).toEqual(WIDENED);
    // What is committed has not drifted yet.
    expect(reportOf(stale).pullRequest.changes).toEqual([]);
    expect(repository.changed()).toEqual(["src/agent/contracts.ts", "src/agent/schemas.ts"]);

    const human = await repository.run(["check"]);
    expect(human.stdout).toContain("~ widening  domain:devices.disable");
    expect(human.stdout).toContain("confirmation: required → optional");
    expect(human.stderr).toContain("agent-surface snapshot");

    expect((await repository.run(["snapshot"])).code).toBe(0);
    repository.commit("Widen");
    expect((await repository.run(["check"])).code).toBe(0);
    const drifted = await repository.run(["check", "--base", "main", "--format", "json"]);
    expect(drifted.code).toBe(1);
    expect(reportOf(drifted)).toMatchObject({ integrity: { status: "current", changes: [] } });
    expect(rows(reportOf(drifted).pullRequest.changes)).toEqual(WIDENED);

    expect((await repository.run(["check", "--base", "main", "--policy", "narrowing"])).code).toBe(0);
    expect((await repository.run(["check", "--base", "main", "--policy", "none"])).code).toBe(0);
    expect((await repository.run(["check", "--base", "main", "--policy", "widening"])).code).toBe(1);
  });

  it("shows the same rows in every format, on the line that declares them", async () => {
    const repository = await openPullRequest();
    widen(repository);
    await repository.run(["snapshot"]);
    repository.commit("Widen");
    const check = (format: string) => repository.run(["check", "--base", "main", "--format", format]);

    const json = reportOf(await check("json"));
    const disable = json.pullRequest.changes.find(({ field }) => field === "confirmation");
    const line = disable?.location?.line ?? 0;
    const declared = repository.read("src/agent/contracts.ts").split("\n")[line - 1];
    expect(disable?.location?.file).toBe("src/agent/contracts.ts");
    expect(declared).toContain("disableDevicesContract");

    const { code, stdout: github } = await check("github");
    expect(code).toBe(1);
    expect(github).toContain(`::error file=src/agent/contracts.ts,line=${line},col=`);
    expect(github.match(/^::error /gm)).toHaveLength(3);

    const { stdout: md } = await check("md");
    expect(md).toContain("| **widening** | `domain:devices.disable`");
    expect(md).toContain("`confirmation: required → optional`");
    expect((await check("markdown")).stdout).toBe(md);

    const sarif = JSON.parse((await check("sarif")).stdout) as {
      runs: { results: { ruleId: string; level: string; locations: object[] }[] }[];
    };
    const results = sarif.runs[0]?.results ?? [];
    expect(results.map(({ ruleId, level }) => `${ruleId} ${level}`)).toEqual(
      WIDENED.map(() => "widening error"),
    );
    expect(results[0]?.locations[0]).toMatchObject({
      physicalLocation: { artifactLocation: { uri: "src/agent/contracts.ts" }, region: { startLine: line } },
    });
    expect((await check("human")).stdout).toContain(
      "SNAPSHOT ↔ main (3) · widening 3 · narrowing 0 · neutral 0",
    );
  });

  it("has the same report at another path and in another language, without colour", async () => {
    const [here, there] = [await openPullRequest(), await openPullRequest()];
    for (const repository of [here, there]) widen(repository);
    for (const format of ["json", "github"]) {
      const args = ["check", "--base", "main", "--format", format];
      const elsewhere = there.spawn(args, { LC_ALL: "da_DK.UTF-8", FORCE_COLOR: "1" });
      // oxlint-disable-next-line no-await-in-loop
      expect(await here.run(args)).toEqual(elsewhere);
      expect(elsewhere.stdout).not.toContain("\u001b");
    }
  });
});

describe("the first pull request with a snapshot", () => {
  it("has every capability as new, and passes where the policy lets widenings pass", async () => {
    const repository = new Repository({ "": "devices" });
    repository.git("checkout", "--quiet", "-b", "change");
    await repository.run(["snapshot"]);
    repository.commit("Commit the contract");
    const check = (...args: string[]) => repository.run(["check", "--base", "main", ...args]);
    const first = await check("--format", "json");
    expect(first).toMatchObject({ code: 1, stderr: "" });
    const { integrity, pullRequest } = reportOf(first);
    expect(integrity).toEqual({ status: "current", changes: [] });
    expect(pullRequest).toMatchObject({ baseStatus: "missing", selected: 12 });
    const kinds = pullRequest.changes.map(({ classification, kind }) => `${classification} ${kind}`);
    expect(kinds).toEqual(Array.from({ length: 12 }, () => "widening added"));
    expect((await check()).stdout).toContain("SNAPSHOT ↔ main · no snapshot there (12) · widening 12");
    expect((await check("--policy", "narrowing")).code).toBe(0);
    // On the branch itself there is one.
    expect((await repository.run(["check", "--base", "change"])).code).toBe(0);
  });

  it("fails where the snapshot is not there either, as where its path has a typing error", async () => {
    const repository = await openPullRequest();
    const { code, stdout } = await repository.run([
      "check",
      "--base",
      "main",
      "--policy",
      "none",
      "--snapshot",
      ".agent-surface/contracts.json",
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Integrity +missing$/m);
    expect(stdout).toContain("SOURCE ↔ main · no snapshot there (12)");
  });
});

it("a contract that moves to another file is one moved row", async () => {
  const repository = await openPullRequest();
  const text = repository.read("src/agent/contracts.ts");
  repository.write("src/agent/contract-files.ts", text);
  repository.write("src/agent/contracts.ts", 'export * from "./contract-files";\n');
  const { changes } = reportOf(await repository.run(["check", "--format", "json"])).integrity;
  expect(changes).toHaveLength(12);
  expect(new Set(changes.map(({ classification, kind }) => `${classification} ${kind}`))).toEqual(
    new Set(["neutral moved"]),
  );
});

it("targets are compiled one by one and reviewed as one contract", async () => {
  const repository = await openPullRequest();
  const { stdout } = await repository.run(["inspect", "--target", "web", "--target", "desktop", "--json"]);
  const { manifest } = JSON.parse(stdout) as { manifest: { targets: string[]; capabilities: object[] } };
  expect(manifest.targets).toEqual(["desktop", "web"]);
  expect(manifest.capabilities).toHaveLength(12);
});

it("an app in a folder of the repository is compared with its own snapshot", async () => {
  const repository = new Repository({ "apps/console": "devices" });
  await repository.run(["snapshot", "--root", "apps/console"]);
  repository.commit("Commit the contract");
  repository.replace(
    "apps/console/src/agent/contracts.ts",
    'confirmation: "required"',
    'confirmation: "optional"',
  );
  const { stdout } = await repository.run(
    ["inspect", "--base", "HEAD", "--format", "github"],
    "apps/console",
  );
  expect(stdout).toContain("::warning file=apps/console/src/agent/contracts.ts,line=");
});

it("a form of the page that is a tool is told of once in every format, and is in no contract", async () => {
  const repository = new Repository({ "apps/counter": "counter" });
  repository.replace("apps/counter/index.html", "<body>", '<body>\n<form toolname="book"></form>');
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await repository.run([...args, "--root", "apps/counter"]);
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    return stdout;
  };
  const row = /^! form-tool index\.html:\d+:7 A form is a tool of the browser/gm;
  for (const command of ["snapshot", "inspect", "check"]) {
    // oxlint-disable-next-line no-await-in-loop
    expect((await run(command)).match(row)).toHaveLength(1);
    // oxlint-disable-next-line no-await-in-loop
    expect(JSON.parse(await run(command, "--json"))).toMatchObject({
      command,
      warnings: [
        {
          code: "agent-surface(form-tool)",
          message: expect.stringContaining("no contract says so"),
          location: { file: "index.html", column: 7 },
        },
      ],
    });
  }
  expect(repository.read("apps/counter/.agent-surface/contract.json")).toBe(recorded("counter_contract"));
  const github = await run("check", "--format", "github");
  expect(github).toMatch(
    /^::warning file=apps\/counter\/index\.html,line=\d+,col=7,title=contract warning%3A form-tool::A form/m,
  );
  expect(github.match(row)).toHaveLength(1);
  const sarif = JSON.parse(await run("check", "--format", "sarif")) as { runs: { results: object[] }[] };
  expect(sarif.runs[0]?.results).toMatchObject([
    {
      ruleId: "form-tool",
      level: "warning",
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "apps/counter/index.html" },
            region: { startColumn: 7 },
          },
        },
      ],
    },
  ]);
  expect(await run("check", "--format", "md")).toMatch(/^\| `form-tool` \| `index\.html:\d+:7` \|/m);
});

it("looking changes nothing", async () => {
  const repository = await openPullRequest();
  widen(repository);
  repository.commit("Widen");
  for (const command of [["inspect", "--base", "main"], ["check"], ["explain", "domain:devices.disable"]]) {
    await repository.run(command);
    expect(repository.changed()).toEqual([]);
  }
});

it("explain tells where a capability comes from and what changed", async () => {
  const repository = await openPullRequest();
  widen(repository);
  const { code, stdout } = await repository.run([
    "explain",
    "view:devices.table.selectRows",
    "--base",
    "main",
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Declared +src\/agent\/contracts\.ts:\d+:\d+/);
  expect(stdout).toMatch(/EVALUATED FROM\n(?: {2}.*\n)*? {2}\w+ +src\/agent\/schemas\.ts:\d+:\d+/);
  expect(stdout).toMatch(/BOUND BY\n {2}useAgentComponent +src\/parts\/DeviceTable\.tsx:\d+:\d+/);
  expect(stdout).toContain("SOURCE ↔ main (1) · widening 1");
  expect(stdout).toContain("maxItems: 50 → 10000");
});
