import { readFileSync } from "node:fs";
import { createCapabilityAuthority, type CapabilityContractManifest } from "@agent-surface/core";
import { expect, it } from "vitest";

/** A manifest full of numbers, hashed by the same crates running natively: see that folder's `numbers.rs`. */
const snapshot = new URL("../../../crates/wasm-binding/tests/snapshots/numbers.snap", import.meta.url);

it("numbers print the same through the engine as natively, or the hash would differ", () => {
  const [, , manifest = ""] = readFileSync(snapshot, "utf8").split("---\n");
  const authority = createCapabilityAuthority(JSON.parse(manifest) as CapabilityContractManifest);
  expect(authority.manifest.capabilities[0]?.outputSchema?.["enum"]).toSatisfy(
    (numbers: number[]) => numbers.length > 1000,
  );
});
