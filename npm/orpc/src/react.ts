/**
 * Backend procedures of oRPC in React components.
 *
 * @packageDocumentation
 */
import type { AgentProcedureContract, JsonValue } from "@agent-surface/core";
import { unstable_readRenderScopeContext, useAgentSurface } from "@agent-surface/react";
import { useEffect, useInsertionEffect, useMemo, useRef } from "react";
import type { AgentProcedureBindingConfig } from "./binding.js";
import { MountedProcedure, type Identity } from "./mounted.js";
import { isBridgeRef, type AgentProcedureRef } from "./ref.js";

export type { AgentProcedureBindingConfig } from "./binding.js";

/**
 * Refers to a procedure of the backend for as long as the component is mounted: registered in an effect, so never on a
 * server, and never for a render that React gave up.
 *
 * `when`, `unavailableReason`, `bind` and `describe` are those of the last commit, without dependency arrays and
 * `useCallback`. Another registry, contract or reference is another registration, and so are other bound fields, another
 * `confirmation`, other names of policies, and the like.
 *
 * A reference that no bridge has made registers nothing, and the console is told: what the backend's manifest does not
 * have, no page can add.
 *
 * @throws AgentSurfaceDefinitionError in the effect, where the registry refuses what the app's code says: a procedure
 * that differs from its contract, for example. Error boundaries get it.
 */
export function useAgentProcedure<
  TIn extends Record<string, JsonValue>,
  TOut extends JsonValue,
  TBound extends Partial<TIn> = Partial<TIn>,
>(
  contract: AgentProcedureContract<TIn, TOut>,
  ref: AgentProcedureRef<TIn, TOut>,
  config: AgentProcedureBindingConfig<TIn, TBound> = {},
): void {
  const registry = useAgentSurface();
  const identity = useMemo<Identity>(() => ({ registry, contract, ref }), [registry, contract, ref]);
  const owner = unstable_readRenderScopeContext();
  const mounted = (useRef<MountedProcedure>(undefined).current ??= new MountedProcedure());

  // Insertion effects come before all others: whatever those invoke meets the functions of this very commit.
  useInsertionEffect(() => mounted.adopt(identity, config));

  useEffect(() => {
    if (!isBridgeRef(ref)) reportForeign(ref);
  }, [ref]);

  useEffect(() => {
    if (isBridgeRef(identity.ref)) mounted.commit(identity, config, owner);
    else mounted.end();
  });

  useEffect(() => () => mounted.end(), [mounted]);
}

function reportForeign(ref: unknown): void {
  const { id } = (ref ?? {}) as { id?: unknown };
  // oxlint-disable-next-line no-console -- the console is where developers look
  console.error(
    `[agent-surface] useAgentProcedure: "${String(id)}" is no reference of a bridge, so nothing is registered. Take it ` +
      "from the `refs` of createOrpcAgentBridge(), which have what the backend's manifest has.",
  );
}
