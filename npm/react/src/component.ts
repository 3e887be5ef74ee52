/* oxlint-disable typescript/no-explicit-any -- a record of contracts has a different input and output in each
   member; only `any` stands in for all of them. */
import type {
  AgentActionContract,
  AgentComponentContract,
  AgentComponentDefinition,
  AgentComponentRuntimeBindings,
  AgentObservationContract,
} from "@agent-surface/core";
import { useEffect, useInsertionEffect, useMemo, useRef, useState } from "react";
import { Mounted, type Identity } from "./mounted.js";
import { useAgentSurface } from "./provider.js";
import { setRenderScopeContext } from "./render-scope.js";
import { shapeOf } from "./shape.js";

/** What a hook registers: a contract, bound. Procedures are bound by a hook of their own. */
export interface UseAgentComponentConfig extends Omit<AgentComponentDefinition, "procedures"> {
  /** `false` where a component is mounted and not presented: an inactive tab, a page that is kept alive. */
  enabled?: boolean;
}

/** What has become of a component's registration. */
export interface AgentComponentHandle {
  /** `reg_…` while the registration is active. */
  registrationId: string | undefined;
  /** `pending` until the first effect, `rejected` where another component has its place or a guard said no. */
  status: "active" | "rejected" | "unregistered" | "pending";
}

/**
 * Registers a component for as long as it is mounted: in an effect, so never on a server, and never for a render that
 * React gave up.
 *
 * Handlers, `when` and reasons are those of the last commit, without dependency arrays and `useCallback`. What they say
 * of availability is pushed to the registry after every commit. Another registry, contract or `instanceId` is another
 * registration. So is another shape: which capabilities have a `when` or a precondition, which policies there are. A
 * mounted component should not change that, so the console is told.
 *
 * @throws AgentSurfaceDefinitionError while rendering, where a declared capability has no handler; in the effect, where
 * the registry refuses what the app's code says. Error boundaries get both.
 */
export function useAgentComponent<
  TObservations extends Record<string, AgentObservationContract<any>>,
  TActions extends Record<string, AgentActionContract<any, any>>,
>(
  contract: AgentComponentContract<TObservations, TActions>,
  bindings: AgentComponentRuntimeBindings<TObservations, TActions>,
): AgentComponentHandle {
  const registry = useAgentSurface();
  const bound: UseAgentComponentConfig = contract.bind(bindings);
  const { type, instanceId = "default" } = bound;
  setRenderScopeContext({ type, instanceId });

  const shape = shapeOf(bound);
  const identity = useMemo<Identity>(
    () => ({ registry, contract, instanceId, shape }),
    [registry, contract, instanceId, shape],
  );
  const mounted = useRef<Mounted>(undefined);
  const previous = useRef<Identity>(undefined);
  const [handle, setHandle] = useState<AgentComponentHandle>({
    registrationId: undefined,
    status: "pending",
  });

  // Insertion effects come before all others: whatever those invoke meets the handlers of this very commit. A
  // registration that this commit ends keeps its own handlers, and never acts for another instance.
  useInsertionEffect(() => {
    if (mounted.current?.identity === identity) mounted.current.adopt(bound);
  });

  useEffect(() => {
    reportChange(type, previous.current, identity);
    previous.current = identity;
    const { handle } = (mounted.current = new Mounted(identity, bound));
    const { status, registrationId } = handle;
    setHandle({ registrationId: status === "active" ? registrationId : undefined, status });
    return () => {
      mounted.current = undefined;
      handle.unregister();
      setHandle({ registrationId: undefined, status: "unregistered" });
    };
  }, [identity]);

  useEffect(() => mounted.current?.push(bound));

  return handle;
}

function reportChange(type: string, before: Identity | undefined, now: Identity): void {
  const isSame =
    before?.registry === now.registry &&
    before.contract === now.contract &&
    before.instanceId === now.instanceId;
  if (!isSame || before.shape === now.shape) return;
  // oxlint-disable-next-line no-console -- the console is where developers look
  console.error(
    `[agent-surface] "${type}" (${now.instanceId}) changed while it was mounted: its parent, its policies, or which of ` +
      "its capabilities have a `when` or a precondition. A registration keeps these, so the component was registered " +
      "anew. Keep them the same, and let `when`, `enabled` and handlers say what changes.",
  );
}
