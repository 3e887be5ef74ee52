import type { AgentSurfaceRegistry, PendingConfirmation } from "@agent-surface/core";
import { useMemo, useSyncExternalStore } from "react";
import { useAgentSurface } from "./provider.js";

/** A confirmation with what the buttons of a dialog do. */
export interface PendingConfirmationView extends PendingConfirmation {
  approve(): void;
  deny(reason?: string): void;
}

const NONE: PendingConfirmationView[] = [];

/**
 * What the user is to decide, oldest first. The app shows it; it is the registry that holds what was approved against
 * what is then invoked. A server has nothing to decide, so hydration begins with an empty list.
 */
export function usePendingConfirmations(): PendingConfirmationView[] {
  const registry = useAgentSurface();
  const store = useMemo(() => watch(registry), [registry]);
  return useSyncExternalStore(store.subscribe, store.read, () => NONE);
}

/** The pending confirmations as a store: the same list as long as nothing is added or decided. */
function watch({ confirmations }: AgentSurfaceRegistry) {
  let list = NONE;
  return {
    subscribe: (onChange: () => void) => confirmations.subscribe(onChange),
    read: (): PendingConfirmationView[] => {
      const pending = confirmations.pending();
      const isSame = ({ confirmationId }: PendingConfirmation, index: number): boolean =>
        list[index]?.confirmationId === confirmationId;
      if (pending.length !== list.length || !pending.every(isSame)) list = pending.map(view);
      return list;
    },
  };

  function view(record: PendingConfirmation): PendingConfirmationView {
    const { confirmationId } = record;
    const known = list.find((other) => other.confirmationId === confirmationId);
    return (
      known ?? {
        ...record,
        approve: () => confirmations.resolve(confirmationId, { approved: true }),
        deny: (reason) =>
          confirmations.resolve(confirmationId, { approved: false, ...(reason !== undefined && { reason }) }),
      }
    );
  }
}
