import type { AgentSurfaceRegistry } from "@agent-surface/core";
import { AgentSurfaceProvider, usePendingConfirmations } from "@agent-surface/react";
import { StrictMode, Suspense } from "react";
import { open, Shows } from "./page.js";

function Pending() {
  return <p>{usePendingConfirmations().length}</p>;
}

function App({ registry }: { registry: AgentSurfaceRegistry }) {
  return (
    <StrictMode>
      <AgentSurfaceProvider registry={registry}>
        <Suspense>
          <Shows value={1} />
          <Pending />
        </Suspense>
      </AgentSurfaceProvider>
    </StrictMode>
  );
}

/** An app that is rendered on a server and hydrated in a page, each with a registry of its own. */
export function app() {
  const registry = open();
  return { registry, element: <App registry={registry} /> };
}
