import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { refuseNode } from "./node.js";

it("a Node.js that is too old is refused in one line, by the number that package.json states", () => {
  for (const version of ["18.20.4", "20.9.0", "20.18.3", "0.12.0"]) {
    expect(refuseNode(version)).toBe(`Node.js 20.19 or newer is needed, and this is ${version}`);
  }
  for (const version of ["20.19.0", "22.0.0", "24.1.0-nightly"]) expect(refuseNode(version)).toBeUndefined();
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    engines: { node: string };
  };
  expect(engines.node).toBe(">=20.19.0");
});
