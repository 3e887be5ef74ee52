import { AgentSurfaceDefinitionError } from "./errors.js";
import { deepFreeze } from "./json.js";
import { kernel } from "./kernel/index.js";
import type { CapabilityContractEntry, CapabilityContractManifest } from "./manifest.js";

declare const brand: unique symbol;

/**
 * What an app may expose, at all: the verified contract of one build.
 *
 * The type can be imitated, the object cannot. Whatever takes an authority knows those that
 * {@link createCapabilityAuthority} made, and no others.
 */
export interface CapabilityAuthority {
  readonly manifest: CapabilityContractManifest;
  readonly [brand]: true;
}

/** A verified manifest, and the way to its entries. */
export interface AuthorityState {
  readonly manifest: CapabilityContractManifest;
  /** By declaration, then by capability: one id may be declared in several places. */
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, CapabilityContractEntry>>;
}

const states = new WeakMap<CapabilityAuthority, AuthorityState>();

/**
 * Verifies a manifest and makes it the authority. The virtual module does so with the build's own; who calls
 * this with another one chooses that one as the truth.
 *
 * The manifest is written down once, that text is verified, and the authority's manifest is read from the same
 * text and frozen: what was verified is what is used, however the object that was passed in behaves.
 *
 * @throws AgentSurfaceDefinitionError DUPLICATE_CAPABILITY where a declaration occurs twice, INVALID_DEFINITION
 * where the format, the completeness or a hash is wrong.
 */
export function createCapabilityAuthority(manifest: CapabilityContractManifest): CapabilityAuthority {
  const text = writeDown(manifest);
  const refusal = kernel().verifyManifest(text);
  if (refusal) throw new AgentSurfaceDefinitionError(refusal.code, refusal.message);
  const verified = deepFreeze(JSON.parse(text) as CapabilityContractManifest);
  const authority = Object.freeze({ manifest: verified }) as CapabilityAuthority;
  states.set(authority, { manifest: verified, entries: indexEntries(verified) });
  return authority;
}

/**
 * Refuses whatever {@link createCapabilityAuthority} has not made.
 *
 * @throws AgentSurfaceDefinitionError INVALID_DEFINITION
 */
export function assertCapabilityAuthority(authority: CapabilityAuthority): void {
  stateOf(authority);
}

/** What stands behind an authority. */
export function stateOf(authority: CapabilityAuthority): AuthorityState {
  const state = states.get(authority);
  if (!state) {
    throw new AgentSurfaceDefinitionError(
      "INVALID_DEFINITION",
      "invalid capability authority: take the one that virtual:agent-surface-contract exports",
    );
  }
  return state;
}

function writeDown(manifest: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(manifest);
  } catch (cause) {
    throw new AgentSurfaceDefinitionError("INVALID_DEFINITION", "the contract cannot be written as JSON", {
      cause,
    });
  }
  if (text === undefined) throw new AgentSurfaceDefinitionError("INVALID_DEFINITION", "there is no contract");
  return text;
}

function indexEntries(manifest: CapabilityContractManifest): AuthorityState["entries"] {
  const entries = new Map<string, Map<string, CapabilityContractEntry>>();
  for (const entry of manifest.capabilities) {
    const declared = entries.get(entry.declarationId) ?? new Map<string, CapabilityContractEntry>();
    entries.set(entry.declarationId, declared.set(entry.capabilityId, entry));
  }
  return entries;
}
