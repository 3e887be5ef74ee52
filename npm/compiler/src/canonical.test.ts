import { expect, it } from "vitest";
import type { CapabilityContractManifest } from "@agent-surface/core";
import {
  canonicalJson,
  canonicalManifestJson,
  computeManifestHash,
  manifestPayload,
  sha256,
  verifyManifest,
} from "./canonical.js";

/** A contract without capabilities, and its hash as recomputed by hand: SHA-256 of its canonical text. */
const payload = {
  formatVersion: 5,
  compilerVersion: "0.17.0",
  targets: [],
  capabilities: [],
  externalContracts: [],
  completeness: { status: "proven" },
} as const;
const text =
  '{"capabilities":[],"compilerVersion":"0.17.0","completeness":{"status":"proven"},"externalContracts":[],"formatVersion":5,"targets":[]}\n';
const manifest = { ...payload, hash: sha256(text) } as unknown as CapabilityContractManifest;

it("a value has one spelling: members by UTF-16 code unit, numbers as ECMAScript prints them, a final newline", () => {
  expect(canonicalJson({ "\u{1f600}": 1e21, "\ufb33": -0, b: [undefined], a: undefined })).toBe(
    '{"b":[null],"\u{1f600}":1e+21,"\ufb33":0}\n',
  );
  expect(canonicalJson({ b: [], a: {} }, true)).toBe('{\n  "a": {},\n  "b": []\n}\n');
});

it("what JSON cannot carry has no canonical form", () => {
  expect(() => canonicalJson(undefined)).toThrow(TypeError);
  expect(() => canonicalJson(() => 1)).toThrow(/function has no JSON form/);
  expect(() => canonicalJson("\ud800")).toThrow(/surrogate/);
});

it("a contract's hash is that of everything but the hash", () => {
  expect(manifestPayload(manifest)).toEqual(payload);
  expect(computeManifestHash(manifest)).toBe(manifest.hash);
  expect(computeManifestHash(payload as never)).toBe(manifest.hash);
});

it("a contract that was touched does not verify, and says why", () => {
  expect(() => verifyManifest(manifest)).not.toThrow();
  expect(() => verifyManifest({ ...manifest, targets: ["web-production"] })).toThrow(/hash/);
  expect(() => verifyManifest({ ...manifest, formatVersion: 6 } as never)).toThrow(/format version 6/);
  expect(
    verifyManifest(JSON.parse(canonicalManifestJson(manifest)) as CapabilityContractManifest),
  ).toBeUndefined();
});

it("bytes and text have the same SHA-256", () => {
  expect(sha256("é")).toBe(sha256(new TextEncoder().encode("é")));
});
