/**
 * Types of the module the build writes. One line makes them known to an app:
 * `/// <reference types="@agent-surface/compiler/client" />`
 */
declare module "virtual:agent-surface-contract" {
  import type { CapabilityAuthority, CapabilityContractManifest } from "@agent-surface/core";

  /** The authority over everything this build proved; `createAgentSurfaceRegistry({ authority })` takes it. */
  const authority: CapabilityAuthority;
  export default authority;

  /** The proven contract itself, the same document that is emitted beside the bundle. */
  export const manifest: CapabilityContractManifest;
}
