import { kernel } from "./kernel/index.js";

/** How a provider's tool for a capability is called, where no second instance has the capability. */
export function encodeWireName(capabilityId: string): string {
  return kernel().encodeWireName(capabilityId);
}

/**
 * The capability that a wire name stands for, if the name alone tells. It does not for names that were shortened, or
 * that tell instances apart: whoever gave these knows, as `wireNameMap()` of a toolset does.
 */
export function decodeWireName(name: string): string | undefined {
  return kernel().decodeWireName(name);
}
