import {
  createAgentExposureGateway,
  createCapabilityAuthority,
  defineExternalAgentToolContract,
  type CapabilityAuthority,
  type CompiledExternalAgentTool,
} from "@agent-surface/core";
import { describe, expect, it } from "vitest";
import { assemble, contracts, seal } from "./manifest.js";

const entry = seal(contracts.report);
const manifest = assemble([entry, seal(contracts.disable)]);
const gateway = createAgentExposureGateway(createCapabilityAuthority(manifest));

/** What the compiler ships for `contracts.report`, with some of it forged. */
function shipped({ definition = {}, proof = {} }: { definition?: object; proof?: object } = {}) {
  const { capabilityId: id, description, effect, confirmation, inputSchema: input } = contracts.report;
  const macro = defineExternalAgentToolContract as unknown as (
    definition: unknown,
    proof: unknown,
  ) => ReturnType<typeof defineExternalAgentToolContract>;
  return macro(structuredClone({ id, description, effect, confirmation, input, ...definition }), {
    manifestHash: manifest.hash,
    declarationId: entry.declarationId,
    contracts: { [entry.capabilityId]: entry.contractHash },
    ...proof,
  });
}

const execute = (): null => null;

describe("a gateway", () => {
  it("is made of a genuine authority only", () => {
    expect(() => createAgentExposureGateway({ manifest } as CapabilityAuthority)).toThrow(
      "invalid capability authority",
    );
  });

  it("lets a proven tool through, as it is", () => {
    const tool = shipped().bind({ execute });
    expect(gateway.expose([tool])).toEqual([tool]);
    expect(tool).toMatchObject({
      name: "external:reports.export",
      description: "Export the report",
      execute,
    });
    expect(tool.inputSchema).toEqual(contracts.report.inputSchema);
  });

  it("lets through what nobody can change afterwards", () => {
    const tool = shipped().bind({ execute });
    expect(() => (tool.description = "Something else")).toThrow(TypeError);
    expect(() => (tool.inputSchema["type"] = "array")).toThrow(TypeError);
  });

  it("refuses a raw tool, and a copy of a proven one", () => {
    const proven = shipped().bind({ execute });
    const raw = { name: "raw", description: "", inputSchema: {}, execute } as CompiledExternalAgentTool;
    expect(() => gateway.expose([raw])).toThrow('"raw" was not bound from a compiled contract');
    expect(() => gateway.expose([{ ...proven }])).toThrow("was not bound from a compiled contract");
  });

  it("refuses what differs from the manifest", () => {
    const differences: [object, string][] = [
      [{ proof: { manifestHash: "0".repeat(64) } }, "was compiled into manifest"],
      [{ proof: { declarationId: "src/other.ts#report" } }, "src/other.ts#report does not have"],
      [{ definition: { id: "external:reports.delete" } }, "src/report.ts#report does not have"],
      [{ proof: { contracts: {} } }, "src/report.ts#report does not have"],
      [{ proof: { contracts: { [entry.capabilityId]: "0".repeat(64) } } }, "has hash"],
      [{ definition: { description: "Harmless" } }, "The description of"],
      [{ definition: { input: { type: "object" } } }, "The inputSchema of"],
    ];
    for (const [forged, reason] of differences) {
      expect(() => gateway.expose([shipped(forged).bind({ execute })])).toThrow(reason);
    }
  });

  it("refuses a capability that is declared as something else", () => {
    const procedure = seal(contracts.disable);
    const forged = shipped({
      definition: {
        id: procedure.capabilityId,
        description: procedure.description,
        input: procedure.inputSchema,
      },
      proof: {
        declarationId: procedure.declarationId,
        contracts: { [procedure.capabilityId]: procedure.contractHash },
      },
    });
    expect(() => gateway.expose([forged.bind({ execute })])).toThrow("The kind of");
  });
});
