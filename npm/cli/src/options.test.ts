import { describe, expect, it } from "vitest";
import { UsageFailure } from "./failure.js";
import { readOptions } from "./options.js";

function options(...argv: string[]) {
  const asked = readOptions(argv);
  if (asked.kind !== "command") throw new Error(`asked for ${asked.kind}`);
  return asked.options;
}

describe("a command line", () => {
  it("of one word takes the app in the current folder and fails a check for any drift", () => {
    expect(options("check")).toEqual({
      command: "check",
      root: ".",
      targets: [],
      allow: [],
      snapshot: ".agent-surface/contract.json",
      policy: "all",
      format: "human",
      verbosity: "normal",
      plain: false,
      workspace: false,
    });
  });

  it("takes an option before and after the command, and where a package manager put `--`", () => {
    const expected = options("inspect", "--root", "app", "--detail");
    expect(options("--root", "app", "inspect", "--detail")).toEqual(expected);
    expect(options("inspect", "--", "--root", "app", "--detail")).toEqual(expected);
    expect(expected).toMatchObject({ root: "app", verbosity: "detail" });
  });

  it("repeats targets and allowed packages", () => {
    const digest = "a".repeat(64);
    const { targets, allow } = options(
      "check",
      "--target=web",
      "--target=ios",
      "--allow",
      `@vendor/x=${digest}`,
    );
    expect(targets).toEqual(["web", "ios"]);
    expect(allow).toEqual([{ package: "@vendor/x", digest }]);
  });

  it("has short words for the long ones", () => {
    expect(options("check", "--json").format).toBe("json");
    expect(options("check", "--format", "markdown").format).toBe("md");
    expect(options("snapshot", "--output", "x.json").snapshot).toBe("x.json");
  });

  it("asks for help or the version whatever else is in it", () => {
    expect(readOptions(["check", "-h"])).toEqual({ kind: "help" });
    expect(readOptions(["-v"])).toEqual({ kind: "version" });
  });

  it.each([
    [[], /a command is missing: inspect, snapshot, check or explain/],
    [["init"], /there is no command `init`/],
    [["check", "extra"], /`extra` is one argument too many/],
    [["explain"], /`explain` needs a capability/],
    [["check", "--format", "xml"], /--format takes human, json, md, github or sarif, not `xml`/],
    [["check", "--policy", "changed"], /--policy takes/],
    [["inspect", "--verbosity", "loud"], /--verbosity takes/],
    [["inspect", "--policy", "all"], /`inspect` has no option --policy; it is one of check/],
    [["snapshot", "--base", "main"], /`snapshot` has no option --base/],
    [["check", "--allow", "@vendor/x"], /--allow takes <package>=<sha256>/],
    [["check", "--allow", `x=${"A".repeat(64)}`], /lower-case/],
    [["check", "--allow", `=${"a".repeat(64)}`], /--allow takes/],
    [["check", "--workspace", "--config", "x.ts"], /does not go with --config/],
    [["check", "--unknown"], /Unknown option/],
    [["check", "--root"], /--root/],
  ])("%j makes no sense and says why", (argv, says) => {
    expect(() => readOptions(argv)).toThrow(UsageFailure);
    expect(() => readOptions(argv)).toThrow(says);
  });
});
