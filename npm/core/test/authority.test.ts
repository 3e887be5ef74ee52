import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AgentSurfaceDefinitionError,
  assertCapabilityAuthority,
  createCapabilityAuthority,
  type CapabilityAuthority,
  type CapabilityContractManifest,
} from "@agent-surface/core";
import { describe, expect, it } from "vitest";
import { assemble, contracts, seal, sealManifest } from "./manifest.js";

const manifest = assemble([seal(contracts.value), seal(contracts.increment), seal(contracts.report)]);

/** The error of an attempt to make an authority. */
function refusal(candidate: unknown): AgentSurfaceDefinitionError {
  try {
    createCapabilityAuthority(candidate as CapabilityContractManifest);
  } catch (error) {
    if (error instanceof AgentSurfaceDefinitionError) return error;
    throw error;
  }
  throw new Error("the manifest was accepted");
}

describe("an authority", () => {
  it("has the manifest that was verified", () => {
    const authority = createCapabilityAuthority(manifest);
    expect(authority.manifest).toEqual(manifest);
    expect(() => assertCapabilityAuthority(authority)).not.toThrow();
  });

  it("is made of an app without capabilities, too", () => {
    expect(createCapabilityAuthority(assemble([])).manifest.capabilities).toEqual([]);
  });

  it("shares nothing with the object it was made of, and is frozen through and through", () => {
    const { manifest: verified } = createCapabilityAuthority(manifest);
    expect(verified).not.toBe(manifest);
    const frozen = (value: unknown): boolean =>
      typeof value !== "object" ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(verified)).toBe(true);
  });

  it("cannot be imitated", () => {
    const genuine = createCapabilityAuthority(manifest);
    for (const fake of [{ manifest }, { ...genuine }, Object.create(genuine), new Proxy(genuine, {}), null]) {
      expect(() => assertCapabilityAuthority(fake as CapabilityAuthority)).toThrow(
        "invalid capability authority",
      );
    }
  });

  it.skipIf(!process.env["AGENT_SURFACE_TEST_DATA"])(
    "is made of a contract file of the reference compiler",
    () => {
      const file = join(process.env["AGENT_SURFACE_TEST_DATA"] ?? "", "reference-contract-v5.json");
      const reference = JSON.parse(readFileSync(file, "utf8")) as CapabilityContractManifest;
      expect(createCapabilityAuthority(reference).manifest.hash).toBe(reference.hash);
    },
  );
});

describe("a manifest is refused", () => {
  const { hash: _, ...payload } = manifest;
  const [value, increment, report] = manifest.capabilities;

  it("if a contract was changed, by its own hash", () => {
    const error = refusal(sealManifest({ ...payload, capabilities: [{ ...value, description: "Changed" }] }));
    expect(error.code).toBe("INVALID_DEFINITION");
    expect(error.message).toContain('"view:demo.counter.value" of src/counter.ts#counter has been changed');
  });

  it("if a schema deep in a contract was changed", () => {
    const wider = { ...increment, inputSchema: { ...increment?.inputSchema, required: [] } };
    expect(refusal(sealManifest({ ...payload, capabilities: [wider] })).message).toContain(
      "has been changed",
    );
  });

  it("if an entry was added, left out or moved, by the manifest's hash", () => {
    const extra = seal({ ...contracts.disable });
    for (const capabilities of [[value, increment, report, extra], [value], [increment, value, report]]) {
      const error = refusal({ ...manifest, capabilities });
      expect(error.code).toBe("INVALID_DEFINITION");
      expect(error.message).toContain("The contract has been changed since it was compiled");
    }
  });

  it("if a target was added to an entry, which only the manifest's hash covers", () => {
    const elsewhere = [{ ...value, targets: ["web-production", "admin"] }, increment, report];
    expect(refusal({ ...manifest, capabilities: elsewhere }).message).toContain(
      "The contract has been changed",
    );
  });

  it("if a declaration of a capability occurs twice", () => {
    const error = refusal(sealManifest({ ...payload, capabilities: [value, value] }));
    expect(error.code).toBe("DUPLICATE_CAPABILITY");
    expect(error.message).toContain("stands twice");
  });

  it("if it is of another format", () => {
    expect(refusal(sealManifest({ ...payload, formatVersion: 6 })).message).toContain("format version 6");
  });

  it("if it was not proven whole", () => {
    expect(refusal(sealManifest({ ...payload, completeness: { status: "partial" } })).message).toContain(
      '"partial"',
    );
  });

  it("if a member is missing, of another type, or unknown to the format", () => {
    const { targets: _targets, ...without } = payload;
    expect(refusal(sealManifest(without)).message).toContain("/targets is missing");
    expect(refusal({ ...manifest, hash: 5 }).message).toContain("/hash must be");
    expect(refusal({ ...manifest, hash: "tampered" }).message).toContain("/hash must be");
    expect(refusal(sealManifest({ ...payload, extra: true })).message).toContain("/extra is not a member");
  });

  it("if it is no manifest at all", () => {
    for (const nothing of [undefined, null, {}, [], 5, "manifest", () => manifest]) {
      expect(refusal(nothing).code).toBe("INVALID_DEFINITION");
    }
  });

  it("if it cannot be written down", () => {
    const circle: Record<string, unknown> = { ...manifest };
    circle["capabilities"] = [circle];
    expect(refusal(circle).message).toContain("cannot be written as JSON");
    expect(refusal({ ...manifest, extra: 1n }).message).toContain("cannot be written as JSON");
  });

  it("if it has half a surrogate pair, which no two encoders hash alike", () => {
    const broken = sealManifest({
      ...payload,
      capabilities: [seal({ ...contracts.value, description: "\ud800" })],
    });
    expect(refusal(broken).message).toContain("surrogate");
  });
});

describe("what is verified is what is used", () => {
  it("even if a property changes each time it is read", () => {
    let reads = 0;
    const shifty = {
      ...manifest,
      get capabilities() {
        reads += 1;
        return reads === 1 ? manifest.capabilities : [];
      },
    };
    expect(createCapabilityAuthority(shifty).manifest).toEqual(manifest);
    expect(reads).toBe(1);
  });

  it("even if toJSON tells something else than the properties do", () => {
    const split = { ...assemble([]), toJSON: () => manifest };
    expect(createCapabilityAuthority(split).manifest).toEqual(manifest);
  });

  it("even if a member is called __proto__", () => {
    const text = JSON.stringify(manifest).replace("{", '{"__proto__":{"hash":"x"},');
    expect(refusal(JSON.parse(text)).message).toContain("/__proto__ is not a member");
  });
});
