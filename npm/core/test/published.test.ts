/** What is published, and what is not. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as root from "@agent-surface/core";
import {
  action,
  defineAgentComponent,
  defineAgentComponentContract,
  emptyObjectSchema,
  observation,
  fromJsonSchema,
  type AgentComponentDefinition,
} from "@agent-surface/core";
import * as explain from "@agent-surface/core/explain";
import { open, screen } from "./support/surface.js";

const folder = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown> & {
  exports: Record<string, { types: string; default: string }>;
};

/** What each export that can make, expose or use a capability takes an authority from, and the test that holds that. */
const GUARDED = {
  assertCapabilityAuthority: "AS-AUTHORITY-001",
  assertDefinitionAuthorized: "AS-CONTRACT-001",
  createAgentExposureGateway: "AS-EXPOSURE-001",
  createAgentSurfaceRegistry: "AS-AUTHORITY-001",
  createAgentToolset: "AS-AUTHORITY-004",
  createCapabilityAuthority: "AS-AUTHORITY-003",
  explainSurface: "AS-EXPLAIN-004",
};

/** The others: what they make is inert until a compiler has proven it, or has nothing to do with capabilities. */
const INERT = [
  "AGENT_CAPABILITY_ERROR_CODES",
  "AgentSchemaError",
  "AgentSurfaceDefinitionError",
  "AgentSurfaceError",
  "CAPABILITY_CONTRACT_FORMAT_VERSION",
  "CONFIRMATION_ESCALATION",
  "DEFAULT_LIMITS",
  "action",
  "actionContract",
  "audit",
  "authenticated",
  "authorizeAgentProcedureBinding",
  "consoleAuditSink",
  "decodeWireName",
  "defineAgentComponent",
  "defineAgentComponentContract",
  "defineAgentProcedureContract",
  "defineExternalAgentToolContract",
  "deriveAgentComponentBinding",
  "emptyObjectSchema",
  "encodeWireName",
  "environment",
  "fromJsonSchema",
  "fromStandardSchema",
  "hasPermission",
  "isAgentSurfaceError",
  "jsonDeepEqual",
  "memoryAuditSink",
  "observation",
  "observationContract",
  "rateLimit",
  "requireConfirmation",
  "tenantBoundary",
];

describe("the package", () => {
  it("AS-CLOSURE-001 AS-CLOSURE-002 AS-CLOSURE-003 exports what is known to be guarded or inert, and nothing else", () => {
    const exported = [...Object.keys(root), ...Object.keys(explain)].toSorted();
    expect(exported).toEqual([...Object.keys(GUARDED), ...INERT].toSorted());
    for (const { types } of Object.values(manifest.exports)) {
      expect(() => readFileSync(join(folder, types))).not.toThrow();
    }
  });

  it("AS-CLOSURE-004 gets nothing executed by what it exports as inert", () => {
    const value = observation({
      description: "Value",
      output: fromJsonSchema<number>({ type: "number" }),
      read: () => 1,
    });
    const run = action({
      description: "Run",
      input: emptyObjectSchema,
      effect: "local-state",
      execute: () => undefined,
    });
    const contract = defineAgentComponentContract({ type: "screen", description: "A screen" });
    const raw: AgentComponentDefinition[] = [
      defineAgentComponent({
        type: "screen",
        description: "A screen",
        observations: { value },
        actions: { run },
      }),
      contract.bind({}),
      root.deriveAgentComponentBinding(contract.bind({}), screen()),
      root.authorizeAgentProcedureBinding(
        root.defineAgentProcedureContract({
          id: "domain:a",
          description: "A",
          input: emptyObjectSchema,
          effect: "server-query",
        }),
        screen(),
      ),
    ];
    const registry = open([screen()]);
    for (const definition of raw) {
      expect(() => registry.register(definition)).toThrow("was not bound from a compiled contract");
    }
  });

  it("AS-ARTIFACT-001 has the entries that it names, and no other way in", () => {
    expect(Object.keys(manifest.exports)).toEqual([".", "./explain", "./reduce", "./js-kernel"]);
    for (const field of ["main", "module", "types", "typings", "browser"])
      expect(manifest).not.toHaveProperty(field);
  });

  it("AS-ARTIFACT-002 has no way to go without an authority, be it for tests", () => {
    const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(js|d\.ts)$/.test(file),
    );
    expect(files.length).toBeGreaterThan(20);
    for (const file of files) {
      if (file.includes("generated")) continue;
      expect(readFileSync(join(folder, "dist", file), "utf8")).not.toMatch(
        /unsafeAuthority|testMode|skipAuthority/i,
      );
    }
  });

  it("AS-ARTIFACT-003 keeps proofs and surfaces to itself", () => {
    const exported = new Set([...Object.keys(root), ...Object.keys(explain)]);
    for (const name of [
      "proofs",
      "readProof",
      "keyOf",
      "surfaceOf",
      "connect",
      "kernel",
      "Surface",
      "useForm",
    ]) {
      expect(exported.has(name)).toBe(false);
    }
  });
});
