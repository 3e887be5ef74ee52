import { expect, it } from "vitest";
import { addonName, load, native } from "./native.js";
import { COMPILER_VERSION } from "./version.js";

it("an addon is named after its platform, and on Linux after its C library", () => {
  expect(addonName("linux", "x64", false)).toBe("agent-surface.linux-x64-gnu.node");
  expect(addonName("linux", "arm64", true)).toBe("agent-surface.linux-arm64-musl.node");
  expect(addonName("darwin", "arm64", false)).toBe("agent-surface.darwin-arm64.node");
  expect(addonName("win32", "x64", false)).toBe("agent-surface.win32-x64.node");
});

it("a missing addon is named, with the platform and the command that makes it", () => {
  expect(() => load("agent-surface.plan9-mips.node")).toThrow(
    new RegExp(
      `${process.platform} ${process.arch}.*agent-surface\\.plan9-mips\\.node.*` +
        `those for .*${process.platform}-${process.arch}.*cargo xtask build`,
    ),
  );
});

it("what is no addon is an error that says what could not be loaded", () => {
  expect(() => load("../README.md")).toThrow(/native addon .* cannot be loaded/);
});

it("the version that is exported is the one that stands in contracts", () => {
  expect(native().compilerVersion()).toBe(COMPILER_VERSION);
});

it("bad input is an error that says what is wrong", () => {
  const session = new (native().Session)({
    root: "/app",
    realRoot: "/app",
    target: "web-production",
    sourceMaps: false,
    approvals: [],
    allowRawTools: false,
    defines: [],
  });
  expect(() => session.transform("/app/a.ts", "const a = '\ud800';")).toThrow(
    /a\.ts has a lone surrogate at offset 11/,
  );
  expect(() => session.transform("/app/a.ts", 1 as unknown as string)).toThrow(
    /source of \/app\/a\.ts is not a string/,
  );
  expect(() => session.answer([{ kind: "nothing" } as never])).toThrow(/nothing/);
});
