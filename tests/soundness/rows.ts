import { createHash } from "node:crypto";
import type { CapabilityContractEntry } from "@agent-surface/core";

/** Any JSON object. */
export type Members = Record<string, unknown>;

/** A call of a macro, as load.mjs tells it. */
export interface Call {
  called: string;
  definition: Members;
  later: Members;
  proof: Proof | null;
}

/** What a macro gets beside the definition. */
export interface Proof {
  manifestHash: string;
  declarationId: string;
  contracts: Record<string, string>;
}

/** A row of the manifest without what only a build knows. */
export type Row = Omit<CapabilityContractEntry, "contractHash" | "declarationId" | "origin" | "targets">;

/**
 * The rows that a definition makes: derived here once more, from the rules of the format and not from the
 * compiler's code.
 */
export function rowsOf({ called, definition }: Call): Row[] {
  if (called !== "defineAgentComponentContract") {
    const kind = called === "defineAgentProcedureContract" ? "procedure" : "external";
    return [row(kind, String(definition["id"]), definition, {})];
  }
  const groups = [
    ["observations", "observation"],
    ["actions", "action"],
  ] as const;
  return groups.flatMap(([group, kind]) =>
    Object.entries((definition[group] ?? {}) as Record<string, Members>).map(([name, capability]) =>
      row(kind, `view:${String(definition["type"])}.${name}`, capability, definition),
    ),
  );
}

function row(kind: string, capabilityId: string, own: Members, component: Members): Row {
  const row = {
    kind,
    capabilityId,
    description: own["description"],
    effect: own["effect"] ?? "read",
    inputSchema: own["input"],
    outputSchema: own["output"],
    confirmation: own["confirmation"],
    policies: inherited(component["policies"], own["policies"]),
    tags: inherited(component["tags"], own["tags"]),
  };
  return JSON.parse(JSON.stringify(row)) as Row;
}

/** A component's list and a capability's as one: each item once, in the order of their canonical JSON. */
function inherited(component: unknown, own: unknown): unknown {
  if (component === undefined) return own;
  const items = [component, own].flatMap((list) => (list ?? []) as unknown[]);
  const texts = [...new Set(items.map(canonical))];
  return texts.toSorted().map((text) => JSON.parse(text) as unknown);
}

/** The hash that a row of the manifest must state: of all its fields but two. */
export function hashOf(entry: CapabilityContractEntry): string {
  const hashed: Partial<CapabilityContractEntry> = { ...entry };
  delete hashed.contractHash;
  delete hashed.targets;
  return createHash("sha256")
    .update(`${canonical(hashed)}\n`)
    .digest("hex");
}

/** Canonical JSON (RFC 8785): members in the order of their UTF-16 code units, which is how JavaScript sorts texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
