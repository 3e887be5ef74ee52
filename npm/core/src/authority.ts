import { AgentSurfaceDefinitionError } from "./errors.js";
import { deepFreeze } from "./json.js";
import { kernel } from "./kernel/index.js";
import type { AuthorityKey } from "./kernel/words.js";
import type { CapabilityContractManifest } from "./manifest.js";

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

/** By what the kernel knows each authority. */
const keys = /* @__PURE__ */ new WeakMap<CapabilityAuthority, AuthorityKey>();

/** Closes the kernel's side of an authority that nobody has any more. Made on first use, like the kernel. */
let closing: FinalizationRegistry<AuthorityKey> | undefined;

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
  const key = kernel().openAuthority(text);
  if (typeof key !== "number") throw new AgentSurfaceDefinitionError(key.code, key.message);
  const verified = deepFreeze(JSON.parse(text) as CapabilityContractManifest);
  const authority = Object.freeze({ manifest: verified }) as CapabilityAuthority;
  keys.set(authority, key);
  closing ??= new FinalizationRegistry((closed) => kernel().closeAuthority(closed));
  closing.register(authority, key);
  return authority;
}

/**
 * Refuses whatever {@link createCapabilityAuthority} has not made.
 *
 * @throws AgentSurfaceDefinitionError INVALID_DEFINITION
 */
export function assertCapabilityAuthority(authority: CapabilityAuthority): void {
  keyOf(authority);
}

/** By what the kernel knows an authority. */
export function keyOf(authority: CapabilityAuthority): AuthorityKey {
  const key = keys.get(authority);
  if (key === undefined) {
    throw new AgentSurfaceDefinitionError(
      "INVALID_DEFINITION",
      "invalid capability authority: take the one that virtual:agent-surface-contract exports",
    );
  }
  return key;
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
