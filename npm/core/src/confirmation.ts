import type { PendingConfirmation } from "./kernel/words.js";
import type { Surface } from "./surface/surface.js";
import { Listeners } from "./events.js";
import { deepFreeze } from "./json.js";
import type { Unsubscribe } from "./types.js";

export type { PendingConfirmation };

/** What becomes of a confirmation. */
export type ConfirmationOutcome = "approved" | "denied" | "expired";

/** What an app's dialogs need. */
export interface ConfirmationController {
  /** What is to be decided, oldest first. */
  pending(): PendingConfirmation[];
  /** Takes the user's decision. On one that is decided already, it changes nothing. */
  resolve(confirmationId: string, resolution: { approved: boolean; reason?: string }): void;
  /**
   * What became of a confirmation, once that is known. One that nobody knows of is `expired`, and so it is to whoever
   * gives up waiting by the signal.
   */
  waitFor(confirmationId: string, options?: { signal?: AbortSignal }): Promise<ConfirmationOutcome>;
  /** Calls `listener` whenever something is to be decided, or was. */
  subscribe(listener: (pending: PendingConfirmation[]) => void): Unsubscribe;
  /** For tests: ends a confirmation as if its time were over. */
  forceExpire(confirmationId: string): void;
}

/** The confirmations of a surface. */
export function createConfirmations(surface: Surface): ConfirmationController {
  const listeners = new Listeners<PendingConfirmation[]>((error) =>
    surface.report.error("a listener for confirmations threw", error),
  );
  const waiters = new Map<string, Set<(outcome: ConfirmationOutcome) => void>>();
  let stopListening: Unsubscribe | undefined;

  const pending = (): PendingConfirmation[] =>
    surface.pendingConfirmations().map(deepFreeze<PendingConfirmation>);

  /** The surface tells somebody only if somebody wants to know. */
  const heed = (): void => {
    const isHeard = !listeners.isEmpty || waiters.size > 0;
    if (isHeard && stopListening === undefined) {
      stopListening = surface.subscribe((event) => {
        if (event.type === "confirmation-resolved") settle(event.confirmationId, event.outcome);
        if (event.type === "confirmation-requested" || event.type === "confirmation-resolved") {
          if (!listeners.isEmpty) listeners.tell(pending());
        }
      });
    } else if (!isHeard && stopListening !== undefined) {
      stopListening();
      stopListening = undefined;
    }
  };

  const settle = (confirmationId: string, outcome: ConfirmationOutcome): void => {
    const waiting = waiters.get(confirmationId);
    waiters.delete(confirmationId);
    for (const resolve of waiting ?? []) resolve(outcome);
    heed();
  };

  return Object.freeze({
    pending,
    resolve(confirmationId: string, { approved }: { approved: boolean }) {
      surface.act((kernel, now) =>
        kernel.resolveConfirmation(now, String(confirmationId), approved === true),
      );
    },
    waitFor(confirmationId: string, options?: { signal?: AbortSignal }) {
      const state = surface.confirmationState(confirmationId) ?? "expired";
      if (state !== "pending") return Promise.resolve(state === "consumed" ? "approved" : state);
      const signal = options?.signal;
      if (signal?.aborted) return Promise.resolve("expired" as const);
      return new Promise<ConfirmationOutcome>((resolve) => {
        const waiting = waiters.get(confirmationId) ?? new Set();
        const done = (outcome: ConfirmationOutcome): void => {
          signal?.removeEventListener("abort", giveUp);
          resolve(outcome);
        };
        const giveUp = (): void => {
          waiting.delete(done);
          if (waiting.size === 0) waiters.delete(confirmationId);
          heed();
          done("expired");
        };
        signal?.addEventListener("abort", giveUp);
        waiters.set(confirmationId, waiting.add(done));
        heed();
      });
    },
    subscribe(listener: (pending: PendingConfirmation[]) => void) {
      const unsubscribe = listeners.add(listener);
      heed();
      return () => {
        unsubscribe();
        heed();
      };
    },
    forceExpire(confirmationId: string) {
      surface.act((kernel, now) => kernel.expireConfirmation(now, String(confirmationId)));
    },
  });
}
