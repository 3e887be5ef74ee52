import type { AgentProcedureDescriptor } from "@agent-surface/core";
import { useAgentProcedure } from "@agent-surface/orpc/react";
import { AgentSurfaceProvider } from "@agent-surface/react";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { connect, contracts, open } from "./devices.js";

interface TableProps {
  bridge: ReturnType<typeof connect>["bridge"];
  selected: string[];
  children?: ReactNode;
}

/** A table whose selected devices can be disabled. */
export function Table({ bridge, selected, children }: TableProps) {
  useAgentProcedure(contracts.disable, bridge.refs.devices.disable, {
    when: () => selected.length > 0,
    unavailableReason: "Select a device first",
    bind: () => ({ deviceIds: selected }),
    describe: () => `${selected.length} selected`,
  });
  return children;
}

/** A page with a registry, in which an element can be shown. */
export function page() {
  const app = connect();
  const registry = open(app);
  const view = render(null, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <AgentSurfaceProvider registry={registry}>{children}</AgentSurfaceProvider>
    ),
  });
  const procedures = (): readonly AgentProcedureDescriptor[] => registry.snapshot().procedures;
  const disable = (input = {}) => registry.invoke({ capabilityId: "domain:devices.disable", input });
  return { ...app, registry, view, procedures, disable };
}
