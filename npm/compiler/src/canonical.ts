import { createHash } from "node:crypto";
import type { CapabilityContractManifest } from "@agent-surface/core";
import { native } from "./native.js";

/** A contract whose hash may still have to be computed. */
type Unsealed = Omit<CapabilityContractManifest, "hash"> | CapabilityContractManifest;

/**
 * The one spelling of a JSON value (RFC 8785) and a final newline; `pretty` keeps the order and indents by two.
 * Members that are `undefined` are left out, as `JSON.stringify` does.
 * @throws TypeError for what JSON cannot carry: `undefined` itself, a function, a lone surrogate.
 */
export function canonicalJson(value: unknown, pretty = false): string {
  return `${native().canonicalJson(jsonText(value), pretty)}\n`;
}

/** Lower-case hex SHA-256 of bytes, or of a string's UTF-8. */
export function sha256(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex");
}

/** What a contract's hash is computed over: everything but the hash. */
export function manifestPayload(manifest: Unsealed): Omit<CapabilityContractManifest, "hash"> {
  const { hash: _, ...payload } = manifest as CapabilityContractManifest;
  return payload;
}

/** The hash that this contract must carry. */
export function computeManifestHash(manifest: Unsealed): string {
  return sha256(canonicalJson(manifestPayload(manifest)));
}

/** A contract as it is kept in a file: canonical order, indented by two, final newline. */
export function canonicalManifestJson(manifest: CapabilityContractManifest): string {
  return canonicalJson(manifest, true);
}

/**
 * Checks a contract the way the running app's authority does: format, completeness, every capability's hash
 * and the contract's own.
 * @throws Error naming the first thing that does not hold.
 */
export function verifyManifest(manifest: CapabilityContractManifest): void {
  const reason = native().verifyManifest(jsonText(manifest));
  if (reason !== null) throw new Error(reason);
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value) as string | undefined;
  if (text === undefined) throw new TypeError(`${typeof value} has no JSON form`);
  return text;
}
